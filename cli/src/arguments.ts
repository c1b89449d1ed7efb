import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { levelOf, levels, type Level } from './levels.ts';

export const formats = ['pretty', 'json', 'sarif', 'github', 'markdown'] as const;
export type Format = (typeof formats)[number];

/** What makes the command fail, each including those before it, but `problem`: errors, and whatever could not be checked. */
export const failures = ['never', 'error', 'warning', 'info', 'problem'] as const;
export type FailOn = (typeof failures)[number];

/** What the command line asks for. */
export interface Options {
  readonly paths: readonly string[];
  readonly format: Format;
  readonly config: string | undefined;
  readonly rules: ReadonlyMap<string, Level>;
  readonly failOn: FailOn;
  readonly listRules: boolean;
  readonly explain: string | undefined;
  /** Ask the TypeScript checker where syntax and imports say nothing. */
  readonly types: boolean;
  /** False when colours are refused on the command line. */
  readonly color: boolean;
}

/** Where help, version and complaints go. */
export interface Sink {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Reads the arguments; or, when help, the version or a complaint was printed instead, whether that was asked for. */
export function readArguments(argv: readonly string[], { out, err }: Sink): Options | { readonly asked: boolean } {
  const command = commandLine().exitOverride().configureOutput({ writeOut: out, writeErr: err });
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { asked: error.exitCode === 0 };
    throw error;
  }
  const { format, config, rule, failOn, listRules, explain, types, color } = command.opts<Parsed>();
  const paths = command.args.length > 0 ? command.args : ['.'];
  return { paths, format, config, rules: rule, failOn, listRules: listRules === true, explain, types: types === true, color };
}

interface Parsed {
  readonly format: Format;
  readonly config?: string;
  readonly rule: ReadonlyMap<string, Level>;
  readonly failOn: FailOn;
  readonly listRules?: true;
  readonly explain?: string;
  readonly types?: true;
  readonly color: boolean;
}

function commandLine(): Command {
  return new Command('poolcheck')
    .description(packageJson.description)
    .argument('[paths...]', 'files and folders whose findings are shown; the whole root is analysed (default: .)')
    .addOption(new Option('-f, --format <format>', 'how findings are printed').choices(formats).default('pretty'))
    .option('-c, --config <file>', 'configuration to use instead of the poolcheck.yaml of the root')
    .addOption(
      new Option('--rule <id=level>', `set a rule to ${levels.join(', ')}; may be repeated`).argParser(addRule).default(new Map(), 'none'),
    )
    .addOption(
      new Option('--fail-on <what>', 'the mildest that makes the exit status 1; problem: errors, and what could not be checked')
        .choices(failures)
        .default('error'),
    )
    .option('--types', 'ask TypeScript what a value is where code and imports do not say; needs ts-morph and a tsconfig.json')
    .option('--list-rules', 'print every rule with its severity')
    .option('--explain <rule>', "print a rule's page: what goes wrong, why, and what to do")
    .option('--no-color', 'print without colours, as with NO_COLOR')
    .version(packageJson.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', exitStatuses);
}

const exitStatuses = `
Exit status:
  0  nothing at or above --fail-on
  1  findings
  2  poolcheck could not do its job: a bad option, a bad configuration, a path that cannot be read
  3  a folder was named and nothing to check was found in it`;

function addRule(text: string, rules: ReadonlyMap<string, Level>): ReadonlyMap<string, Level> {
  const [, id, level] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const known = levelOf(level);
  if (id === undefined || !known) throw new InvalidArgumentError(`Write id=level, where level is ${levels.join(', ')}.`);
  return new Map([...rules, [id, known]]);
}
