import type { Deployment, Target } from '../../deployment/model.ts';
import type { PoolSite } from '../../source/pools.ts';
import type { Sending } from '../../source/statements.ts';
import { classify } from '../../sql/classify.ts';
import { sessionStateOf, takesBack, type SessionState } from '../../sql/session-state.ts';

export type PoolerTarget = Extract<Target, { kind: 'pooler' }>;

/** State that a pooler's mode loses, and the way on which it does. */
export interface LostOnTheWay extends Lost {
  readonly site: PoolSite;
  readonly target: PoolerTarget;
}

interface Left {
  readonly sending: Sending;
  readonly state: SessionState;
}

export interface Lost extends Left {
  /** Where it is taken back: told with it, not by itself. */
  readonly undone: readonly Sending[];
}

/** The session state that the services of an environment send through poolers in other modes than session. */
export function lostStatesIn(deployment: Deployment): readonly LostOnTheWay[] {
  const known = lostIn.get(deployment) ?? [...findLostStates(deployment)];
  lostIn.set(deployment, known);
  return known;
}

const lostIn = new WeakMap<Deployment, readonly LostOnTheWay[]>();

function* findLostStates({ services }: Deployment): Iterable<LostOnTheWay> {
  const seen = new Set<Sending['call']>();
  for (const { site, target, sendings } of services.flatMap(({ pools }) => pools)) {
    if (target?.kind !== 'pooler' || target.entry.mode.value === 'session') continue;
    for (const lost of lostStates(sendings, target)) {
      if (!seen.has(lost.sending.call)) yield { ...lost, site, target };
      seen.add(lost.sending.call);
    }
  }
}

function lostStates(sendings: readonly Sending[], target: PoolerTarget): readonly Lost[] {
  const left = sendings.flatMap((sending): readonly Left[] => {
    const state = sending.module.role === 'production' ? stateLeftBy(sending, target) : undefined;
    return state ? [{ sending, state }] : [];
  });
  return left
    .filter((undoing) => !left.some((doing) => isUndoneBy(doing, undoing)))
    .map((doing) => ({ ...doing, undone: left.filter((undoing) => isUndoneBy(doing, undoing)).map(({ sending }) => sending) }));
}

function isUndoneBy(doing: Left, undoing: Left): boolean {
  return doing.sending.module === undoing.sending.module && takesBack(undoing.state, doing.state);
}

/** The session state that a pooler pins connections for, as long as the client is connected; what goes through the pool, another rule tells. */
export function* pinningStatesIn({ services }: Deployment): Iterable<LostOnTheWay> {
  const seen = new Set<Sending['call']>();
  for (const { site, target, sendings } of services.flatMap(({ pools }) => pools)) {
    if (target?.kind !== 'pooler' || target.pooler.software !== 'rds-proxy') continue;
    for (const sending of sendings) {
      const state =
        sending.module.role === 'production' && sending.dialect === 'postgresql' && sending.through !== 'pool'
          ? statesIn(sending)[0]
          : undefined;
      if (state && !state.undoes && !seen.has(sending.call)) yield { sending, state, undone: [], site, target };
      seen.add(sending.call);
    }
  }
}

/** The first state that is left. One string runs on one connection: what it takes back itself is not left. */
function stateLeftBy(sending: Sending, target: PoolerTarget): SessionState | undefined {
  const states = statesIn(sending).filter((state) => target.pooler.behaviour.lost(state) !== undefined);
  const last = states.at(-1);
  return last && states.some((state) => takesBack(last, state)) ? undefined : states[0];
}

function statesIn({ statements, dialect }: Pick<Sending, 'statements' | 'dialect'>): readonly SessionState[] {
  return statements.flatMap((statement) => classify(statement, dialect)).flatMap((effect) => sessionStateOf(effect) ?? []);
}
