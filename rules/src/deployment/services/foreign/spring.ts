import { placeOf, type Place, textOf } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { entriesOf, get, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { assumed, defaulted } from '../../../known.ts';
import type { Project } from '../../../project.ts';
import { evaluate, type Environment, type Setting } from '../../../source/setting.ts';
import { valueIn } from '../../assigned.ts';
import { programName } from '../../command.ts';
import type { ForeignPool } from '../../model.ts';
import { folderOf, isWithin } from '../../paths.ts';
import { addressBehind, type ForeignSources, type FoundForeignPool, sizeSet } from './found.ts';

/** https://github.com/brettwooldridge/HikariCP#frequently-used: the pool of Spring Boot. */
const hikariDefault = 10;

const url = 'spring.datasource.url';
const size = 'spring.datasource.hikari.maximumpoolsize';

/** Elsewhere than in the files of the code something may be set: then only what variables say is known. */
const elsewhere = ['SPRING_CONFIG_LOCATION', 'SPRING_CONFIG_ADDITIONAL_LOCATION', 'SPRING_CONFIG_IMPORT', 'SPRING_APPLICATION_JSON'];

/** The pool of a Spring Boot application, as variables and the files of its configuration have it. */
export function springPools(sources: ForeignSources): readonly FoundForeignPool[] {
  const { environment } = sources;
  const fromVariables = variableSetting(url, environment);
  if (!fromVariables && !isJava(sources)) return [];
  const properties = propertiesOf(sources);
  const target = fromVariables ?? properties?.get(url);
  if (!target) return [];
  const pool = variableSetting(size, environment) ?? properties?.get(size);
  const isOther =
    properties?.has('spring.datasource.type') === true || variableSetting('spring.datasource.type', environment) !== undefined;
  const byDefault =
    properties && !isOther
      ? defaulted(hikariDefault, `maximum-pool-size is not set: ${hikariDefault}`, target.place)
      : assumed(1, Infinity, 'its size may be set where it is not seen', target.place);
  return [
    {
      name: 'the pool of Spring',
      place: target.place,
      size: sizeSet(isOther ? undefined : pool, environment, byDefault),
      address: addressBehind(target, environment),
      driver: jdbcDriver(target, environment),
    },
  ];
}

/** https://github.com/pgjdbc/pgjdbc: what its connections begin with, whatever they are told. */
const pgjdbc = { name: 'pgjdbc', sends: ['extra_float_digits'] };

function jdbcDriver(target: Setting, environment: Environment): ForeignPool['driver'] {
  const urls = evaluate(target, environment)?.map(({ value }) => String(value)) ?? [];
  return urls.length > 0 && urls.every((each) => each.startsWith('jdbc:postgresql:')) ? pgjdbc : undefined;
}

function isJava({ runs, base }: ForeignSources): boolean {
  return runs.some(({ program }) => programName(program) === 'java') || /(openjdk|temurin|corretto|jdk|jre|java|graalvm)/.test(base ?? '');
}

/** https://docs.spring.io/spring-boot/reference/features/external-config.html#features.external-config.typesafe-configuration-properties.relaxed-binding.environment-variables */
function variableSetting(name: string, environment: Environment): Setting | undefined {
  const names =
    name === size
      ? ['SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE', 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE']
      : [name.toUpperCase().replaceAll('.', '_')];
  const [found] = names.flatMap((each): readonly Setting[] => {
    const variable = environment(each);
    if (variable.state === 'set') return [placeholders(variable.value, variable.place)];
    return variable.state === 'unknown' && variable.place ? [{ kind: 'env', name: each, place: variable.place }] : [];
  });
  return found;
}

type Properties = ReadonlyMap<string, Setting>;

/** What the files of the code set, those of active profiles last; undefined when they are not known, or not all. */
function propertiesOf({ folder, project, environment }: ForeignSources): Properties | undefined {
  if (folder === undefined || elsewhere.some((name) => environment(name).state !== 'unset')) return undefined;
  const paths = project.list().filter((path) => isWithin(folder, path) && applicationFile.test(path));
  if (new Set(paths.map(folderOf)).size !== 1) return undefined;
  const profiles =
    valueIn(environment, 'SPRING_PROFILES_ACTIVE')
      ?.split(',')
      .map((each) => each.trim()) ?? [];
  if (environment('SPRING_PROFILES_ACTIVE').state === 'unknown') return undefined;
  const properties = new Map<string, Setting>();
  for (const profile of [undefined, ...profiles])
    for (const path of paths.filter((each) => applicationFile.exec(each)?.[1] === profile))
      for (const [name, setting] of read(path, project, profiles)) properties.set(name, setting);
  return properties;
}

const applicationFile = /(?:^|\/)src\/main\/resources\/(?:config\/)?application(?:-([\w.-]+))?\.(?:ya?ml|properties)$/;

function read(path: string, project: Project, profiles: readonly string[]): readonly (readonly [string, Setting])[] {
  const text = textOf(path, project.readText(path) ?? '');
  if (path.endsWith('.properties')) {
    return [...text.content.matchAll(/^[ \t]*([\w.-]{1,100})[ \t]*[=:][ \t]*(.*)$/gm)].map((line) => {
      const value = line[2]?.trim() ?? '';
      const start = line.index + line[0].indexOf(value, line[0].search(/[=:]/));
      return [canonical(line[1] ?? ''), placeholders(value, placeOf(text, { start, end: start + value.length }))] as const;
    });
  }
  return parseYaml(text).document.flatMap(({ root }) => {
    const on = stringOf(get(root, 'spring', 'config', 'activate', 'on-profile') ?? get(root, 'spring', 'profiles'));
    return on === undefined || profiles.includes(on) ? flattened(root, '', 0) : [];
  });
}

const deepest = 8;

function flattened(value: YamlValue, prefix: string, depth: number): readonly (readonly [string, Setting])[] {
  if (value.kind === 'map' && depth < deepest)
    return entriesOf(value).flatMap((entry) => flattened(entry.value, `${prefix}${canonical(entry.key.value)}.`, depth + 1));
  const text = stringOf(value);
  const place = placeOf(value.text, value.range);
  return [[prefix.slice(0, -1), text === undefined ? { kind: 'unknown', place } : placeholders(text, place)]];
}

/** `maximum-pool-size` and `maximumPoolSize` are one name. */
function canonical(name: string): string {
  return name.replaceAll('-', '').toLowerCase();
}

/** `${DB_HOST:localhost}` */
function placeholders(text: string, place: Place): Setting {
  const parts = text.split(/(\$\{[^{}]*\})/).filter((part) => part !== '');
  const settings = parts.map((part) => placeholder(part, place));
  const [only] = settings;
  return settings.length === 1 && only ? only : { kind: 'text', parts: settings, place };
}

function placeholder(part: string, place: Place): Setting {
  const [, name, otherwise] = /^\$\{([^:}]+)(?::(.*))?\}$/.exec(part) ?? [];
  if (name === undefined) return part.includes('${') ? { kind: 'unknown', place } : { kind: 'literal', value: part, place };
  const variable: Setting = { kind: 'env', name: name.toUpperCase().replaceAll('.', '_').replaceAll('-', ''), place };
  return otherwise === undefined
    ? variable
    : { kind: 'fallback', operator: '??', first: variable, second: { kind: 'literal', value: otherwise, place }, place };
}
