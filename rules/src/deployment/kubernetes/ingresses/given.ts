import { placeOf } from '@poolcheck/parsers/text';
import { entriesOf, get, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import {
  awsAnnotations,
  ingressNginxAnnotations,
  ingressNginxConfigMap,
  type IngressVocabulary,
} from '../../../knowledge/ingress-vocabulary.ts';
import { ingressNginx } from '../../../knowledge/ingress-controllers.ts';
import type { Given } from '../../model.ts';
import { isFilledLater, type Manifest } from '../manifest.ts';
import { configsIn } from './configs.ts';

/** What the controllers of Ingresses are given by name: annotations, and what is set for all. */
export function givenToControllers(manifests: readonly Manifest[]): readonly Given[] {
  const ingresses = manifests.filter(({ kind }) => kind === 'Ingress').map(({ root }) => get(root, 'metadata', 'annotations'));
  const configs = configsIn(manifests).filter(({ controller }) => controller === ingressNginx);
  return [
    ...ingresses.flatMap((annotations) => [givenIn(annotations, ingressNginxAnnotations), givenIn(annotations, awsAnnotations)]),
    ...configs.map(({ data }) => givenIn(data, ingressNginxConfigMap)),
  ];
}

function givenIn(map: YamlValue | undefined, { reader, judge }: IngressVocabulary): Given {
  const entries = entriesOf(map);
  const values = new Map(entries.map(({ key, value }) => [key.value, stringOf(value)]));
  return {
    vocabulary: {
      reader,
      judge: (name) => {
        const value = values.get(name);
        return judge(name, value === undefined || isFilledLater(value) ? undefined : value);
      },
    },
    names: entries.map(({ key, value }) => ({ name: key.value, at: placeOf(value.text, key.range) })),
    file: undefined,
  };
}
