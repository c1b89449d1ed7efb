import { placeOf, type Place, textOf } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { assumed, defaulted } from '../../../known.ts';
import type { Setting } from '../../../source/setting.ts';
import { valueIn } from '../../assigned.ts';
import { programName } from '../../command.ts';
import { joinPath } from '../../paths.ts';
import type { PoolAddress } from '../addresses.ts';
import { withoutLanguageRunner } from '../told-settings.ts';
import { addressBehind, type ForeignSources, type FoundForeignPool, sizeSet } from './found.ts';

/** https://api.rubyonrails.org/classes/ActiveRecord/ConnectionAdapters/ConnectionPool.html */
const poolDefault = 5;

const programs = /^(rails|puma|unicorn|unicorn_rails|sidekiq|rake|thrust|foreman|ruby|bundle)$/;

/** The pool of Active Record, as config/database.yml has it; DATABASE_URL says where it leads above that. https://guides.rubyonrails.org/configuring.html#configuring-a-database */
export function railsPools({ folder, runs, environment, project }: ForeignSources): readonly FoundForeignPool[] {
  const isRuby = runs.some(
    ({ program }) => programs.test(programName(withoutLanguageRunner(program))) || programName(program) === 'bundle',
  );
  const path = folder === undefined || !isRuby ? undefined : joinPath(folder, 'config/database.yml');
  const content = path === undefined ? undefined : project.readText(path);
  const name = valueIn(environment, 'RAILS_ENV') ?? valueIn(environment, 'RACK_ENV') ?? 'development';
  const root = path === undefined || content === undefined ? undefined : parseYaml(textOf(path, content)).document[0]?.root;
  const section = get(root, name);
  const config = isAbsent(get(section, 'primary')) ? section : get(section, 'primary');
  if (!config || config.kind !== 'map') return [];
  const place = placeOf(config.text, config.range);
  const field = (...names: readonly string[]) => {
    const value = names.map((each) => get(config, each)).find((each) => !isAbsent(each));
    return value && settingOf(value);
  };
  const url = environment('DATABASE_URL').state === 'unset' ? field('url') : ({ kind: 'env', name: 'DATABASE_URL', place } as const);
  const address = url ? addressBehind(url, environment) : addressOf(field('host'), field('port'), field('adapter'), place, environment);
  const given = address?.parameters.get('pool');
  const pool: Setting | undefined = given === undefined ? field('pool', 'max_connections') : { kind: 'literal', value: given, place };
  const byDefault =
    config.entries.length > 0
      ? defaulted(poolDefault, `pool is not set: ${poolDefault}`, place)
      : assumed(1, Infinity, 'its size is not known', place);
  return [{ name: 'the pool of Active Record', place, size: sizeSet(pool, environment, byDefault), address }];
}

function addressOf(
  host: Setting | undefined,
  port: Setting | undefined,
  adapter: Setting | undefined,
  place: Place,
  environment: ForeignSources['environment'],
): PoolAddress | undefined {
  if (!host) return undefined;
  const literal = (value: string): Setting => ({ kind: 'literal', value, place });
  const scheme: Setting =
    adapter?.kind === 'literal' && /mysql|trilogy/.test(String(adapter.value)) ? literal('mysql://') : literal('postgresql://');
  const parts = [scheme, host, ...(port ? [literal(':'), port] : [])];
  return addressBehind({ kind: 'text', parts, place: host.place }, environment);
}

/** A scalar, or the one value of Ruby that stands in it. */
function settingOf(value: YamlValue): Setting {
  const place = placeOf(value.text, value.range);
  const text = stringOf(value);
  if (text === undefined) return { kind: 'unknown', place };
  const inner = /^<%=([^]*)%>$/.exec(text)?.[1]?.trim();
  if (inner === undefined) return text.includes('<%') ? { kind: 'unknown', place } : { kind: 'literal', value: text, place };
  const [, name, otherwise] =
    /^(?:Integer\()?ENV(?:\.fetch\(|\[)[ \t]?["'](\w+)["'](?:[ \t]?[\])])?(?:[ \t]?(?:\|\||,|\{)[ \t]?["']?([\w.-]*)["']?[ \t]?[)}]?)?(?:\.to_i)?\)?$/.exec(
      inner,
    ) ?? [];
  if (name === undefined) return { kind: 'unknown', place };
  const variable: Setting = { kind: 'env', name, place };
  if (otherwise === undefined) return variable;
  return { kind: 'fallback', operator: '??', first: variable, second: { kind: 'literal', value: otherwise, place }, place };
}
