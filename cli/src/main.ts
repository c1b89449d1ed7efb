import { readArguments, type Options } from './arguments.ts';
import { exit, UserError } from './exit.ts';
import type { Io } from './io.ts';
import { visible } from './output/neutral.ts';

/** The command: reads its arguments, does its work, and says with which status to end. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const options = readArguments(argv, { out: io.out.write, err: io.err.write });
  if ('asked' in options) return options.asked ? exit.clean : exit.failed;
  try {
    return await run(options, io);
  } catch (error) {
    io.err.write(complaint(error));
    return exit.failed;
  }
}

/** What the user can put right is said without a stack; anything else is ours. */
function complaint(error: unknown): string {
  if (error instanceof UserError) return `poolcheck: ${shown(error.message)}\n`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `poolcheck: this is a bug in poolcheck; please report it, with this:\n${shown(stack)}\n`;
}

function shown(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Loaded when it is needed: `--version` and `--help` need none of it. */
async function run(options: Options, io: Io): Promise<number> {
  if (options.command === 'budget') {
    const { budget } = await import('./budget/command.ts');
    return budget(options, io);
  }
  if (options.command === 'init') {
    const { init } = await import('./init/command.ts');
    return init(options, io);
  }
  if (options.command === 'doctor') {
    const { doctor } = await import('./doctor.ts');
    return doctor(options, io);
  }
  if (options.listRules || options.explain !== undefined) {
    const { explain, listRules } = await import('./explain.ts');
    io.out.write(options.explain === undefined ? listRules() : explain(options.explain));
    return exit.clean;
  }
  const { checkAndReport } = await import('./check-and-report.ts');
  return await checkAndReport(options, io);
}
