import { describe, expect, test } from 'vitest';
import { fileConventions, frameworkFact, frameworks, handlersTakenBy } from './frameworks.ts';

describe('calls that take handlers, by where the callee comes from', () => {
  test.each([
    ['express', '().get', 'Express'],
    ['express', 'Router().route().get().post', 'Express'],
    ['express', ':Application.use', 'Express'],
    ['fastify', '().register(0).get', 'Fastify'],
    ['fastify', ':FastifyPluginAsync(0).withTypeProvider().route', 'Fastify'],
    ['fastify-plugin', '(0).addHook', 'Fastify'],
    ['@koa/router', '().get', 'Koa'],
    ['hono', 'Hono().basePath().get().post', 'Hono'],
    ['@hapi/hapi', 'server().route', 'hapi'],
    ['http', 'createServer', 'Node'],
    ['http', 'createServer().on', 'Node'],
    ['Bun', 'serve', 'Bun'],
    ['@middy/core', '().use().handler', 'AWS Lambda'],
    ['firebase-functions', 'https.onRequest', 'Firebase'],
    ['firebase-functions', 'region().https.onCall', 'Firebase'],
    ['@azure/functions', 'app.http', 'Azure Functions'],
    ['@trpc/server', 'initTRPC.context().create().procedure.input().mutation', 'tRPC'],
    ['@apollo/server', 'ApolloServer', 'Apollo'],
    ['socket.io', 'Server().of().on', 'Socket.IO'],
    ['react', 'cache', 'React'],
    ['ws', 'WebSocketServer().on(0).on', 'ws'],
    ['bullmq', 'Worker', 'BullMQ'],
    ['bull', '().process', 'Bull'],
    ['kafkajs', 'Kafka().consumer().run', 'KafkaJS'],
    ['amqplib', 'connect().createChannel().consume', 'amqplib'],
  ])('%s %s', (specifier, path, framework) => {
    expect(handlersTakenBy(specifier, path)?.framework.name).toBe(framework);
  });

  test.each([
    ['express', '().listen'],
    ['express', 'static().get'],
    ['express', 'get'],
    ['fastify', '().register'],
    ['fastify', '().decorate'],
    ['vue-router', '().get'],
    ['toString', '().get'],
    ['express', 'toString'],
  ])('not %s %s', (specifier, path) => {
    expect(handlersTakenBy(specifier, path)).toBeUndefined();
  });
});

describe('what types and decorators say', () => {
  test.each([
    ['express', ':Request', 'given'],
    ['aws-lambda', ':SQSEvent', 'given'],
    ['aws-lambda', ':APIGatewayProxyHandlerV2', 'handler'],
    ['aws-lambda', ':APIGatewayProxyHandler', 'handler'],
    ['@nestjs/common', 'Get', 'decorator'],
    ['@nestjs/common', 'Injectable', undefined],
    ['@nestjs/common', 'Scope.REQUEST', 'per-event'],
  ])('%s %s is %s', (specifier, path, fact) => {
    expect(frameworkFact(specifier, path)?.fact).toBe(fact);
  });
});

test('facts say where they can be checked', () => {
  for (const { source } of [...frameworks, ...fileConventions]) expect(source).toMatch(/^https?:\/\//);
});
