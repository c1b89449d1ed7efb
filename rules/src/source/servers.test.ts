import { describe, expect, test } from 'vitest';
import { projectOf } from '../project.ts';
import { programOf } from './program.ts';
import { evaluate } from './setting.ts';
import { httpSpecifiers } from './servers.ts';

function serversOf(files: Record<string, string>) {
  return programOf(projectOf(files), { alsoRelevant: httpSpecifiers }).servers.map((server) => ({
    framework: server.framework,
    line: server.module.text.content.slice(0, server.place.range.start).split('\n').length,
    variable: server.variable?.name,
    timeout: server.keepAliveTimeout && evaluate(server.keepAliveTimeout, () => ({ state: 'unset' }))?.map(({ value }) => value),
    complete: server.complete,
  }));
}

describe('servers and their keep-alive', () => {
  test.each([
    ["import express from 'express';\nconst app = express();\nconst server = app.listen(3000);", 'express', 3, undefined],
    [
      "import express from 'express';\nconst app = express();\nconst server = app.listen(3000);\nserver.keepAliveTimeout = 65_000;",
      'express',
      3,
      [65000],
    ],
    [
      "const http = require('http');\nconst s = http.createServer((q, r) => r.end());\ns.listen(80);\ns.keepAliveTimeout = 65 * 1000;",
      'http',
      2,
      [65000],
    ],
    ["import { createServer } from 'node:http';\ncreateServer({ keepAliveTimeout: 7 }, h).listen(1);", 'node:http', 2, [7]],
    [
      "import Fastify from 'fastify';\nconst app = Fastify({ keepAliveTimeout: 30_000 });\nawait app.listen({ port: 3 });",
      'fastify',
      2,
      [30000],
    ],
    ["import Fastify from 'fastify';\nconst app = Fastify();\napp.server.keepAliveTimeout = 1;", 'fastify', 2, [1]],
    [
      "import { NestFactory } from '@nestjs/core';\nconst app = await NestFactory.create(M);\napp.getHttpServer().keepAliveTimeout = 2;\nawait app.listen(3);",
      '@nestjs/core',
      4,
      [2],
    ],
  ])('%s', (source, framework, line, timeout) => {
    expect(serversOf({ 'src/main.ts': source })).toMatchObject([{ framework, line, complete: true, ...(timeout ? { timeout } : {}) }]);
  });

  test('a timeout set on something unknown leaves every default unsure', () => {
    const source = "import express from 'express';\nexpress().listen(3000);\nexport const tune = (s) => { s.keepAliveTimeout = 65_000; };";
    expect(serversOf({ 'src/main.ts': source })).toMatchObject([{ complete: false }]);
  });

  test('set in another file', () => {
    expect(
      serversOf({
        'src/app.ts': "import express from 'express';\nexport const app = express();",
        'src/main.ts': "import { app } from './app.js';\nexport const server = app.listen(3000);",
        'src/tune.ts': "import { server } from './main.js';\nserver.keepAliveTimeout = 70_000;",
      }),
    ).toMatchObject([{ framework: 'express', timeout: [70000] }]);
  });
});
