import type { Io } from '../io.ts';
import { main } from '../main.ts';

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in this process, as in a folder and an environment. */
export async function run(cwd: string, argv: readonly string[], env: Io['env'] = {}): Promise<Ran> {
  const written = { out: '', err: '' };
  const output = (name: 'out' | 'err') => ({
    write: (text: string) => void (written[name] += text),
    isTerminal: false,
    columns: undefined,
  });
  const status = await main(argv, { cwd, env, runtime: 'Node.js 20.19.0, linux x64', out: output('out'), err: output('err') });
  return { status, ...written };
}
