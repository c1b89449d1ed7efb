import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from 'vitest';

/** PostgreSQL and PgBouncer refuse to run as root: a root shell starts everything as `nobody`. */
const user = process.getuid?.() === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : {};

function idOfNobody(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'nobody']));
}

/** Where a program is installed. A proof without its program has proved nothing, so a missing one is an error. */
export function installed(program: string, debianPackage: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', ...postgresFolders()];
  const found = folders.map((folder) => path.join(folder, program)).find(existsSync);
  if (!found) throw new Error(`${program} is not installed, and the proofs need it: apt-get install ${debianPackage}`);
  return found;
}

function postgresFolders(): string[] {
  const versions = '/usr/lib/postgresql';
  return existsSync(versions) ? readdirSync(versions).map((version) => path.join(versions, version, 'bin')) : [];
}

/** A folder of the servers' user that is gone when the test file is over. */
export function privateFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'poolcheck-proof-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A port below the ephemeral ones, so that no outgoing connection can take it before its server does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_768);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
      return port;
    } catch {
      continue;
    } finally {
      probe.close();
    }
  }
}

/** Runs a program to its end as the servers' user. */
export function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { ...user, cwd: '/', stdio: 'pipe' });
}

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** Rejects as long as it does not answer yet. */
  readonly answers: () => Promise<void>;
  /** The signal on which it ends at once. */
  readonly stop: NodeJS.Signals;
}

const PATIENCE = 30_000;

/** Starts a server, waits until it answers, and ends it when the test file is over, or when this process dies before. */
export async function launch({ program, args, answers, stop }: Launch): Promise<void> {
  const setpriv = installed('setpriv', 'util-linux');
  const child = spawn(setpriv, [`--pdeathsig=${stop.slice('SIG'.length)}`, program, ...args], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const exited = once(child, 'exit');
  afterAll(async () => {
    child.kill(stop);
    await exited;
  });
  try {
    await untilAnswering(child, answers);
  } catch (error) {
    throw new Error(`${program} does not answer:\n${said.join('')}`, { cause: error });
  }
}

async function untilAnswering(child: ChildProcess, answers: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    try {
      await answers();
      return;
    } catch (error) {
      const ended = child.exitCode !== null || child.signalCode !== null;
      if (ended || Date.now() > deadline) throw error;
      await delay(10);
    }
  }
}

/** Resolves when something listens on the port. */
export async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
