// Bundles the two published packages. Node 20 runs no TypeScript, so this is JavaScript.
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const repository = fileURLToPath(new URL('..', import.meta.url));

await bundle('cli', { main: 'src/bin.ts' });
chmodSync(join(repository, 'cli/dist/main.js'), 0o755);
copyPages('cli/docs/rules');
await bundle('eslint-plugin', { index: 'src/index.ts' });

/** Everything is bundled but what the package depends on. */
async function bundle(name, input) {
  const folder = join(repository, name);
  if (!Object.values(input).every((entry) => existsSync(join(folder, entry)))) return;
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const outside = Object.keys({ ...dependencies, ...peerDependencies });
  const build = await rolldown({
    cwd: folder,
    input,
    platform: 'node',
    external: (id) => outside.some((dependency) => id === dependency || id.startsWith(`${dependency}/`)),
  });
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  await build.write({ dir: join(folder, 'dist'), format: 'esm', comments: { legal: true, annotation: false, jsdoc: false } });
  await build.close();
}

function copyPages(to) {
  rmSync(join(repository, to), { recursive: true, force: true });
  cpSync(join(repository, 'docs/rules'), join(repository, to), { recursive: true });
}
