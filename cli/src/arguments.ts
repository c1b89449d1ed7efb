import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { severities, type Severity } from '@poolcheck/rules/finding';
import { didYouMean } from '@poolcheck/rules/nearest';
import type { FixKind } from './fix.ts';
import { levelOf, levels, type Level } from './levels.ts';

export const formats = ['pretty', 'compact', 'agent', 'json', 'sarif', 'github', 'gitlab', 'junit', 'rdjson', 'markdown'] as const;
export type Format = (typeof formats)[number];

/** One form of the report, and the file it goes to; undefined: standard output. */
export interface Output {
  readonly format: Format;
  readonly file: string | undefined;
}

/** What is printed in these may stand beside something else; the others are whole documents. */
const lineFormats: readonly Format[] = ['pretty', 'compact', 'agent', 'github'];

/** What makes the command fail, each including those before it, but `problem`: errors, and whatever could not be checked. */
export const failures = ['never', 'error', 'warning', 'info', 'problem'] as const;
export type FailOn = (typeof failures)[number];

export const budgetFormats = ['pretty', 'json', 'markdown', 'mermaid', 'svg', 'html'] as const;
export type BudgetFormat = (typeof budgetFormats)[number];

/** What the command line asks for. */
export type Options = CheckOptions | BudgetOptions | DoctorOptions | InitOptions;

interface Common {
  readonly paths: readonly string[];
  readonly config: string | undefined;
  /** False when colours are refused on the command line. */
  readonly color: boolean;
}

export interface DoctorOptions extends Common {
  readonly command: 'doctor';
}

export interface InitOptions {
  readonly command: 'init';
  readonly folder: string;
}

export interface BudgetOptions extends Common {
  readonly command: 'budget';
  readonly format: BudgetFormat;
  readonly whatIf: readonly WhatIf[];
}

/** `services.api.instances=40` */
export interface WhatIf {
  readonly name: string;
  readonly value: number;
}

export interface CheckOptions extends Common {
  readonly command: 'check';
  readonly outputs: readonly Output[];
  readonly rules: ReadonlyMap<string, Level>;
  /** Milder findings are left out. */
  readonly minSeverity: Severity;
  readonly failOn: FailOn;
  /** More make the command fail. */
  readonly maxWarnings: number;
  /** A file with findings that do not count. */
  readonly baseline: string | undefined;
  readonly updateBaseline: boolean;
  /** A commit: what was there when the history branched off from it does not count. */
  readonly since: string | undefined;
  /** Mend files first; `dryRun`: print what that would change instead. */
  readonly fix: { readonly kind: FixKind; readonly dryRun: boolean } | undefined;
  readonly listRules: boolean;
  readonly explain: string | undefined;
  /** Ask the TypeScript checker where syntax and imports say nothing. */
  readonly types: boolean;
}

