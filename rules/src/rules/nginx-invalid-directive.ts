import type { Directive, Level } from '@poolcheck/parsers/nginx/document';
import { parseTime } from '@poolcheck/parsers/nginx/time';
import { placeOf, type Place, type Text } from '@poolcheck/parsers/text';
import type { Fix, Report } from '../finding.ts';
import {
  newerArguments,
  nginxDirectiveNames,
  nginxDirectives,
  type NginxBlock,
  type NginxDirective,
} from '../knowledge/nginx-directives.ts';
import { nearest } from '../nearest.ts';
import { levelsOf } from '../nginx/blocks.ts';
import { remove } from '../nginx/edits.ts';
import { nginxRule } from '../rule.ts';
import { isBefore, showVersion, type Version } from '../version.ts';

type MessageId =
  | 'syntax'
  | 'misspelt'
  | 'misplaced'
  | 'newer'
  | 'few'
  | 'many'
  | 'value'
  | 'twice'
  | 'newerArgument'
  | 'newerArgumentBefore'
  | 'scheme'
  | 'parameter';

export default nginxRule({
  id: 'nginx-invalid-directive',
  severity: 'error',
  summary: 'nginx refuses its configuration, so it does not start, or goes on with the old one.',
  messages: {
    syntax: 'nginx refuses this file: {problem}.',
    misspelt: 'nginx knows no directive {name} and refuses the file. Did you mean "{meant}"?',
    misplaced: '{name} is not allowed in {block}: nginx refuses the file. It belongs in {blocks}.',
    newer: '{name} came to {block} with nginx {since}: nginx {version} refuses the file.',
    few: '{name} has {given} arguments and needs {least}: nginx refuses the file.{hint}',
    many: '{name} has {given} arguments and takes {most}: nginx refuses the file.{hint}',
    value: '{name} takes {wanted}, not "{value}": nginx refuses the file.',
    twice: '{name} is said twice in this block: nginx refuses the file.',
    newerArgument: '{name} {value} came with nginx {since}: nginx {version} refuses the file.{hint}',
    newerArgumentBefore: 'Before nginx {since}, {name} {value} is refused: nginx does not start.{hint}',
    scheme: 'A server of an upstream is a host and a port: nginx refuses the "{scheme}".',
    parameter: 'A server of an upstream has no parameter "{value}": nginx refuses the file.',
  },
  *check({ config, problems, version }) {
    const broken = new Set<Text>();
    for (const { text = config.text, range, message, fatal } of problems) {
      if (!fatal || broken.has(text)) continue;
      broken.add(text);
      yield { at: placeOf(text, range), message: 'syntax', data: { problem: message } };
    }
    for (const { level, block } of levelsOf(config)) {
      for (const directive of level.directives) {
        if (!block || broken.has(directive.text)) continue;
        const report = wrongWith(directive, block, level, version);
        if (report) yield { symbol: directive.name.value, at: placeOf(directive.text, directive.range), ...report };
      }
    }
  },
});

type Wrong = Omit<Report<MessageId>, 'at'> & { readonly at?: Place };

function wrongWith(directive: Directive, block: NginxBlock, level: Level, version: Version | undefined): Wrong | undefined {
  const name = directive.name.value;
  if (directive.name.hole || directive.block) return undefined;
  if (name === 'server' && block === 'upstream') return wrongServer(directive);
  const known = nginxDirectives(name);
  if (known.length === 0) return misspelt(directive);
  const here = known.find(({ blocks }) => blocks.includes(block));
  if (!here) return { message: 'misplaced', data: { name, block, blocks: listed(known.flatMap(({ blocks }) => blocks)) } };
  if (here.since && version && isBefore(version, here.since)) {
    return { message: 'newer', data: { name, block, since: showVersion(here.since), version: showVersion(version) } };
  }
  return wrongArguments(directive, here) ?? newerArgument(directive, version) ?? repeated(directive, here, level);
}

