import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseVersion, type Version } from '@poolcheck/rules/version';

interface Distribution {
  readonly components: string;
  readonly mirror: string;
  readonly keyring: string;
}

const distributions: Readonly<Record<'debian' | 'ubuntu', Distribution>> = {
  debian: {
    components: 'main',
    mirror: 'http://deb.debian.org/debian',
    keyring: '/usr/share/keyrings/debian-archive-keyring.gpg',
  },
  ubuntu: {
    components: 'main universe',
    mirror: 'http://archive.ubuntu.com/ubuntu',
    keyring: '/usr/share/keyrings/ubuntu-archive-keyring.gpg',
  },
};

type DistributionId = keyof typeof distributions;

interface Program {
  /** Its package, and where that has it. */
  readonly name: string;
  readonly path: string;
  /** A suite of each distribution in which it is new enough. */
  readonly suites: Readonly<Record<DistributionId, string>>;
  /** What it is linked with; its other dependencies are for installing it. */
  readonly libraries: RegExp;
}

const pgbouncer: Program = {
  name: 'pgbouncer',
  path: 'usr/sbin/pgbouncer',
  suites: { debian: 'trixie', ubuntu: 'questing' },
  libraries:
    /^(lib(c6|cap2|cares2|event-2\.1-7t64|gcc-s1|ldap2|pam0g|sasl2-2|ssl3t64|systemd0|zstd1|audit1|cap-ng0|crypt1|selinux1|pcre2-8-0)|zlib1g)$/,
};

const nginx: Program = {
  name: 'nginx',
  path: 'usr/sbin/nginx',
  suites: { debian: 'forky', ubuntu: 'stonking' },
  libraries: /^(lib(c6|crypt1|pcre2-8-0|ssl3t64|ssl4|zstd1)|zlib1g)$/,
};

/** The same of the suite after it. */
const newestPgbouncer: Program = {
  ...pgbouncer,
  suites: { debian: 'forky', ubuntu: 'stonking' },
};

/** A program and what it is to be given before its own arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** What a program says its version is. */
export function versionOf([program, ...args]: Command): Version {
  const version = parseVersion(execFileSync(program, [...args, '--version'], { encoding: 'utf8' }));
  if (!version) throw new Error(`${program} does not say its version.`);
  return version;
}

/** The command of a PgBouncer of at least 1.24. */
export function newerPgBouncer(): Command {
  return commandOf(pgbouncer);
}

/** The command of a PgBouncer of at least 1.26. */
export function newestPgBouncer(): Command {
  return commandOf(newestPgbouncer);
}

/** The command of an nginx of at least 1.29.7. */
export function newerNginx(): Command {
  return commandOf(nginx);
}

/** It is downloaded once, and runs with libraries of its own. */
function commandOf(program: Program): Command {
  const source = sourceOf(program);
  const root = path.join(tmpdir(), `poolcheck-proof-${program.name}-${source.suite}`);
  if (!existsSync(root)) download(program, source, root);
  const loader = path.join(root, 'usr/lib64/ld-linux-x86-64.so.2');
  const missing = [loader, path.join(root, program.path)].find((file) => !existsSync(file));
  if (missing !== undefined) throw new Error(`The packages of ${source.suite} lack ${missing}. Remove ${root} to get them again.`);
  const libraries = ['', 'systemd'].map((folder) => path.join(root, 'usr/lib/x86_64-linux-gnu', folder)).join(':');
  return [loader, '--library-path', libraries, path.join(root, program.path)];
}

function distributionId(): DistributionId {
  const id = /^ID="?(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  if ((id !== 'debian' && id !== 'ubuntu') || process.arch !== 'x64') {
    throw new Error(`It is not known where to get newer programs for ${id} on ${process.arch}.`);
  }
  return id;
}

function sourceOf({ suites }: Program): PackageSource {
  const id = distributionId();
  return { ...distributions[id], suite: suites[id] };
}

interface PackageSource extends Distribution {
  readonly suite: string;
}

function download({ name, libraries }: Program, source: PackageSource, root: string): void {
  const work = mkdtempSync(path.join(tmpdir(), 'poolcheck-proof-apt-'));
  const apt = aptIn(work, source);
  apt('apt-get', 'update');
  const listed = apt('apt-get', 'install', '--print-uris', '--yes', name);
  const packages = [...listed.matchAll(/^'\S+' (\S+?)_/gm)].flatMap(([, each = '']) =>
    each === name || libraries.test(each) ? [each] : [],
  );
  apt('apt-get', 'download', ...packages);
  const files = readdirSync(work).filter((file) => file.endsWith('.deb'));
  for (const file of files) execFileSync('dpkg-deb', ['-x', path.join(work, file), path.join(work, 'root')]);
  // Another proof may have been faster.
  if (!existsSync(root)) renameSync(path.join(work, 'root'), root);
  rmSync(work, { recursive: true });
}

/** An apt of its own: it knows the newer suite, and that nothing is installed. */
function aptIn(
  work: string,
  { suite, components, mirror, keyring }: PackageSource,
): (program: string, ...args: readonly string[]) => string {
  mkdirSync(path.join(work, 'state/lists/partial'), { recursive: true });
  mkdirSync(path.join(work, 'cache/archives/partial'), { recursive: true });
  writeFileSync(path.join(work, 'sources.list'), `deb [signed-by=${keyring}] ${mirror} ${suite} ${components}\n`);
  const settings = {
    'Dir::State': path.join(work, 'state'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': path.join(work, 'cache'),
    'Dir::Etc::sourcelist': path.join(work, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root',
    'Debug::NoLocking': 'true',
  };
  const config = path.join(work, 'apt.conf');
  writeFileSync(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  const env = { ...process.env, APT_CONFIG: config };
  return (program, ...args) => {
    try {
      return execFileSync(program, args, { cwd: work, env, encoding: 'utf8', stdio: 'pipe' });
    } catch (cause) {
      throw new Error(`${suite} of ${mirror} does not give a newer program: ${program} ${args.join(' ')} failed.`, { cause });
    }
  };
}
