import type { Driver } from '../driver.ts';
import { close, emitter } from '../facts.ts';

export const nodemailer: Driver = {
  name: 'nodemailer',
  engine: 'smtp',
  source: 'https://nodemailer.com/smtp/pooled',
  packages: { nodemailer: { createTransport: { calls: { resource: 'transport', as: 'value' } }, Transporter: { type: 'transport' } } },
  resources: {
    transport: {
      role: 'pool',
      methods: { ...emitter, close },
      options: {
        argument: 0,
        max: { names: ['maxConnections'], default: 5 },
        target: { url: [], host: ['host'], port: ['port'], database: [], user: [] },
        onlyIf: 'pool',
      },
    },
  },
};