function misspelt({ name, text }: Directive): Wrong | undefined {
  const meant = name.value.length < 8 ? undefined : nearest(name.value, nginxDirectiveNames, 2);
  if (meant === undefined) return undefined;
  const fix: Fix = { title: `Write ${meant}`, safe: false, edits: [{ text, range: name.range, insert: meant }] };
  return { at: placeOf(text, name.range), message: 'misspelt', data: { name: name.value, meant }, fixes: [fix] };
}

/** A template's hole may write several arguments, or none. */
function wrongArguments(directive: Directive, { name, args: [least, most], value, second = value }: NginxDirective): Wrong | undefined {
  const { args } = directive;
  if (args.some(({ hole }) => hole)) return undefined;
  const hint = args.some(({ value: word }) => nginxDirectives(word).length > 0) ? ' A ";" is missing.' : '';
  if (args.length < least) return { message: 'few', data: { name, given: args.length, least, hint } };
  if (args.length > most) return { message: 'many', data: { name, given: args.length, most, hint } };
  for (const [index, word] of args.entries()) {
    const wanted = index === 0 ? value : second;
    if (isValue(word.value, wanted)) continue;
    return { at: placeOf(directive.text, word.range), message: 'value', data: { name, wanted: wantedOf(wanted), value: word.value } };
  }
  return undefined;
}

function isValue(word: string, value: NginxDirective['value']): boolean {
  if (value === 'anything') return true;
  if (value === 'time') return parseTime(word) !== undefined;
  if (value === 'number') return /^\d+$/.test(word);
  if (value === 'flag') return /^(on|off)$/i.test(word);
  return value.includes(word.toLowerCase());
}

function wantedOf(value: NginxDirective['value']): string {
  if (value === 'time') return 'a time such as 60s or 1m30s';
  if (value === 'number') return 'a whole number';
  if (value === 'flag') return 'on or off';
  return typeof value === 'string' ? value : value.join(', ');
}

function newerArgument(directive: Directive, version: Version | undefined): Wrong | undefined {
  const { name, args } = directive;
  const found = newerArguments.find((each) => each.name === name.value && each.value === args[each.at]?.value);
  if (!found || (version && !isBefore(version, found.since))) return undefined;
  const isOff = name.value === 'keepalive' && found.value === '0';
  const data = {
    name: name.value,
    value: found.value,
    since: showVersion(found.since),
    hint: isOff ? ' Without the line it keeps no connections either.' : '',
  };
  const fixes: readonly Fix[] = isOff ? [{ title: 'Leave the line out', safe: false, edits: [remove(directive)] }] : [];
  if (!version) return { message: 'newerArgumentBefore', severity: 'info', data, fixes };
  return { message: 'newerArgument', data: { ...data, version: showVersion(version) }, fixes };
}

/** Where a template may leave one of them out, they are no two. */
function repeated(directive: Directive, { name, once }: NginxDirective, { directives, complete }: Level): Wrong | undefined {
  const first = directives.find((each) => each.name.value === name);
  if (!once || !complete || !first || first === directive) return undefined;
  return { message: 'twice', data: { name }, related: [{ at: placeOf(first.text, first.range), message: 'the first time' }] };
}

const parameter = /^((weight|max_conns|max_fails|fail_timeout|slow_start|route|service|id)=.+|backup|down|resolve|drain)$/;

function wrongServer(directive: Directive): Wrong | undefined {
  const [address, ...parameters] = directive.args;
  const scheme = address && /^\w+:\/\//.exec(address.value)?.[0];
  if (address && scheme) {
    const edit = { text: directive.text, range: { start: address.range.start, end: address.range.start + scheme.length }, insert: '' };
    const fixes: readonly Fix[] = address.hole ? [] : [{ title: `Leave out ${scheme}`, safe: false, edits: [edit] }];
    return { at: placeOf(directive.text, address.range), message: 'scheme', data: { scheme }, fixes };
  }
  const wrong = parameters.find(({ value, hole }) => !hole && !parameter.test(value));
  return wrong && { at: placeOf(directive.text, wrong.range), message: 'parameter', data: { value: wrong.value } };
}

function listed(blocks: readonly NginxBlock[]): string {
  return [...new Set(blocks)].join(', ');
}
