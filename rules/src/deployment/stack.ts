import type { PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import type { Word } from '@poolcheck/parsers/shell/words';
import type { Place, Text } from '@poolcheck/parsers/text';
import type { DeclaredDatabase } from '../declared.ts';
import type { ImageReference } from '../knowledge/images.ts';
import type { Vocabulary } from '../knowledge/vocabulary.ts';
import type { Known } from '../known.ts';
import type { Environment } from '../source/setting.ts';
import type { Given, GivenName, Proxying, ProxySoftware, Scale } from './model.ts';

/** What one set of manifests, or one compose project, starts together. */
export interface Stack {
  /** The folder or file that draws it, root-relative. */
  readonly name: string;
  readonly workloads: readonly Workload[];
  /** Everything that draws it was read: nothing else runs in it. */
  readonly complete: boolean;
  /** How requests come in from outside. */
  readonly entrances?: readonly Entrance[];
  /** What is given by name to what runs outside of it. */
  readonly given?: readonly Given[];
  /** Databases that a provider runs for it. */
  readonly managed?: readonly DeclaredDatabase[];
  /** What answers at a host and port, seen from a workload; undefined when that is outside the stack or not known. */
  resolve(host: string, port: number | undefined, from: Workload): Endpoint | undefined;
}

/** What passes requests on to a container from outside: an Ingress, as its controller carries it out. */
export interface Entrance extends Proxying {
  readonly software: ProxySoftware;
  readonly at: Place;
  readonly endpoint: Endpoint;
  /** As it is asked for: that of a Service. */
  readonly port: number;
}

export interface Endpoint {
  readonly workload: Workload;
  readonly container: Container;
}

/** A Deployment, StatefulSet, Job … or a compose service. */
export interface Workload extends Scale {
  readonly name: string;
  readonly at: Place;
  readonly containers: readonly Container[];
  /** Each instance handles one request at a time, and may be frozen after it (AWS Lambda). */
  readonly isFunction?: boolean;
  /** Those that run before them, one after the other, and end. */
  readonly initContainers?: readonly Container[];
}

export interface Container {
  readonly name: string;
  readonly at: Place;
  readonly image: (Place & { readonly reference: ImageReference }) | undefined;
  /** The image is built from this folder of the project (compose). */
  readonly build: Build | undefined;
  /** What replaces the image's ENTRYPOINT; then its CMD is dropped too. */
  readonly entrypoint: readonly Word[] | undefined;
  /** What replaces the image's CMD. */
  readonly command: readonly Word[] | undefined;
  /** Where it starts, absolute, when that is not left to the image. */
  readonly workdir?: string | undefined;
  readonly environment: Environment;
  /** The variables that are written for it alone, or what else it is given by name. */
  readonly variables: readonly GivenName[];
  readonly ports: readonly ContainerPort[];
  readonly mounts: readonly Mount[];
  /** How many files and sockets each of its processes may have open. Absent: left to the machine. */
  readonly descriptors?: Known | undefined;
  /** What ends it is a SIGTERM alone: no hook, and no signal of its own. Absent: not known. */
  readonly endsBySigterm?: boolean;
  /** The PgBouncer that an operator runs here. */
  readonly operated?: OperatedPooler;
}

/** What an operator makes of a manifest for a PgBouncer. */
export interface OperatedPooler {
  readonly document: PgbouncerDocument;
  /** What it leaves out is set where the operator itself is configured. */
  readonly assumed: boolean;
  /** What the operator takes. */
  readonly vocabulary?: Vocabulary;
}

export interface Build {
  /** Root-relative; `` is the root. */
  readonly context: string;
  /** Root-relative. */
  readonly dockerfile: string;
  readonly target: string | undefined;
}

export interface ContainerPort {
  readonly number: number;
  readonly name: string | undefined;
}

/** A file or folder put into a container. */
export interface Mount {
  /** Absolute, in the container. */
  readonly path: string;
  /** The files below the path (`` when it is one file itself); undefined when nobody can say what is in it. */
  readonly files: MountedFiles | undefined;
  /** What of the project it is, root-relative, when it is that as a whole. */
  readonly source?: string | undefined;
}

export interface MountedFiles {
  list(): readonly string[];
  read(path: string): Text | undefined;
}

/** Stands for the unknown part of a value that is known otherwise (a password from a Secret inside a URL). */
export const unknownPart = '\0';

/** What stands at a path of a container: a text, `unknown` when something mounted there cannot be read, undefined when nothing is. */
export function fileAt(container: Container, path: string): Text | 'unknown' | undefined {
  const mount = mountOf(container, path);
  if (!mount) return undefined;
  return mount.files ? mount.files.read(path.slice(folderPath(mount.path).length)) : 'unknown';
}

/** What is mounted over a path, the nearest of it. */
export function mountOf({ mounts }: Container, path: string): Mount | undefined {
  return mounts
    .filter((each) => path === each.path || path.startsWith(folderPath(each.path)))
    .reduce<Mount | undefined>((best, each) => (best && best.path.length >= each.path.length ? best : each), undefined);
}

function folderPath(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
