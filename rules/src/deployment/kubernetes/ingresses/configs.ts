import { get, itemsOf, stringOf, entriesOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import {
  ingressNginx,
  ingressNginxConfigMaps,
  ingressNginxKey,
  nginxInc,
  nginxIncConfigMaps,
} from '../../../knowledge/ingress-controllers.ts';
import type { IngressController } from '../../../knowledge/ingress-controllers.ts';
import type { Manifest } from '../manifest.ts';
import { type Settings, settingsIn } from '../told.ts';

/** What is set for all Ingresses of a controller. */
export interface ControllerConfig {
  readonly controller: IngressController;
  readonly settings: Settings;
  /** Where they stand. */
  readonly data: YamlValue | undefined;
}

export function configsIn(manifests: readonly Manifest[]): readonly ControllerConfig[] {
  const named = configMapsNamed(manifests);
  return manifests.flatMap((manifest) => [...configMap(manifest, named), ...release(manifest)]);
}

/** The ConfigMaps that controllers are told to read: `--configmap=$(POD_NAMESPACE)/name`, `-nginx-configmaps=…`. */
function configMapsNamed(manifests: readonly Manifest[]): ReadonlyMap<string, IngressController> {
  const found = new Map<string, IngressController>();
  for (const { kind, root } of manifests) {
    if (kind !== 'Deployment' && kind !== 'DaemonSet') continue;
    for (const container of itemsOf(get(root, 'spec', 'template', 'spec', 'containers'))) {
      for (const argument of itemsOf(get(container, 'args'))) {
        const [, option, name] = /^--?(configmap|nginx-configmaps)=(?:[^/]*\/)?([\w.-]+)$/.exec(stringOf(argument) ?? '') ?? [];
        if (name !== undefined) found.set(name, option === 'configmap' ? ingressNginx : nginxInc);
      }
    }
  }
  return found;
}

function configMap({ kind, name, root }: Manifest, named: ReadonlyMap<string, IngressController>): readonly ControllerConfig[] {
  if (kind !== 'ConfigMap') return [];
  const data = get(root, 'data');
  const label = stringOf(get(root, 'metadata', 'labels', 'app.kubernetes.io/name'));
  const isIngressNginx = ingressNginxConfigMaps.has(name) || label === 'ingress-nginx' || hasOwnKey(data);
  const controller =
    named.get(name) ?? (isIngressNginx ? ingressNginx : nginxIncConfigMaps.has(name) && label === 'nginx-ingress' ? nginxInc : undefined);
  return controller ? [{ controller, settings: settingsIn(data), data }] : [];
}

function hasOwnKey(data: YamlValue | undefined): boolean {
  return entriesOf(data).some(({ key }) => ingressNginxKey.test(key.value));
}

/** A release of the chart, as Flux and Argo CD have it. */
function release({ kind, root }: Manifest): readonly ControllerConfig[] {
  if (kind === 'HelmRelease')
    return stringOf(get(root, 'spec', 'chart', 'spec', 'chart')) === 'ingress-nginx' ? chart(get(root, 'spec', 'values')) : [];
  if (kind !== 'Application') return [];
  const sources = [get(root, 'spec', 'source'), ...itemsOf(get(root, 'spec', 'sources'))];
  return sources.flatMap((source) =>
    stringOf(get(source, 'chart')) === 'ingress-nginx' ? chart(get(source, 'helm', 'valuesObject')) : [],
  );
}

function chart(values: YamlValue | undefined): readonly ControllerConfig[] {
  const data = get(values, 'controller', 'config');
  return values ? [{ controller: ingressNginx, settings: settingsIn(data), data }] : [];
}

/** The values of the chart of ingress-nginx, or of one that it is a part of. */
export function configOfValues(values: YamlValue): readonly ControllerConfig[] {
  const part = get(values, 'ingress-nginx');
  if (part?.kind === 'map') return chart(part);
  return hasOwnKey(get(values, 'controller', 'config')) ? chart(values) : [];
}
