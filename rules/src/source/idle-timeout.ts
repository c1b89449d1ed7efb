import { httpServerDefault, type HttpServerDefault } from '../knowledge/node-http.ts';
import { defaulted, weakest, written, type Known } from '../known.ts';
import type { HttpServer } from './servers.ts';
import { evaluate, type Environment, type Outcome } from './setting.ts';

/** `keepAliveTimeout` of a server in an environment, ms; Infinity: it closes no idle connection. undefined: it cannot be told. */
export function keepAliveTimeoutOf(server: HttpServer, environment: Environment): Known | undefined {
  const byDefault = httpServerDefault(server.framework);
  if (!byDefault) return undefined;
  if (!server.keepAliveTimeout) return server.complete ? defaultOf(byDefault, server) : undefined;
  const values = evaluate(server.keepAliveTimeout, environment)?.map((outcome) => meaning(outcome, byDefault, server));
  return values?.every((value) => value !== undefined) ? anyOf(values) : undefined;
}

function meaning({ value, places }: Outcome, byDefault: HttpServerDefault, server: HttpServer): Known | undefined {
  if (value === 0 && byDefault.zeroIsDefault) return defaultOf(byDefault, server);
  const [place] = places;
  if (typeof value !== 'number' || !(value >= 0) || !place) return undefined;
  return written(value === 0 ? Infinity : value, `keepAliveTimeout is ${value} ms`, place);
}

function defaultOf({ keepAliveTimeout: [low, high], owner }: HttpServerDefault, { place }: HttpServer): Known {
  return { ...defaulted(low, `keepAliveTimeout is not set: ${owner}'s default holds`, place), high };
}

function anyOf(values: readonly Known[]): Known | undefined {
  if (values.length === 0) return undefined;
  return {
    low: Math.min(...values.map(({ low }) => low)),
    high: Math.max(...values.map(({ high }) => high)),
    source: weakest(values.map(({ source }) => source)),
    evidence: values.flatMap(({ evidence }) => evidence),
  };
}
