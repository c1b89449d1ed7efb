import { describe, expect, test } from 'vitest';
import { looksLikePgbouncer } from './recognise.ts';

const whole = '; main\n\n[databases]\na = host=b\n[pgbouncer]\npool_mode = transaction\n';

describe('a pgbouncer.ini', () => {
  test.each([
    ['pgbouncer.ini', whole],
    ['docker/pgbouncer/pgbouncer.ini', '[PgBouncer]\n'],
    ['pgbouncer.prod.ini', '[pgbouncer]\n'],
    ['etc/pgbouncer.ini.tmpl', '{{ x }}\n[pgbouncer]\n'],
    ['pooler/config.ini', whole],
    ['pooler/config', '%include a.ini\n[databases]\n[pgbouncer]\n'],
  ])('%s', (path, content) => expect(looksLikePgbouncer(path, content)).toBe(true));
});

describe('something else', () => {
  test.each([
    ['pgbouncer-databases.ini', '[databases]\na = host=b\n'],
    ['pgbouncer/custom.ini', 'pool_mode = transaction\n'],
    ['config.ini', '[pgbouncer]\nhost = pooler\n'],
    ['README.md', `# Title\n\n[badge](x)\n\n${whole}`],
    ['pgbouncer.yaml', `data:\n  pgbouncer.ini: |\n    [databases]\n    [pgbouncer]\n`],
    ['entrypoint.sh', `#!/bin/sh\nset -e\ncat > x <<EOF\n${whole}EOF\n`],
  ])('%s', (path, content) => expect(looksLikePgbouncer(path, content)).toBe(false));
});
