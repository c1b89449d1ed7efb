import { describe, expect, test } from 'vitest';
import { fatesIn } from '../testing/fates.ts';

const typeorm = {
  'package.json': '{ "name": "typeorm" }',
  'src/data-source.ts': 'export class DataSource { createQueryRunner(): QueryRunner { return this.driver.createQueryRunner(); } }',
  'src/query-runner.ts': 'export interface QueryRunner { release(): Promise<void>; }',
};

describe("a driver's own sources", () => {
  test('import the driver by path', () => {
    const builder = `import { DataSource } from './data-source';
      export class Builder {
        constructor(private source: DataSource) {}
        async build() { const runner = this.source.createQueryRunner(); await runner.getTables(); await runner.release(); }
      }`;
    expect(fatesIn({ ...typeorm, 'src/builder.ts': builder })).toEqual(['raises']);
    expect(fatesIn({ ...typeorm, 'package.json': '{ "name": "another" }', 'src/builder.ts': builder })).toEqual([]);
  });

  test('make leases by classes that implement one, if giving it back does anything', () => {
    const driver = (release: string) => `import type { QueryRunner } from './query-runner';
      class Runner implements QueryRunner { async release() { ${release} } }
      export class Driver {
        open() { return new Runner(); }
        async version() { const runner = this.open(); const version = await runner.getVersion(); await runner.release(); return version; }
      }`;
    expect(fatesIn({ ...typeorm, 'src/driver.ts': driver('await this.connection.close();') })).toEqual(['raises']);
    expect(fatesIn({ ...typeorm, 'src/driver.ts': driver('') })).toEqual([]);
  });
});
