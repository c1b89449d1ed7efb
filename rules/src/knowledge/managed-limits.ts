/** What a provider lets a server of one size accept. */
export interface ManagedLimit {
  /** `max_connections`: from and to, where the provider's formula depends on memory that it does not tell. */
  readonly low: number;
  readonly high: number;
  /** What of them the provider keeps. */
  readonly reserved: number;
  /** False: it is told by people, not by the provider. */
  readonly documented: boolean;
}

interface ManagedService {
  readonly software: 'postgresql' | 'mysql';
  readonly source: string;
  limitOf(size: string): ManagedLimit | undefined;
}

const gibibyte = 2 ** 30;

/** Memory of instance classes of RDS, GiB. https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Concepts.DBInstanceClass.Summary.html */
function memoryOf(size: string): number | undefined {
  const [, family = '', step = ''] = /^db\.([a-z]+\d+)[a-z]*\.(\w+)$/.exec(size) ?? [];
  if (/^t[234]$/.test(family)) return { micro: 1, small: 2, medium: 4, large: 8, xlarge: 16, '2xlarge': 32 }[step];
  const large = /^m\d$/.test(family) ? 8 : /^r\d$/.test(family) ? 16 : undefined;
  if (large === undefined || (family === 'r3' && step === 'large')) return undefined;
  const times = step === 'large' ? 1 : step === 'xlarge' ? 2 : 2 * Number(/^(\d+)xlarge$/.exec(step)?.[1] ?? Number.NaN);
  return Number.isFinite(times) ? large * times : undefined;
}

/** The formula is for `DBInstanceClassMemory`, which is less than the memory of the class: observed are 0.77 to 0.95 of it. */
const leastOfMemory = 0.7;

function byMemory(bytesPerConnection: number, most: number, reserved: number): (size: string) => ManagedLimit | undefined {
  return (size) => {
    const memory = memoryOf(size);
    if (memory === undefined) return undefined;
    const high = Math.min(most, Math.floor((memory * gibibyte) / bytesPerConnection));
    return {
      low: Math.min(most, Math.floor(((memory * gibibyte) / bytesPerConnection) * leastOfMemory)),
      high,
      reserved,
      documented: true,
    };
  };
}

function byTable(table: Readonly<Record<string, number>>, reserved: number, documented = true): (size: string) => ManagedLimit | undefined {
  return (size) => {
    const limit = Object.hasOwn(table, size) ? table[size] : undefined;
    return limit === undefined ? undefined : { low: limit, high: limit, reserved, documented };
  };
}

const rdsPostgresql = byMemory(9_531_392, 5000, 3);
const auroraPostgresql = byTable(
  {
    'db.t3.medium': 420,
    'db.t4g.medium': 405,
    'db.t3.large': 844,
    'db.t4g.large': 844,
    'db.r4.large': 1600,
    'db.r5.large': 1600,
    'db.r6g.large': 1722,
    'db.r4.xlarge': 3200,
    'db.r5.xlarge': 3300,
    'db.r6g.xlarge': 3479,
    'db.r5.2xlarge': 5000,
    'db.r6g.2xlarge': 5000,
  },
  3,
);

export const managedServices: Readonly<Record<string, ManagedService>> = {
  'rds-postgresql': {
    software: 'postgresql',
    source: 'https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Limits.html#RDS_Limits.MaxConnections',
    limitOf: rdsPostgresql,
  },
  'rds-mysql': {
    software: 'mysql',
    source: 'https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Limits.html#RDS_Limits.MaxConnections',
    limitOf: byMemory(12_582_880, 16_000, 0),
  },
  'aurora-postgresql': {
    software: 'postgresql',
    source: 'https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/AuroraPostgreSQL.Managing.html',
    limitOf: (size) => auroraPostgresql(size) ?? rdsPostgresql(size),
  },
  'aurora-mysql': {
    software: 'mysql',
    source: 'https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/AuroraMySQL.Managing.Performance.html',
    limitOf: byTable(
      {
        'db.t2.small': 45,
        'db.t2.medium': 90,
        'db.t3.small': 45,
        'db.t3.medium': 90,
        'db.t3.large': 135,
        'db.t4g.medium': 90,
        'db.t4g.large': 135,
        'db.r3.large': 1000,
        'db.r3.xlarge': 2000,
        'db.r3.2xlarge': 3000,
      },
      0,
    ),
  },
  'azure-postgresql': {
    software: 'postgresql',
    source: 'https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-limits',
    limitOf: (size) => azure(/^(?:(?:B|GP|MO)_)?(?:Standard_)?(\w+)$/.exec(size)?.[1] ?? ''),
  },
  supabase: {
    software: 'postgresql',
    source: 'https://supabase.com/docs/guides/platform/compute-and-disk',
    limitOf: byTable(
      { nano: 60, micro: 60, small: 90, medium: 120, large: 160, xl: 240, '2xl': 380, '4xl': 480, '8xl': 490, '12xl': 500, '16xl': 500 },
      3,
    ),
  },
  neon: {
    software: 'postgresql',
    source: 'https://neon.com/docs/connect/connection-pooling',
    limitOf: byTable({ '0.25': 104, '0.5': 209, '1': 419, '2': 839, '3': 1258, '4': 1678, '5': 2098, '6': 2517, '7': 2937, '8': 3357 }, 7),
  },
  heroku: {
    software: 'postgresql',
    source: 'https://devcenter.heroku.com/articles/heroku-postgres-plans',
    limitOf: byTable({ 'essential-0': 20, 'essential-1': 20, 'essential-2': 40, 'standard-0': 120, 'standard-2': 400 }, 0, false),
  },
  'cloud-sql-postgresql': {
    software: 'postgresql',
    source: 'https://docs.cloud.google.com/sql/docs/postgres/quotas',
    limitOf: (size) => byTable({ 'db-f1-micro': 25 }, 3)(size) ?? byTable({ 'db-g1-small': 50 }, 3, false)(size),
  },
};

/** Standard_B2s, Standard_D4s_v3, Standard_E2ds_v5 … */
function azure(size: string): ManagedLimit | undefined {
  const [, letter = '', cores = '', suffix = ''] = /^([BDE])(\d+)([a-z]*)(?:_v\d)?$/.exec(size) ?? [];
  const name = letter === 'B' ? `B${cores}${suffix}` : `${letter}${cores}`;
  const large = letter !== 'B' && Number(cores) >= (letter === 'D' ? 16 : 8) ? 5000 : undefined;
  const limit =
    large ??
    byTable({ B1ms: 50, B2s: 429, B2ms: 859, B4ms: 1718, B8ms: 3437, D2: 859, D4: 1718, D8: 3437, E2: 1718, E4: 3437 }, 15)(name)?.high;
  return limit === undefined ? undefined : { low: limit, high: limit, reserved: 15, documented: true };
}
