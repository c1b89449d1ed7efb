import type { Driver } from '../driver.ts';
import { close } from '../facts.ts';

export const slonik: Driver = {
  name: 'Slonik',
  engine: 'postgresql',
  source: 'https://github.com/gajus/slonik#api',
  packages: { slonik: { createPool: { calls: { resource: 'pool', as: 'promise' } }, DatabasePool: { type: 'pool' } } },
  resources: {
    pool: {
      role: 'pool',
      methods: { end: close },
      options: {
        argument: 0,
        // There is no acquire timeout: `connectionTimeout` covers dialling only.
        max: { names: ['maximumPoolSize'], default: 10 },
        target: { url: [], host: [], port: [], database: [], user: [] },
        urlArgument: true,
      },
    },
  },
};
