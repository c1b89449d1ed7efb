import { placeOf, type Place, type Text, textOf } from '@poolcheck/parsers/text';
import { assumed, defaulted, type Known, sum } from '../../../known.ts';
import type { Setting } from '../../../source/setting.ts';
import { programName } from '../../command.ts';
import { isWithin } from '../../paths.ts';
import { withoutLanguageRunner } from '../told-settings.ts';
import { loadedPython } from './python-modules.ts';
import { addressBehind, type ForeignSources, type FoundForeignPool, sizeSet } from './found.ts';

/** https://docs.sqlalchemy.org/en/20/core/pooling.html#sqlalchemy.pool.QueuePool */
const sqlalchemyDefaults = { pool_size: 5, max_overflow: 10 } as const;

const programs = /^(python[\d.]*|gunicorn|uvicorn|hypercorn|fastapi|flask|celery|uwsgi)$/;
const notTheApplication =
  /(^|\/)(tests?|migrations|alembic|scripts|examples?|docs|node_modules|site-packages|\.?venv)\/|(^|\/)(test_[^/]*|conftest)\.py$/;
const mostFiles = 3000;

/** The engines that SQLAlchemy makes in the code of a container, where their arguments are plain. */
export function pythonPools(sources: ForeignSources): readonly FoundForeignPool[] {
  const { folder, runs, project } = sources;
  if (folder === undefined || !runs.some(({ program }) => programs.test(programName(withoutLanguageRunner(program))))) return [];
  const files = project
    .list()
    .filter((path) => path.endsWith('.py') && isWithin(folder, path) && !notTheApplication.test(path))
    .slice(0, mostFiles);
  const texts = files.map((path) => textOf(path, project.readText(path) ?? ''));
  const loaded = loadedPython(runs, texts);
  const engines = (loaded ?? texts).flatMap(enginesIn);
  return surely(engines.map((engine) => ({ isSure: engine.isOfModule, pool: poolOf(engine, texts, sources) })));
}

/** Which engines are used is only certain of one; one that a function makes may never be made. */
function surely(engines: readonly { readonly isSure: boolean; readonly pool: FoundForeignPool }[]): readonly FoundForeignPool[] {
  const sure = engines.filter(({ isSure }) => isSure).map(({ pool }) => pool);
  const smallest = sure.reduce<FoundForeignPool | undefined>(
    (best, each) => (best && best.size.low <= each.size.low ? best : each),
    undefined,
  );
  return engines.map(({ pool }) => (pool === smallest ? pool : { ...pool, size: { ...pool.size, low: 0 } }));
}

interface Engine {
  readonly text: Text;
  readonly place: Place;
  readonly url: Written | undefined;
  readonly named: ReadonlyMap<string, Written>;
  /** More arguments come from elsewhere. */
  readonly isOpen: boolean;
  /** It is made when its module is loaded. */
  readonly isOfModule: boolean;
}

interface Written {
  readonly source: string;
  readonly place: Place;
}

