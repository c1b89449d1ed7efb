import type { Framework, Takes } from '../framework.ts';
import { each } from '../facts.ts';

const functions: Takes = {};
const context: Takes = { in: ['context'] };
const server: Takes = { in: ['resolvers.*', 'context', 'dataSources'] };

export const apollo: Framework = {
  name: 'Apollo',
  source: 'https://www.apollographql.com/docs/apollo-server/data/resolvers',
  event: 'request',
  packages: {
    '@apollo/server': { ApolloServer: server },
    ...each('apollo-server apollo-server-express apollo-server-koa apollo-server-lambda', { ApolloServer: server }),
    '@apollo/server/standalone': { startStandaloneServer: context },
    ...each('@apollo/server/express4 @as-integrations/express4 @as-integrations/express5', { expressMiddleware: context }),
    '@as-integrations/next': { startServerAndCreateNextHandler: context },
    '@graphql-tools/schema': { makeExecutableSchema: { in: ['resolvers.*'] } },
  },
};

export const yoga: Framework = {
  name: 'GraphQL Yoga',
  source: 'https://the-guild.dev/graphql/yoga-server/docs',
  event: 'request',
  packages: { 'graphql-yoga': { createYoga: context, createSchema: { in: ['resolvers.*'] } } },
};

export const trpc: Framework = {
  name: 'tRPC',
  source: 'https://trpc.io/docs/server/procedures',
  event: 'request',
  packages: {
    '@trpc/server': { initTRPC: 'host' },
    ...each('@trpc/server/adapters/express @trpc/server/adapters/next @trpc/server/adapters/standalone', {
      ...each('createExpressMiddleware createNextApiHandler createHTTPServer createHTTPHandler', { in: ['createContext'] }),
    }),
    '@trpc/server/adapters/fetch': { fetchRequestHandler: { in: ['createContext'] } },
  },
  methods: each('query mutation subscription use middleware', functions),
  chains: ['context()', 'meta()', 'create()', 'procedure', 'input()', 'output()', 'use()', 'concat()', 'unstable_concat()'],
};
