import { slice, type Place } from '@poolcheck/parsers/text';
import { assumed, defaulted, written, type Known } from '../../../known.ts';
import type { TimeLimit, WrittenNumber } from '../../../source/limits/time-limit.ts';
import type { Proxying } from '../../model.ts';
import type { Manifest } from '../manifest.ts';
import type { Settings, Told } from '../told.ts';

/** A backend of an Ingress as its controller sees it. */
export interface Handled {
  /** Where the Ingress names the service. */
  readonly at: Place;
  readonly annotations: Settings;
  /** Those of the service. */
  readonly ofService: Settings;
  /** What is configured for all Ingresses. */
  readonly config: Settings;
  /** That configuration is in the project. */
  readonly isConfigured: boolean;
  /** `port` of the service. */
  readonly port: number;
  readonly manifests: readonly Manifest[];
}

/** What a controller does with the requests for a backend. */
export type Handling = (handled: Handled) => Proxying;

/** A time for which idle connections are kept, in seconds as it is told or by default. `isSure`: nothing outside of the project says otherwise. */
export function idleTime(name: string, told: Told, byDefault: number, at: Place, isSure: boolean): Known | undefined {
  if (told === 'unknown') return undefined;
  if (told) return written(Number(told.value) * 1000, `${name} is ${told.value} s`, told.at);
  const milliseconds = byDefault * 1000;
  const kept = `idle connections are kept for ${byDefault} s`;
  return isSure
    ? defaulted(milliseconds, `${name} is not set: ${kept}`, at)
    : assumed(milliseconds, milliseconds, `${name} is not set in the project: by default ${kept}`, at);
}

/** A time after which an answer is waited for no more, in seconds as it is told or by default. */
export function answerTime(name: string, told: Told, byDefault: number, at: Place): TimeLimit | undefined {
  if (told === 'unknown') return undefined;
  const milliseconds = Number(told?.value ?? byDefault) * 1000;
  return { milliseconds, of: name, place: told?.at ?? at, number: told && numberIn(told.at, told.value) };
}

/** Where nothing but the number stands, perhaps in quotes. */
export function numberIn(place: Place, value: string, after = ''): WrittenNumber | undefined {
  const [, before, written] = /^(["']?)(.*)\1$/s.exec(slice(place.text, place.range)) ?? [];
  return written === value && before !== undefined ? { place, unit: 's', before, after: after + before } : undefined;
}
