import { expect, test } from 'vitest';
import { outermost, type Place, slice, textOf } from '../text.ts';
import { parseDockerfile } from './parse.ts';

const source = `# syntax=docker/dockerfile:1
ARG NODE=20
FROM --platform=linux/amd64 node:\${NODE}-alpine AS build
WORKDIR /app
COPY package.json ./
RUN <<EOF
CMD not an instruction
EOF
COPY --chown=node:node . .
ENV NODE_ENV=production \\
    # a comment in between
    DB_POOL_MAX="25"
ENV OLD form of env

FROM build
COPY --from=build ["/app/dist", "./dist/"]
ENTRYPOINT ["tini", "--"]
CMD exec node \\
  dist/main.js && echo done
`;

function read(content: string) {
  return parseDockerfile(textOf('Dockerfile', content));
}

/** What stands in the file at a place. */
function written(place: Place): string {
  const { text, range } = outermost(place);
  return slice(text, range);
}

test.each([['LF'], ['CRLF']])('stages, and what runs in them, with %s', (breaks) => {
  const { document, problems } = read(breaks === 'LF' ? source : source.replaceAll('\n', '\r\n'));
  expect(problems).toEqual([]);
  expect(document.stages.map(({ name, base }) => [name, base?.value])).toEqual([
    ['build', 'node:20-alpine'],
    [undefined, 'build'],
  ]);
  const [build, last] = document.stages;
  expect(build?.instructions.flatMap((each) => (each.kind === 'env' ? [[each.name, each.value.value]] : []))).toEqual([
    ['NODE_ENV', 'production'],
    ['DB_POOL_MAX', '25'],
    ['OLD', 'form of env'],
  ]);
  expect(last?.instructions.map(({ kind }) => kind)).toEqual(['copy', 'entrypoint', 'cmd']);
});

test('a run says its commands', () => {
  const { document } = read(`FROM debian:bookworm
RUN --mount=type=cache,target=/var/cache/apt apt-get update && \\
  # what we need
  apt-get install -y "nginx=1.22.*" curl
RUN ["apk", "add", "pgbouncer"]
RUN <<EOF
apt-get install nginx
EOF
`);
  const runs = document.stages.flatMap(({ instructions }) => instructions.filter((each) => each.kind === 'run'));
  expect(runs.map(({ commands }) => commands.map((words) => words.map(({ value }) => value).join(' ')))).toEqual([
    ['apt-get update', 'apt-get install -y nginx=1.22.* curl'],
    ['apk add pgbouncer'],
    [''],
  ]);
});

test('a copy says from where to where', () => {
  const copies = read(source).document.stages.flatMap(({ instructions }) => instructions.filter((each) => each.kind === 'copy'));
  expect(copies.map(({ from, sources, destination }) => [from, sources.map(({ value }) => value), destination.value])).toEqual([
    [undefined, ['package.json'], './'],
    [undefined, ['.'], '.'],
    ['build', ['/app/dist'], './dist/'],
  ]);
});

test('exec form has one command, shell form those of its script, each word at its place', () => {
  const starts = read(source).document.stages[1]?.instructions.flatMap((each) => ('form' in each ? [each] : [])) ?? [];
  expect(starts.map(({ form, commands }) => [form, commands.map((words) => words.map(({ value }) => value))])).toEqual([
    ['exec', [['tini', '--']]],
    [
      'shell',
      [
        ['exec', 'node', 'dist/main.js'],
        ['echo', 'done'],
      ],
    ],
  ]);
  expect(starts[0]?.commands[0]?.map(written)).toEqual(['"tini"', '"--"']);
  expect(starts[1]?.commands[0]?.map(written)).toEqual(['exec', 'node', 'dist/main.js']);
});

test('the value of a variable on a continuation line stands there', () => {
  const env = read(source).document.stages[0]?.instructions.find((each) => each.kind === 'env' && each.name === 'DB_POOL_MAX');
  expect(env?.kind === 'env' && written(env.value)).toBe('DB_POOL_MAX="25"');
});

test('what is almost JSON is a shell form', () => {
  const [stage] = read(`FROM a\nCMD ['node', 'x.js']\n`).document.stages;
  expect(stage?.instructions[0]).toMatchObject({ kind: 'cmd', form: 'shell' });
});

test('a base whose argument has no default is not known', () => {
  expect(read('ARG TAG\nFROM node:${TAG}\nFROM $BASE').document.stages.map(({ base }) => base)).toEqual([undefined, undefined]);
});

test('a line that is no instruction is a problem', () => {
  expect(read('FROM a\n= what\nCMD b').problems).toHaveLength(1);
});

test('every prefix is read', () => {
  for (let end = 0; end <= source.length; end++) expect(read(source.slice(0, end)).document.stages.length).toBeLessThanOrEqual(2);
});
