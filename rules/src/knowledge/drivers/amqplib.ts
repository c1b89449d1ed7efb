import type { Driver } from '../driver.ts';
import { close, emitter, nothing } from '../facts.ts';

export const amqplib: Driver = {
  name: 'amqplib',
  engine: 'any',
  source: 'https://amqp-node.github.io/amqplib/channel_api.html#connect',
  packages: { amqplib: { connect: { calls: { resource: 'connection', as: 'promise' } } } },
  resources: {
    connection: {
      role: 'connection',
      methods: { ...emitter, createChannel: nothing, createConfirmChannel: nothing, close },
      options: {
        argument: 0,
        target: { url: [], host: ['hostname'], port: ['port'], database: ['vhost'], user: ['username'] },
        defaultPort: 5672,
        urlArgument: true,
      },
      badPerRequest: true,
    },
  },
};
