import { parseDockerfile } from '@poolcheck/parsers/dockerfile/parse';
import { textOf } from '@poolcheck/parsers/text';
import { expect, test } from 'vitest';
import { showVersion } from '../version.ts';
import { builtImage } from './built-image.ts';
import { installedVersion } from './installed-server.ts';

function versionIn(software: 'pgbouncer' | 'nginx', ...lines: readonly string[]): string | undefined {
  const built = builtImage(parseDockerfile(textOf('Dockerfile', lines.join('\n'))).document, undefined);
  const version = built && installedVersion(built, software);
  return version && showVersion(version);
}

test.each([
  ['debian:bookworm', '1.18.0'],
  ['debian:12.5-slim', '1.18.0'],
  ['debian:trixie-20260406-slim', '1.24.1'],
  ['ubuntu:24.04', '1.22.0'],
  ['node:22-bookworm-slim', '1.18.0'],
  ['debian:stable', undefined],
  ['debian', undefined],
  ['debian:bullseye', undefined],
  ['postgres:16-bookworm', undefined],
  ['registry.example/debian:bookworm', '1.18.0'],
])('apt-get install pgbouncer on %s', (base, version) => {
  expect(versionIn('pgbouncer', `FROM ${base}`, 'RUN apt-get update && apt-get install -y curl pgbouncer')).toBe(version);
});

test.each([
  ['alpine:3.19', '1.21.0'],
  ['alpine:3.20.3', '1.22.1'],
  ['python:3.12-alpine3.21', '1.23.1'],
  ['alpine', undefined],
  ['alpine:3.2', undefined],
  ['node:22-alpine', undefined],
])('apk add pgbouncer on %s', (base, version) => {
  expect(versionIn('pgbouncer', `FROM ${base}`, 'RUN apk add --no-cache pgbouncer')).toBe(version);
});

test.each([
  ['apt-get install -y pgbouncer=1.21.0-1.pgdg120+1', '1.21.0'],
  ['apt install -y "pgbouncer=1.22.*"', '1.22.0'],
  ['apk add pgbouncer=1.23.1-r0', '1.23.1'],
  ['apk add pgbouncer~1.24', '1.24.0'],
  ['apk add pgbouncer~=1.24', '1.24.0'],
  ["apk add 'pgbouncer>1.20'", undefined],
  ['apt-get install -y pgbouncer=$PGBOUNCER_VERSION', undefined],
  ['apt-get install -y -t bookworm-backports pgbouncer', undefined],
  ['apk add --repository=https://mirror.example/edge/community pgbouncer', undefined],
  ['apk add -X https://mirror.example/edge/community pgbouncer', undefined],
  ['apt-get install -y pgbouncer-exporter', undefined],
  ['apt-get remove -y pgbouncer', undefined],
  ['/usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y && apt-get install -y pgbouncer', undefined],
  ['apt-get install -y pgbouncer && echo deb … > /etc/apt/sources.list.d/more.list', '1.18.0'],
])('RUN %s', (run, version) => expect(versionIn('pgbouncer', 'FROM debian:bookworm', `RUN ${run}`)).toBe(version));

test('other sources may be copied in', () => {
  const copy = 'COPY pgdg.list /etc/apt/sources.list.d/';
  expect(versionIn('pgbouncer', 'FROM debian:bookworm', copy, 'RUN apt-get install -y pgbouncer')).toBeUndefined();
});

test('an earlier stage counts only when the last one starts from it', () => {
  const install = ['FROM debian:bookworm AS base', 'RUN apt-get install -y pgbouncer'];
  expect(versionIn('pgbouncer', ...install, 'FROM base', 'CMD ["pgbouncer"]')).toBe('1.18.0');
  expect(versionIn('pgbouncer', ...install, 'FROM debian:trixie', 'CMD ["pgbouncer"]')).toBeUndefined();
});

test('nginx has its own packages', () => {
  const version = (base: string, run: string) => versionIn('nginx', `FROM ${base}`, `RUN ${run}`);
  expect(version('debian:bookworm', 'apt-get install -y nginx-light')).toBe('1.22.1');
  expect(version('alpine:3.20', 'apk add --no-cache nginx=1.26.3-r0')).toBe('1.26.3');
  expect(version('debian:trixie', 'apt-get install -y libnginx-mod-stream')).toBeUndefined();
  // Not before it is known which 1.29 it is.
  expect(version('alpine:3.23', 'apk add nginx~1.29')).toBeUndefined();
});
