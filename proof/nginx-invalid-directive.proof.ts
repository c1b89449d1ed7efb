import { parseNginx } from '@poolcheck/parsers/nginx/parse';
import { textOf } from '@poolcheck/parsers/text';
import { assumed } from '@poolcheck/rules/known';
import { nginxDirectiveNames, nginxDirectives, type NginxBlock, type NginxDirective } from '@poolcheck/rules/knowledge/nginx-directives';
import rule from '@poolcheck/rules/rules/nginx-invalid-directive';
import { parseVersion } from '@poolcheck/rules/version';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newerNginx, type Command } from './newer.ts';
import { installed, privateFolder } from './process.ts';

const folder = privateFolder();

/** Around a line that is to stand in a block; `stream` is a module that has to be loaded, and is left out. */
const around: Partial<Record<NginxBlock, (line: string) => string>> = {
  main: (line) => `${line} events {} http {}`,
  events: (line) => `events { ${line} } http {}`,
  http: (line) => `events {} http { ${line} }`,
  server: (line) => `events {} http { server { ${line} } }`,
  location: (line) => `events {} http { server { location / { ${line} } } }`,
  'if in server': (line) => `events {} http { server { if ($uri) { ${line} } } }`,
  'if in location': (line) => `events {} http { server { location / { if ($uri) { ${line} } } } }`,
  limit_except: (line) => `events {} http { server { location / { limit_except GET { ${line} } } } }`,
  upstream: (line) => `events {} http { upstream app { server 127.0.0.1:1; ${line} } }`,
};

const blocks = Object.keys(around).filter((block): block is NginxBlock => block in around);

/** Arguments that are right, by name where the kind does not say. */
const right: Readonly<Record<string, readonly string[]>> = {
  proxy_set_header: ['X-A', 'b'],
  grpc_set_header: ['X-A', 'b'],
  proxy_pass: ['http://127.0.0.1:1'],
  random: ['two'],
  zone: ['app', '64k'],
  hash: ['$uri', 'consistent'],
  worker_processes: ['2'],
};

function argumentsOf({ name, value, args: [least] }: NginxDirective): readonly string[] {
  const known = right[name];
  if (known) return known;
  if (least === 0) return [];
  if (name.endsWith('_bind')) return ['127.0.0.1'];
  if (value === 'time') return ['5s'];
  if (value === 'number') return ['4'];
  if (value === 'flag') return ['on'];
  return [value === 'anything' ? '127.0.0.1:1' : ('off error'.split(' ').find((word) => value.includes(word)) ?? value[1] ?? '')];
}

/** What is said right, with too little or too much, with values of another kind, and twice. */
function* linesOf(directive: NginxDirective): Iterable<string> {
  const args = argumentsOf(directive);
  const line = (...words: readonly string[]) => `${[directive.name, ...words].join(' ')};`;
  yield line(...args);
  // A zone needs a size once, which may stand in another block.
  if (directive.name !== 'zone') yield line(...args.slice(0, -1));
  yield line(...args, '5s', '5s');
  yield `${line(...args)} ${line(...args)}`;
  if (directive.value !== 'anything')
    for (const wrong of ['5 0s', '1.5s', '$uri', 'yes', '-1', '1m30', '2']) yield line(wrong.replace(' ', ''));
}

function refuses([program, ...args]: Command, config: string): boolean {
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, config);
  const { stderr } = spawnSync(program, [...args, '-t', '-p', folder, '-e', 'stderr', '-c', file, '-g', `pid ${folder}/pid;`], {
    encoding: 'utf8',
  });
  return stderr.includes('[emerg]');
}

function found(content: string, version: ReturnType<typeof parseVersion>): readonly string[] {
  const { document: config, problems } = parseNginx(textOf('nginx.conf', content));
  const at = { text: config.text, range: { start: 0, end: 0 } };
  const nginx = { name: 'nginx', software: 'nginx', at, version, instances: assumed(1, 1, ''), config, problems, routes: [] } as const;
  return [...rule.check(nginx)].filter(({ severity }) => severity !== 'info').map(({ message }) => message);
}

describe.each([
  ['the installed nginx', [installed('nginx', 'nginx-light')] as Command],
  ['a newer nginx', newerNginx()],
])('%s', (_, command) => {
  const [program, ...args] = command;
  const version = parseVersion(spawnSync(program, [...args, '-v'], { encoding: 'utf8' }).stderr);

  const compare = (config: string) => {
    const messages = found(config, version);
    return refuses(command, config) === messages.length > 0 ? [] : [{ config, messages }];
  };

  test.each(nginxDirectiveNames.filter((name) => !/^(uwsgi|scgi|memcached)_/.test(name)))('refuses what poolcheck refuses: %s', (name) => {
    const known = nginxDirectives(name).filter((directive) => directive.blocks.some((block) => block in around));
    const wrongPlaces = known.slice(0, 1).flatMap((directive) => {
      const [line = ''] = linesOf(directive);
      return blocks.map((block) => around[block]?.(line) ?? '');
    });
    const wrongLines = known.flatMap((directive) => {
      const place = directive.blocks.map((block) => around[block]).find((each) => each !== undefined);
      return place ? [...linesOf(directive)].map(place) : [];
    });
    expect([...wrongPlaces, ...wrongLines].flatMap(compare)).toEqual([]);
  });

  test.each([
    'keepalive 0;',
    'keepalive 4 local;',
    'keepalive 4 single;',
    'server http://127.0.0.1:2;',
    'server 127.0.0.1:2 max_fail=3;',
    'server 127.0.0.1:2 max_fails=3 backup;',
    'server 127.0.0.1:2 weight = 2;',
    'keepalive 4 keepalive_timeout 5s;',
  ])('in an upstream: %s', (line) => {
    expect(compare(around.upstream?.(line) ?? '')).toEqual([]);
  });
});
