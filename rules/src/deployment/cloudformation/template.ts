import { placeOf, type Place, slice } from '@poolcheck/parsers/text';
import { entriesOf, get, isAbsent, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { unknownPart } from '../stack.ts';

/** One resource of a CloudFormation template. */
export interface Resource {
  readonly name: string;
  readonly type: string;
  readonly properties: YamlValue | undefined;
  readonly at: Place;
}

/** A template, or the resources of a serverless.yml. */
export interface Template {
  readonly resources: readonly Resource[];
  /** A text with what it refers to; what is not known of it is {@link unknownPart}, undefined: nothing is. */
  textOf(value: YamlValue | undefined): string | undefined;
  /** The resource that `!Ref` names. */
  referred(value: YamlValue | undefined): Resource | undefined;
}

export function readTemplate(root: YamlValue): Template {
  const resources = entriesOf(get(root, 'Resources')).flatMap(({ key, value }): readonly Resource[] => {
    const type = stringOf(get(value, 'Type'));
    return type === undefined ? [] : [{ name: key.value, type, properties: get(value, 'Properties'), at: placeOf(value.text, key.range) }];
  });
  const parameter = (name: string) => stringOf(get(root, 'Parameters', name, 'Default'));
  /** `Db.Endpoint.Address` is taken for a host of that name. */
  const attribute = (name: string) => (/^\w+\.(Endpoint|ReadEndpoint)\.Address$/.test(name) ? name : portIn(name));
  function portIn(name: string): string | undefined {
    const owner = /^(\w+)\.Endpoint\.Port$/.exec(name)?.[1];
    const resource = resources.find((each) => each.name === owner);
    return resource && (stringOf(get(resource.properties, 'Port')) ?? (/mysql|maria/.test(engineOf(resource)) ? '3306' : '5432'));
  }
  const filled = (text: string) =>
    text.replace(/\$\{!?([\w.:]+)\}/g, (_, name: string) => attribute(name) ?? parameter(name) ?? unknownPart);
  function textOf(value: YamlValue | undefined): string | undefined {
    if (!value || isAbsent(value)) return undefined;
    const text = stringOf(value);
    // What serverless.yml fills in: `${ssm:/db/password}`.
    if (text !== undefined) return text.replace(/\$\{[^}]*\}/g, unknownPart);
    const { name, of } = intrinsicIn(value) ?? {};
    if (name === 'Ref' && of !== undefined) return parameter(of);
    if (name === 'GetAtt' && of !== undefined) return attribute(of);
    return name === 'Sub' && of !== undefined ? filled(of) : undefined;
  }
  return {
    resources,
    textOf,
    referred(value) {
      const intrinsic = value && intrinsicIn(value);
      return intrinsic?.name === 'Ref' ? resources.find(({ name }) => name === intrinsic.of) : undefined;
    },
  };
}

/** `!Ref X`, `Ref: X`, `!GetAtt X.Y`, `Fn::GetAtt: [X, Y]`, `!Sub '…'` */
function intrinsicIn(value: YamlValue): { readonly name: string; readonly of: string } | undefined {
  if (value.kind === 'unknown') {
    const { text, range } = value;
    const name = /!(Ref|GetAtt|Sub)\s+$/.exec(slice(text, { start: Math.max(0, range.start - 20), end: range.start }))?.[1];
    const of = /^(["']?)([^"'\n]*)\1$/.exec(slice(text, range).trim())?.[2];
    return name === undefined || of === undefined ? undefined : { name, of };
  }
  const [entry] = entriesOf(value);
  const name = entry && /^(?:Fn::)?(Ref|GetAtt|Sub)$/.exec(entry.key.value)?.[1];
  const of = entry && (stringOf(entry.value) ?? itemsOf(entry.value).map(stringOf).join('.'));
  return name === undefined || !of ? undefined : { name, of };
}

export function engineOf({ properties }: Resource): string {
  return stringOf(get(properties, 'Engine')) ?? '';
}
