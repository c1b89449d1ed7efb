import { placeOf, type Place } from '@poolcheck/parsers/text';
import { entriesOf, get, itemsOf, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import {
  googleLoadBalancer,
  ingressControllers,
  nginxInc,
  otherIngressClasses,
  type ControllerName,
  type IngressController,
} from '../../knowledge/ingress-controllers.ts';
import type { Entrance } from '../stack.ts';
import { byAwsLoadBalancer } from './ingresses/aws.ts';
import { configsIn, type ControllerConfig } from './ingresses/configs.ts';
import { byGoogleLoadBalancer } from './ingresses/gke.ts';
import type { Handling } from './ingresses/handling.ts';
import { byIngressNginx } from './ingresses/ingress-nginx.ts';
import { asAnnotations, byNginxInc } from './ingresses/nginx-inc.ts';
import type { Manifest } from './manifest.ts';
import type { Network } from './network.ts';
import { agreed, noSettings, settingsIn, type Settings, valueOf } from './told.ts';

const handlings: Readonly<Record<ControllerName, Handling>> = {
  'ingress-nginx': byIngressNginx,
  'NGINX Ingress Controller': byNginxInc,
  'the AWS load balancer': byAwsLoadBalancer,
  "Google's load balancer": byGoogleLoadBalancer,
};

/** How requests come in by the Ingresses of a stack. `elsewhere`: what the rest of the project sets for controllers. */
export function entrancesOf(manifests: readonly Manifest[], network: Network, elsewhere: readonly ControllerConfig[]): readonly Entrance[] {
  const own = configsIn(manifests);
  const ingresses = manifests.filter(({ kind }) => kind === 'Ingress');
  const byIngress = ingresses.flatMap((ingress) => {
    const annotations = settingsIn(get(ingress.root, 'metadata', 'annotations'));
    return backendsOf(ingress.root).flatMap((backend): readonly Entrance[] => {
      const found = network.backend(backend.service, backend.port, ingress.namespace);
      if (!found) return [];
      const ofService = settingsIn(get(found.service.root, 'metadata', 'annotations'));
      const controller = controllerOf(ingress, annotations, ofService, manifests, [...own, ...elsewhere]);
      if (!controller) return [];
      const ofController = ({ controller: { name } }: ControllerConfig) => name === controller.name;
      const inStack = own.filter(ofController);
      const configs = inStack.length > 0 ? inStack : elsewhere.filter(ofController);
      const proxying = handlings[controller.name]({
        at: backend.at,
        annotations,
        ofService,
        config: agreed(configs.map(({ settings }) => settings)),
        isConfigured: configs.length > 0,
        port: found.port,
        manifests,
      });
      return [{ software: controller.name, at: backend.at, endpoint: found.endpoint, port: found.port, ...proxying }];
    });
  });
  return [...byIngress, ...virtualServers(manifests, network, [...own, ...elsewhere])];
}

/** What NGINX Ingress Controller has in the place of an Ingress: https://docs.nginx.com/nginx-ingress-controller/configuration/virtualserver-and-virtualserverroute-resources/ */
function virtualServers(manifests: readonly Manifest[], network: Network, configs: readonly ControllerConfig[]): readonly Entrance[] {
  const ofController = configs.filter(({ controller }) => controller === nginxInc).map(({ settings }) => settings);
  return manifests.flatMap(({ kind, namespace, root }) => {
    if (kind !== 'VirtualServer' && kind !== 'VirtualServerRoute') return [];
    return itemsOf(get(root, 'spec', 'upstreams')).flatMap((upstream): readonly Entrance[] => {
      const [name, port] = [get(upstream, 'service'), numberOf(get(upstream, 'port'))];
      const service = stringOf(name);
      const found = service !== undefined && port !== undefined ? network.backend(service, port, namespace) : undefined;
      if (!name || !found || stringOf(get(upstream, 'type')) === 'grpc') return [];
      const at = placeOf(name.text, name.range);
      const proxying = byNginxInc({
        at,
        annotations: asAnnotations(settingsIn(upstream)),
        ofService: noSettings,
        config: agreed(ofController),
        isConfigured: ofController.length > 0,
        port: found.port,
        manifests,
      });
      return [{ software: nginxInc.name, at, endpoint: found.endpoint, port: found.port, ...proxying }];
    });
  });
}

/** By its class, by the annotations that it has, or because no other is there. */
function controllerOf(
  { root }: Manifest,
  annotations: Settings,
  ofService: Settings,
  manifests: readonly Manifest[],
  configs: readonly ControllerConfig[],
): IngressController | undefined {
  const className = stringOf(get(root, 'spec', 'ingressClassName')) ?? valueOf(annotations('kubernetes.io/ingress.class'));
  const ofClass = manifests.find(({ kind, name }) => kind === 'IngressClass' && name === className);
  if (ofClass) {
    const declared = stringOf(get(ofClass.root, 'spec', 'controller'));
    return ingressControllers.find(({ controller }) => controller === declared);
  }
  if (className !== undefined && otherIngressClasses.test(className)) return undefined;
  const byClass = ingressControllers.find(({ classes }) => className !== undefined && classes.includes(className));
  if (byClass) return byClass;
  const keys = entriesOf(get(root, 'metadata', 'annotations')).map(({ key }) => key.value);
  const annotated = ingressControllers.filter(({ prefixes }) => prefixes.some((prefix) => keys.some((key) => key.startsWith(prefix))));
  if (annotated.length > 0) return annotated.length === 1 ? annotated[0] : undefined;
  if (className === undefined) return ofService('cloud.google.com/backend-config') ? googleLoadBalancer : undefined;
  const configured = new Set(configs.map(({ controller }) => controller));
  return className === 'nginx' && configured.size === 1 ? [...configured][0] : undefined;
}

interface Backend {
  readonly at: Place;
  readonly service: string;
  /** Its number, or its name. */
  readonly port: number | string;
}

function backendsOf(root: YamlValue): readonly Backend[] {
  const paths = itemsOf(get(root, 'spec', 'rules')).flatMap((rule) => itemsOf(get(rule, 'http', 'paths')));
  const backends = [get(root, 'spec', 'defaultBackend'), get(root, 'spec', 'backend'), ...paths.map((path) => get(path, 'backend'))];
  return backends.flatMap((backend) => backendIn(backend) ?? []);
}

/** Also as it was before networking.k8s.io/v1. */
function backendIn(backend: YamlValue | undefined): Backend | undefined {
  const name = get(backend, 'service', 'name') ?? get(backend, 'serviceName');
  const number = get(backend, 'service', 'port', 'number') ?? get(backend, 'servicePort');
  const service = stringOf(name);
  const port = numberOf(number) ?? stringOf(get(backend, 'service', 'port', 'name') ?? number);
  return name && service !== undefined && port !== undefined ? { at: placeOf(name.text, name.range), service, port } : undefined;
}