/** Where help, version and complaints go. */
export interface Sink {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Reads the arguments; or, when help, the version or a complaint was printed instead, whether that was asked for. */
export function readArguments(argv: readonly string[], { out, err }: Sink): Options | { readonly asked: boolean } {
  const root = new Command('poolcheck').enablePositionalOptions().exitOverride().configureOutput({ writeOut: out, writeErr: err });
  let options: Options | undefined;
  checkCommand(root).action((paths: readonly string[], parsed: ParsedCheck) => {
    options = checkOptions(paths, parsed);
  });
  budgetCommand(root.command('budget')).action((paths: readonly string[], parsed: ParsedBudget) => {
    options = budgetOptions(paths, parsed);
  });
  initCommand(root.command('init')).action((folder: string | undefined) => {
    options = { command: 'init', folder: folder ?? '.' };
  });
  doctorCommand(root.command('doctor')).action((paths: readonly string[], { config, color }: ParsedDoctor) => {
    options = { command: 'doctor', paths: orHere(paths), config, color };
  });
  try {
    // What follows a bare --fix is a path.
    root.parse(
      argv.map((each) => (each === '--fix' ? '--fix=safe' : each)),
      { from: 'user' },
    );
    if (options?.command === 'check' && options.updateBaseline && options.baseline === undefined)
      root.error('error: --update-baseline needs --baseline <file>');
  } catch (error) {
    if (error instanceof CommanderError) return { asked: error.exitCode === 0 };
    throw error;
  }
  return options ?? { asked: true };
}

function checkOptions(paths: readonly string[], parsed: ParsedCheck): CheckOptions {
  const {
    format,
    config,
    rule,
    minSeverity,
    failOn,
    maxWarnings,
    baseline,
    updateBaseline,
    since,
    fix,
    fixDryRun,
    listRules,
    explain,
    types,
    color,
  } = parsed;
  return {
    command: 'check',
    paths: orHere(paths),
    outputs: format.length > 0 ? format : [{ format: 'pretty', file: undefined }],
    config,
    rules: rule,
    minSeverity,
    failOn,
    maxWarnings: maxWarnings ?? Infinity,
    baseline,
    updateBaseline: updateBaseline === true,
    since,
    fix: fixDryRun ? { kind: fix ?? 'safe', dryRun: true } : fix && { kind: fix, dryRun: false },
    listRules: listRules === true,
    explain,
    types: types === true,
    color,
  };
}

function budgetOptions(paths: readonly string[], { format, config, whatIf, color }: ParsedBudget): BudgetOptions {
  return { command: 'budget', paths: orHere(paths), format, config, whatIf, color };
}

function orHere(paths: readonly string[]): readonly string[] {
  return paths.length > 0 ? paths : ['.'];
}

interface ParsedCheck {
  readonly format: readonly Output[];
  readonly config?: string;
  readonly rule: ReadonlyMap<string, Level>;
  readonly minSeverity: Severity;
  readonly failOn: FailOn;
  readonly maxWarnings?: number;
  readonly baseline?: string;
  readonly updateBaseline?: true;
  readonly since?: string;
  readonly fix?: FixKind;
  readonly fixDryRun?: true;
  readonly listRules?: true;
  readonly explain?: string;
  readonly types?: true;
  readonly color: boolean;
}

interface ParsedBudget {
  readonly format: BudgetFormat;
  readonly config?: string;
  readonly whatIf: readonly WhatIf[];
  readonly color: boolean;
}

interface ParsedDoctor {
  readonly config?: string;
  readonly color: boolean;
}

function initCommand(command: Command): Command {
  return command
    .description('write a first poolcheck.yaml: what was found, and what nobody but you knows')
    .argument('[folder]', 'where it is written (default: .)')
    .helpOption('-h, --help', 'print this help');
}

/** What is said of whole roots, and not of findings. */
function ofRoots(command: Command): Command {
  return command
    .argument('[paths...]', 'files and folders whose roots are analysed (default: .)')
    .option('-c, --config <file>', 'configuration to use instead of the poolcheck.yaml of the root')
    .option('--no-color', 'print without colours, as with NO_COLOR')
    .helpOption('-h, --help', 'print this help');
}

function doctorCommand(command: Command): Command {
  return ofRoots(command).description(
    'say what was discovered, linked and not understood, and where that was read: what a bug report needs',
  );
}

function budgetCommand(command: Command): Command {
  return ofRoots(command)
    .description('print how many connections can be open at each database, from whom, and where every number was read')
    .addOption(new Option('-f, --format <format>', 'how it is printed').choices(budgetFormats).default('pretty'))
    .addOption(new Option('--mermaid', 'as --format mermaid').implies({ format: 'mermaid' }))
    .addOption(new Option('--svg', 'as --format svg').implies({ format: 'svg' }))
    .addOption(new Option('--html', 'as --format html: one page that needs nothing else').implies({ format: 'html' }))
    .addOption(
      new Option('--what-if <name=number>', 'as if a number were another, like services.api.instances=40; may be repeated')
        .argParser(addWhatIf)
        .default([], 'none'),
    )
    .addHelpText('after', budgetStatuses);
}

const budgetStatuses = `
Exit status:
  0  every database accepts what can connect to it
  1  one does not, when all pools are full or everything is scaled out
  2  poolcheck could not do its job: a bad option, a bad configuration, a path that cannot be read`;

function addWhatIf(text: string, before: readonly WhatIf[]): readonly WhatIf[] {
  const [, name, value] = /^([^=]+)=(\d{1,9})$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write name=number, like services.api.instances=40.');
  return [...before, { name, value: Number(value) }];
}

function checkCommand(command: Command): Command {
  return command
    .description(packageJson.description)
    .argument('[paths...]', 'files and folders whose findings are shown; the whole root is analysed (default: .)')
    .addOption(
      new Option('-f, --format <format[=file]>', `how findings are printed, or written to a file: ${formats.join(', ')}; may be repeated`)
        .argParser(addOutput)
        .default([], 'pretty'),
    )
    .option('-c, --config <file>', 'configuration to use instead of the poolcheck.yaml of the root')
    .addOption(
      new Option('--rule <id=level>', `set a rule to ${levels.join(', ')}; may be repeated`).argParser(addRule).default(new Map(), 'none'),
    )
    .addOption(new Option('--min-severity <severity>', 'leave out milder findings').choices(severities).default('info'))
    .addOption(
      new Option('--fail-on <what>', 'the mildest that makes the exit status 1; problem: errors, and what could not be checked')
        .choices(failures)
        .default('error'),
    )
    .addOption(new Option('--max-warnings <number>', 'more warnings make the exit status 1').argParser(count))
    .option('--baseline <file>', 'findings in this file are known and do not count')
    .option('--since <commit>', 'only what a change brought in: findings that were there where it branched off do not count')
    .option('--update-baseline', 'write the file of --baseline: what is found now')
    .addOption(new Option('--fix [kind]', 'mend what can be mended: what is safe (default), or all').choices(['safe', 'all']))
    .option('--fix-dry-run', 'print what --fix would change, as a diff, instead of the findings')
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

function addOutput(text: string, before: readonly Output[]): readonly Output[] {
  const [, name = '', file] = /^([^=]*)(?:=(.+))?$/.exec(text) ?? [];
  const format = formats.find((each) => each === name);
  if (!format) throw new InvalidArgumentError(`Formats are ${formats.join(', ')}.${didYouMean(name, formats)}`);
  const outputs = [...before, { format, file }];
  const printed = outputs.filter((output) => output.file === undefined).map((output) => output.format);
  const whole = printed.find((each) => !lineFormats.includes(each));
  if (whole && printed.length > 1) throw new InvalidArgumentError(`Nothing can be printed beside ${whole}: write --format ${whole}=FILE.`);
  return outputs;
}

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
}

function addRule(text: string, rules: ReadonlyMap<string, Level>): ReadonlyMap<string, Level> {
  const [, id, level] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const known = levelOf(level);
  if (id === undefined || !known) throw new InvalidArgumentError(`Write id=level, where level is ${levels.join(', ')}.`);
  return new Map([...rules, [id, known]]);
}
