// Bundles the two published packages. Node 20 runs no TypeScript, so this is JavaScript.
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const repository = fileURLToPath(new URL('..', import.meta.url));

await bundle('cli', { main: 'src/bin.ts' });
chmodSync(join(repository, 'cli/dist/main.js'), 0o755);
copy('docs/rules', 'cli/docs/rules');
copy('README.md', 'cli/README.md');
copy('LICENSE', 'cli/LICENSE');

await bundle('eslint-plugin', { index: 'src/index.ts' });
copy('LICENSE', 'eslint-plugin/LICENSE');

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
    // Some packages' CommonJS cannot be bundled; their modules can.
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => outside.some((dependency) => id === dependency || id.startsWith(`${dependency}/`)),
  });
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const { output } = await build.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
  writeFileSync(join(folder, 'dist/licenses.txt'), licensesOf(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))));
}

/** What is published but lives at the top of the repository. */
function copy(from, to) {
  rmSync(join(repository, to), { recursive: true, force: true });
  if (existsSync(join(repository, from))) cpSync(join(repository, from), join(repository, to), { recursive: true });
}

/** What the bundled packages ask to be carried along. */
function licensesOf(modules) {
  const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter((folder) => folder !== undefined);
  return [...new Set(folders)].sort().map(licenseIn).join('\n');
}

function licenseIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
