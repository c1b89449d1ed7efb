import type { Framework } from '../framework.ts';
import { each } from '../facts.ts';

export const nest: Framework = {
  name: 'Nest',
  source: 'https://docs.nestjs.com/controllers',
  event: 'request',
  packages: {
    '@nestjs/common': {
      ...each('Get Post Put Patch Delete Options Head All Sse Search', 'decorator'),
      'Scope.REQUEST': 'per-event',
      ':CanActivate': { implementedBy: ['canActivate'] },
      ':NestInterceptor': { implementedBy: ['intercept'] },
      ':NestMiddleware': { implementedBy: ['use'] },
      ':PipeTransform': { implementedBy: ['transform'] },
      ':ExceptionFilter': { implementedBy: ['catch'] },
    },
    '@nestjs/graphql': each('Query Mutation Subscription ResolveField', 'decorator'),
  },
};

export const nestMessages: Framework = {
  name: 'Nest',
  source: 'https://docs.nestjs.com/microservices/basics',
  event: 'message',
  packages: {
    '@nestjs/websockets': { SubscribeMessage: 'decorator' },
    '@nestjs/microservices': each('MessagePattern EventPattern GrpcMethod GrpcStreamMethod', 'decorator'),
  },
};

export const nestJobs: Framework = {
  name: 'Nest',
  source: 'https://docs.nestjs.com/techniques/queues',
  event: 'job',
  packages: { '@nestjs/bull': { Process: 'decorator' }, '@nestjs/bullmq': { ':WorkerHost': { implementedBy: ['process'] } } },
};

export const typeGraphql: Framework = {
  name: 'TypeGraphQL',
  source: 'https://typegraphql.com/docs/resolvers.html',
  event: 'request',
  packages: { 'type-graphql': each('Query Mutation Subscription FieldResolver', 'decorator') },
};

export const routingControllers: Framework = {
  name: 'routing-controllers',
  source: 'https://github.com/typestack/routing-controllers',
  event: 'request',
  packages: { 'routing-controllers': each('Get Post Put Patch Delete Head All', 'decorator') },
};

/** The methods by which a provider takes part in the start of the application; those of a scope of their own are not called. https://docs.nestjs.com/fundamentals/lifecycle-events */
export const nestStart = { specifier: '@nestjs/common', methods: ['onModuleInit', 'onApplicationBootstrap'] } as const;