function enginesIn(text: Text): readonly Engine[] {
  return [...text.content.matchAll(/^[^#\n]*?\bcreate_(?:async_)?engine[ \t]?\(/gm)].flatMap((match): readonly Engine[] => {
    const open = match.index + match[0].length;
    if (/\bdef[ \t]|\bimport[ \t]/.test(match[0])) return [];
    const parts = argumentsAt(text, open);
    if (!parts) return [];
    const named = new Map<string, Written>();
    const positional: Written[] = [];
    for (const part of parts) {
      const [whole, name] = /^(\w+)[ \t]*=(?!=)[ \t\n]*/.exec(part.source) ?? [];
      if (name === undefined || whole === undefined) positional.push(part);
      else named.set(name, { source: part.source.slice(whole.length), place: part.place });
    }
    const start = text.content.lastIndexOf('create_', open);
    return [
      {
        text,
        place: placeOf(text, { start, end: open - 1 }),
        url: positional.find(({ source }) => !source.startsWith('*')) ?? named.get('url'),
        named,
        isOpen: positional.some(({ source }) => source.startsWith('*')),
        isOfModule: /^\S/.test(match[0]),
      },
    ];
  });
}

const longestCall = 4000;

/** The arguments of a call, split at its commas; undefined when it does not end. */
function argumentsAt(text: Text, open: number): readonly Written[] | undefined {
  const parts: Written[] = [];
  let [depth, start, quote] = [0, open, ''];
  for (let at = open; at < Math.min(text.content.length, open + longestCall); at++) {
    const char = text.content[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '#') at = Math.max(at, text.content.indexOf('\n', at) - 1);
    else if ('([{'.includes(char)) depth++;
    else if (char === ',' && depth === 0) {
      parts.push(partOf(text, start, at));
      start = at + 1;
    } else if (')]}'.includes(char) && depth-- === 0) {
      return [...parts, partOf(text, start, at)].filter(({ source }) => source !== '');
    }
  }
  return undefined;
}

function partOf(text: Text, from: number, to: number): Written {
  const raw = text.content.slice(from, to);
  const source = raw.replace(/^(?:\s|#[^\n]*\n)+/, '').trimEnd();
  const start = from + raw.length - raw.replace(/^(?:\s|#[^\n]*\n)+/, '').length;
  return { source, place: placeOf(text, { start, end: start + source.length }) };
}

function poolOf({ text, place, url, named, isOpen }: Engine, texts: readonly Text[], { environment }: ForeignSources): FoundForeignPool {
  const read = (written: Written) => settingOf(written.source, written.place, text, texts, 0);
  const part = (name: keyof typeof sqlalchemyDefaults): Known => {
    const given = named.get(name);
    const byDefault = defaulted(sqlalchemyDefaults[name], `${name} is not set: ${sqlalchemyDefaults[name]}`, place);
    return sizeSet(given && read(given), environment, byDefault, name === 'max_overflow' ? 0 : 1);
  };
  const isOther = isOpen || named.has('poolclass') || named.has('pool') || named.has('creator');
  return {
    name: 'the engine of SQLAlchemy',
    place,
    size: isOther ? assumed(1, Infinity, 'how it pools is not known', place) : sum([part('pool_size'), part('max_overflow')]),
    address: url && addressBehind(read(url), environment),
  };
}

const deepest = 4;

/** What a plain expression of Python is: a literal, a variable of the environment, a constant of the module, a field of pydantic's settings. */
function settingOf(source: string, place: Place, text: Text, texts: readonly Text[], depth: number): Setting {
  const unknown: Setting = { kind: 'unknown', place };
  const inner = (part: string) => settingOf(part.trim(), place, text, texts, depth + 1);
  if (depth > deepest || source.length > 300) return unknown;
  const literal = /^(?:(\d+)|(["'])([^"'\\{}]*)\2)$/.exec(source);
  if (literal) return { kind: 'literal', value: literal[1] === undefined ? (literal[3] ?? '') : Number(literal[1]), place };
  const wrapped = /^(?:int|str)\((.*)\)$/.exec(source);
  if (wrapped) return inner(wrapped[1] ?? '');
  const replaced = /^([^()]*(?:\([^()]*\))?)\.replace\((["'])postgres(?:ql)?:\/\/\2,[^()]*\)$/.exec(source);
  if (replaced) return inner(replaced[1] ?? '');
  const [, name, otherwise] = /^os\.(?:getenv|environ\.get)\(\s*["'](\w+)["']\s*(?:,\s*([^()]+))?\)$/.exec(source) ?? [];
  if (name !== undefined) {
    const first: Setting = { kind: 'env', name, place };
    return otherwise === undefined ? first : { kind: 'fallback', operator: '??', first, second: inner(otherwise), place };
  }
  const indexed = /^os\.environ\[\s*["'](\w+)["']\s*\]$/.exec(source)?.[1];
  if (indexed !== undefined) return { kind: 'env', name: indexed, place };
  if (/^\w+$/.test(source)) return constantOf(source, text, texts, depth) ?? unknown;
  const field = /^(?:\w*(?:settings|config)\w*(?:\(\))?)\.(\w+)$/i.exec(source)?.[1];
  return field === undefined ? unknown : (fieldOf(field, texts, depth) ?? unknown);
}

/** `NAME = …`, written once in a line of its own. */
function constantOf(name: string, text: Text, texts: readonly Text[], depth: number): Setting | undefined {
  const lines = [...text.content.matchAll(/^(\w+)(?:[ \t]*:[ \t]*\w+)?[ \t]*=[ \t]*([^\n#=][^\n#]*)$/gm)];
  const [only, ...others] = lines.filter((line) => line[1] === name);
  const value = only?.[2]?.trim();
  if (!only || value === undefined || others.length > 0) return undefined;
  const start = only.index + only[0].lastIndexOf(value);
  return settingOf(value, placeOf(text, { start, end: start + value.length }), text, texts, depth + 1);
}

/** A field of `BaseSettings` is the variable of its name. https://docs.pydantic.dev/latest/concepts/pydantic_settings/ */
function fieldOf(name: string, texts: readonly Text[], depth: number): Setting | undefined {
  const holders = texts.filter(({ content }) => content.includes('BaseSettings') && !/\benv_prefix\b/.test(content));
  const found = holders.flatMap((text) => {
    const lines = [...text.content.matchAll(/^[ \t]+(\w+)[ \t]*:[ \t]*[^=\n#]+(?:=[ \t]*([^\n#]+))?$/gm)];
    return lines.filter((line) => line[1] === name).map((line) => ({ text, line }));
  });
  const [only] = found;
  if (!only || found.length > 1) return undefined;
  const { text, line } = only;
  const place = placeOf(text, { start: line.index, end: line.index + line[0].length });
  const first: Setting = { kind: 'env', name: name.toUpperCase(), place };
  const value = line[2]?.trim();
  return value === undefined
    ? first
    : { kind: 'fallback', operator: '??', first, second: settingOf(value, place, text, texts, depth + 1), place };
}
