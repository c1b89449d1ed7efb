import type { Place } from '@poolcheck/parsers/text';
import { entriesOf, get, isAbsent, itemsOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { keyName, placeOfNode } from '../../source/module.ts';
import type { Setting } from '../../source/setting.ts';
import { settingOf } from '../../source/settings.ts';
import type { Sited } from '../../source/value.ts';
import type { Values } from '../../source/values.ts';

/** A value of a configuration that may be written as a program: what can be read of it without running it. */
export interface WrittenData {
  readonly at: Place;
  /** It is an object, an array, or one value; `unknown`: it is made by something that is not followed. */
  readonly kind: 'object' | 'array' | 'value' | 'unknown';
  readonly setting: Setting;
  /** undefined: it is not in the object. */
  get(name: string): WrittenData | undefined;
  /** The properties that an object writes out itself. */
  entries(): readonly (readonly [name: string, value: WrittenData])[];
  /** The elements of an array. */
  items(): readonly WrittenData[];
}

export function dataInYaml(value: YamlValue): WrittenData {
  const at: Place = { text: value.text, range: value.range };
  return {
    at,
    kind: value.kind === 'map' ? 'object' : value.kind === 'sequence' ? 'array' : value.kind === 'scalar' ? 'value' : 'unknown',
    setting: settingOfYaml(value, at),
    get(name) {
      const found = get(value, name);
      return found && !isAbsent(found) ? dataInYaml(found) : undefined;
    },
    entries: () => entriesOf(value).map(({ key, value: inner }) => [key.value, dataInYaml(inner)] as const),
    items: () => itemsOf(value).map(dataInYaml),
  };
}

function settingOfYaml(value: YamlValue, place: Place): Setting {
  if (value.kind !== 'scalar') return { kind: 'unknown', place };
  const isNumber = value.style === 'plain' && /^-?\d+(\.\d+)?$/.test(value.value);
  return { kind: 'literal', value: isNumber ? Number(value.value) : value.value, place };
}

export function dataInSource({ node, module }: Sited, values: Values): WrittenData {
  const found = values.follow(node, module);
  const at = placeOfNode(found.module, found.node);
  const unknown: WrittenData = {
    at,
    kind: 'unknown',
    setting: { kind: 'unknown', place: at },
    get: () => unknown,
    entries: () => [],
    items: () => [],
  };
  const inner = (child: Sited) => dataInSource(child, values);
  const object = values.object(found.node, found.module);
  if (object) {
    return {
      ...unknown,
      kind: 'object',
      get(name) {
        const property = values.property(object, name);
        return property === 'unknown' ? unknown : property && inner(property);
      },
      entries: () =>
        object.node.properties.flatMap((property) => {
          const name = property.type === 'Property' ? keyName(property) : undefined;
          return property.type === 'Property' && name !== undefined
            ? [[name, inner({ node: property.value, module: object.module })] as const]
            : [];
        }),
    };
  }
  if (found.node.type === 'ArrayExpression') {
    const { elements } = found.node;
    return {
      ...unknown,
      kind: 'array',
      items: () =>
        elements.map((element) =>
          !element || element.type === 'SpreadElement' ? unknown : inner({ node: element, module: found.module }),
        ),
    };
  }
  const setting = settingOf(node, module, values);
  return { ...unknown, kind: setting.kind === 'unknown' ? 'unknown' : 'value', setting, get: () => undefined };
}
