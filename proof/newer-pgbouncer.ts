import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface Distribution {
  /** One that has PgBouncer 1.24 or later. */
  readonly suite: string;
  readonly components: string;
  readonly mirror: string;
  readonly keyring: string;
}

const distributions: Readonly<Record<string, Distribution>> = {
  debian: {
    suite: 'trixie',
    components: 'main',
    mirror: 'http://deb.debian.org/debian',
    keyring: '/usr/share/keyrings/debian-archive-keyring.gpg',
  },
  ubuntu: {
    suite: 'questing',
    components: 'main universe',
    mirror: 'http://archive.ubuntu.com/ubuntu',
    keyring: '/usr/share/keyrings/ubuntu-archive-keyring.gpg',
  },
};

/** What PgBouncer is linked with; its other dependencies are for installing it. */
const needed =
  /^(pgbouncer|lib(c6|cap2|cares2|event-2\.1-7t64|gcc-s1|pam0g|ssl3t64|systemd0|zstd1|audit1|cap-ng0|crypt1|selinux1|pcre2-8-0)|zlib1g)$/;

/** The command of a PgBouncer that is newer than the installed one. It is downloaded once, and runs with libraries of its own. */
export function newerPgBouncer(): readonly [program: string, ...args: string[]] {
  const root = path.join(tmpdir(), `poolcheck-proof-pgbouncer-${distribution().suite}`);
  if (!existsSync(root)) download(root);
  const loader = path.join(root, 'usr/lib64/ld-linux-x86-64.so.2');
  const libraries = ['', 'systemd'].map((folder) => path.join(root, 'usr/lib/x86_64-linux-gnu', folder)).join(':');
  return [loader, '--library-path', libraries, path.join(root, 'usr/sbin/pgbouncer')];
}

function distribution(): Distribution {
  const id = /^ID="?(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  const found = distributions[id];
  if (!found || process.arch !== 'x64') throw new Error(`It is not known where to get a newer PgBouncer for ${id} on ${process.arch}.`);
  return found;
}

function download(root: string): void {
  const work = mkdtempSync(path.join(tmpdir(), 'poolcheck-proof-apt-'));
  const apt = aptIn(work);
  apt('apt-get', 'update');
  const listed = apt('apt-get', 'install', '--print-uris', '--yes', 'pgbouncer');
  const packages = [...listed.matchAll(/^'\S+' (\S+?)_/gm)].flatMap(([, name = '']) => (needed.test(name) ? [name] : []));
  apt('apt-get', 'download', ...packages);
  const files = readdirSync(work).filter((file) => file.endsWith('.deb'));
  for (const file of files) execFileSync('dpkg-deb', ['-x', path.join(work, file), path.join(work, 'root')]);
  // Another proof may have been faster.
  if (!existsSync(root)) renameSync(path.join(work, 'root'), root);
  rmSync(work, { recursive: true });
}

/** An apt of its own: it knows the newer suite, and that nothing is installed. */
function aptIn(work: string): (program: string, ...args: readonly string[]) => string {
  const { suite, components, mirror, keyring } = distribution();
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
  return (program, ...args) =>
    execFileSync(program, args, { cwd: work, env: { ...process.env, APT_CONFIG: config }, encoding: 'utf8', stdio: 'pipe' });
}
