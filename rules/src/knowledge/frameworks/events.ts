import type { Framework, Takes } from '../framework.ts';
import { each } from '../facts.ts';

const functions: Takes = {};

export const socketIo: Framework = {
  name: 'Socket.IO',
  source: 'https://socket.io/docs/v4/server-api/',
  event: 'connection',
  packages: { 'socket.io': { ...each('Server() () :Server :Namespace', 'host') } },
  methods: { on: { first: ['connection', 'connect'] }, use: functions },
  chains: ['of()'],
};

export const socketIoSockets: Framework = {
  name: 'Socket.IO',
  source: 'https://socket.io/docs/v4/server-socket-instance/',
  event: 'message',
  packages: { 'socket.io': each('Server().on(0) ().on(0) :Server.on(0) Server().of().on(0) ().of().on(0) :Socket', 'host') },
  methods: { on: functions },
};

export const ws: Framework = {
  name: 'ws',
  source: 'https://github.com/websockets/ws/blob/master/doc/ws.md',
  event: 'connection',
  packages: { ws: each('WebSocketServer() Server() :WebSocketServer', 'host') },
  methods: { on: { first: ['connection'] } },
};

export const wsSockets: Framework = {
  name: 'ws',
  source: 'https://github.com/websockets/ws/blob/master/doc/ws.md',
  event: 'message',
  packages: { ws: each('WebSocketServer().on(0) Server().on(0) :WebSocketServer.on(0)', 'host') },
  methods: { on: { first: ['message'] } },
};

export const bullmq: Framework = {
  name: 'BullMQ',
  source: 'https://docs.bullmq.io/guide/workers',
  event: 'job',
  packages: { bullmq: { Worker: functions, ...each(':Job :SandboxedJob', 'given'), ':Processor': 'handler' } },
};

export const bull: Framework = {
  name: 'Bull',
  source: 'https://github.com/OptimalBits/bull/blob/develop/REFERENCE.md',
  event: 'job',
  packages: { bull: { ...each('() :Queue', 'host'), ':Job': 'given' } },
  methods: { process: functions },
};

export const kafkajs: Framework = {
  name: 'KafkaJS',
  source: 'https://kafka.js.org/docs/consuming',
  event: 'message',
  packages: {
    kafkajs: {
      ...each('Kafka().consumer() :Consumer', 'host'),
      ...each(':EachMessagePayload :EachBatchPayload', 'given'),
      ...each(':EachMessageHandler :EachBatchHandler', 'handler'),
    },
  },
  methods: { run: { in: ['eachMessage', 'eachBatch'] } },
};

export const amqplib: Framework = {
  name: 'amqplib',
  source: 'https://amqp-node.github.io/amqplib/channel_api.html',
  event: 'message',
  packages: {
    amqplib: {
      ...each('connect().createChannel() connect().createConfirmChannel() :Channel :ConfirmChannel', 'host'),
      ':ConsumeMessage': 'given',
    },
  },
  methods: { consume: functions },
};

export const pgBoss: Framework = {
  name: 'pg-boss',
  source: 'https://timgit.github.io/pg-boss/#/./api/workers',
  event: 'job',
  packages: { 'pg-boss': each('() PgBoss() :PgBoss :', 'host') },
  methods: { work: functions },
};

export const sqsConsumer: Framework = {
  name: 'sqs-consumer',
  source: 'https://github.com/bbc/sqs-consumer',
  event: 'message',
  packages: { 'sqs-consumer': { 'Consumer.create': { in: ['handleMessage', 'handleMessageBatch'] } } },
};
