import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { rolldown } from 'rolldown';
import type { Command } from './newer.ts';
import { accepts, freePort, installed, launch, privateFolder, run } from './process.ts';

type Settings = Readonly<Record<string, string | number>>;

export interface Postgres {
  /** As an ordinary role, the way an application connects. */
  readonly url: string;
  readonly superuserUrl: string;
  /** The same as a connection string of PgBouncer's `[databases]`. */
  readonly entry: string;
}

/** A PostgreSQL with an ordinary role and its database, both called `app`. Like every start here, call it at the top of a proof file. */
export async function startPostgres(settings: Settings = {}): Promise<Postgres> {
  const data = path.join(privateFolder(), 'data');
  run(installed('initdb', 'postgresql'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
  const port = await freePort();
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, fsync: 'off', ...settings };
  const server = `127.0.0.1:${port}`;
  await launch({
    program: installed('postgres', 'postgresql'),
    args: ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    answers: () => send(`postgres://postgres@${server}/postgres`),
    stop: 'SIGINT',
  });
  await send(`postgres://postgres@${server}/postgres`, 'CREATE ROLE app LOGIN', 'CREATE DATABASE app OWNER app');
  return {
    url: `postgres://app@${server}/app`,
    superuserUrl: `postgres://postgres@${server}/app`,
    entry: `host=127.0.0.1 port=${port} dbname=app user=app`,
  };
}

async function send(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** A PgBouncer in transaction mode; `databases` are the lines of that section. Returns the URL of one of them. */
export async function startPgBouncer(
  databases: Settings,
  settings: Settings = {},
  [program, ...args]: Command = [installed('pgbouncer', 'pgbouncer')],
): Promise<(database: string) => string> {
  const folder = privateFolder();
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', pool_mode: 'transaction', ...settings };
  writeFileSync(file, `[databases]\n${lines(databases)}\n[pgbouncer]\n${lines(all)}\n`);
  await launch({ program, args: [...args, file], answers: () => accepts(port), stop: 'SIGQUIT' });
  return (database) => `postgres://app@127.0.0.1:${port}/${database}`;
}

function lines(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}

/** Where the package libnginx-mod-stream has the module for `stream`. */
export const streamModule = '/usr/lib/nginx/modules/ngx_stream_module.so';

/** An nginx with this in its `http`, where `{listen}` is the address of its server. Returns its port. */
export async function startNginx(
  http: string,
  [program, ...args]: Command = [installed('nginx', 'nginx-light')],
  main = '',
): Promise<number> {
  const folder = privateFolder();
  const port = await freePort();
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, nginxConf(folder, main, http.replaceAll('{listen}', `127.0.0.1:${port}`)));
  await launch({
    program,
    args: [...args, '-p', folder, '-e', 'stderr', '-c', file],
    answers: () => accepts(port),
    stop: 'SIGTERM',
  });
  return port;
}

function nginxConf(folder: string, main: string, http: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
  return `
    daemon off;
    pid ${folder}/nginx.pid;
    ${main || 'events {}'}
    http {
      ${temporary.join('\n      ')}
      access_log off;
      ${http}
    }`;
}

/** A server that passes everything on to an app, whose connections it keeps as its upstream block says besides. */
export function keptByNginx(appPort: number, upstream: string): string {
  return `
      upstream app { server 127.0.0.1:${appPort}; ${upstream} }
      server {
        listen {listen};
        location / {
          proxy_pass http://app;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }`;
}

/** A MariaDB without accounts: anybody may do anything. Returns its URL. */
export async function startMariaDb(): Promise<string> {
  const folder = privateFolder();
  const port = await freePort();
  const url = `mysql://root@127.0.0.1:${port}`;
  const files = [`--datadir=${folder}`, `--tmpdir=${folder}`, `--socket=${folder}/socket`, `--pid-file=${folder}/pid`];
  await launch({
    program: installed('mariadbd', 'mariadb-server-core'),
    args: ['--no-defaults', ...files, '--skip-grant-tables', '--bind-address=127.0.0.1', `--port=${port}`],
    answers: async () => (await mysql.createConnection(url)).end(),
    stop: 'SIGTERM',
  });
  return url;
}

/** A Cloudflare Worker in its real runtime, bundled from a file of this folder; `bindings` are the texts of its `env`. Returns its port. */
export async function startWorker(source: string, bindings: Readonly<Record<string, string>>): Promise<number> {
  const folder = privateFolder();
  const port = await freePort();
  const worker = await rolldown({
    input: path.join(import.meta.dirname, source),
    external: [/^node:/, /^cloudflare:/],
    resolve: { conditionNames: ['workerd', 'import'] },
  });
  await worker.write({ file: path.join(folder, 'worker.js'), format: 'esm' });
  const config = path.join(folder, 'worker.capnp');
  writeFileSync(config, workerConf(port, bindings));
  await launch({ program: workerdProgram(), args: ['serve', config], answers: () => accepts(port), stop: 'SIGTERM' });
  return port;
}

function workerConf(port: number, bindings: Readonly<Record<string, string>>): string {
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker), (name = "internet", network = (allow = ["local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2025-11-01",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [${texts.join(', ')}],
);
`;
}

/** The binary itself: what npm links is a script that starts it. */
function workerdProgram(): string {
  const system = `${process.platform}-${process.arch === 'arm64' ? 'arm64' : '64'}`;
  return createRequire(import.meta.url).resolve(`@cloudflare/workerd-${system}/bin/workerd`);
}
