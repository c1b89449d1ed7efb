import { parseSqlFile } from '@poolcheck/parsers/sql/file';
import type { SqlStatement } from '@poolcheck/parsers/sql/lexer';
import { placeOf, type Place, type Text } from '@poolcheck/parsers/text';
import type { PoolerBehaviour } from '../../deployment/model.ts';
import { wordAt } from '../../sql/phrase.ts';
import { statesOf, takesBack, type SessionState } from '../../sql/session-state.ts';

/** Session state that a file of SQL sets, and that a pooler loses. */
export interface FileState {
  readonly state: SessionState;
  readonly place: Place;
}

/** The state that the statements of a file leave on their sessions; a temporary table that the file drops is not left. */
export function statesInFile(text: Text, { lost }: PoolerBehaviour): readonly FileState[] {
  const statements = parseSqlFile(text, 'postgresql');
  const states = statements.flatMap((statement) =>
    statesOf(statement, 'postgresql').map((state) => ({ state, place: placeOf(text, statement.range) })),
  );
  return states.filter(({ state }, at) => {
    if (state.undoes || lost(state) === undefined) return false;
    if (state.kind === 'temporary' && statements.some(isDrop)) return false;
    return state.kind === 'lock' || !states.slice(at + 1).some((later) => takesBack(later.state, state));
  });
}

function isDrop({ tokens }: SqlStatement): boolean {
  return wordAt(tokens, 0) === 'drop';
}
