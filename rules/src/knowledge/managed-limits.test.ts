import { expect, test } from 'vitest';
import { managedServices } from './managed-limits.ts';

test.each([
  ['rds-postgresql', 'db.t3.micro', 112],
  ['rds-postgresql', 'db.t4g.small', 225],
  ['rds-postgresql', 'db.t3.medium', 450],
  ['rds-postgresql', 'db.m6g.large', 901],
  ['rds-postgresql', 'db.r6g.large', 1802],
  ['rds-postgresql', 'db.m5.2xlarge', 3604],
  ['rds-postgresql', 'db.r5.12xlarge', 5000],
  ['rds-postgresql', 'db.m5.huge', undefined],
  ['rds-mysql', 'db.t3.micro', 85],
  ['rds-mysql', 'db.m5.large', 682],
  ['aurora-postgresql', 'db.t4g.medium', 405],
  ['aurora-postgresql', 'db.r7g.large', 1802],
  ['aurora-mysql', 'db.t3.medium', 90],
  ['aurora-mysql', 'db.serverless', undefined],
  ['azure-postgresql', 'B_Standard_B1ms', 50],
  ['azure-postgresql', 'GP_Standard_D4s_v3', 1718],
  ['azure-postgresql', 'Standard_E4ds_v5', 3437],
  ['azure-postgresql', 'GP_Standard_D32s_v3', 5000],
  ['supabase', 'micro', 60],
  ['neon', '0.25', 104],
  ['cloud-sql-postgresql', 'db-f1-micro', 25],
  ['heroku', 'constructor', undefined],
])('a server of %s, %s, accepts at most %o', (service, size, most) => {
  const limit = managedServices[service]?.limitOf(size);
  expect(limit?.high).toBe(most);
  if (limit) expect(limit.low).toBeLessThanOrEqual(limit.high);
});

test.each([
  ['rds-postgresql', 'db.t2.small', 198],
  ['rds-postgresql', 'db.t2.medium', 413],
  ['rds-postgresql', 'db.m4.large', 856],
  ['rds-postgresql', 'db.r4.large', 1660],
])('what was seen of %s, %s, is in between', (service, size, seen) => {
  const limit = managedServices[service]?.limitOf(size);
  expect(limit && limit.low <= seen && seen <= limit.high).toBe(true);
});
