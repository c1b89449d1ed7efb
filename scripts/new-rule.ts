// npm run new-rule <id>: the file, the page, the fixtures and the line in the catalogue of a rule.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bad, good, near, page, rule } from './new-rule/templates.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const catalogue = 'rules/src/catalogue.ts';

const [id = ''] = process.argv.slice(2);
const complaint = complaintAbout(id);
if (complaint === undefined) await make(id);
else {
  console.error(complaint);
  process.exitCode = 1;
}

function complaintAbout(name: string): string | undefined {
  if (!/^[a-z]+(-[a-z]+)+$/.test(name)) return 'npm run new-rule <id>, where the id is some-words-with-dashes, like "no-pool-per-request".';
  return existsSync(join(repository, ruleFile(name))) ? `There is a rule "${name}" already: ${ruleFile(name)}` : undefined;
}

async function make(name: string): Promise<void> {
  const files = {
    [ruleFile(name)]: rule(name),
    [`docs/rules/${name}.md`]: page,
    [`rules/fixtures/${name}/bad-example/src/db.ts`]: bad,
    [`rules/fixtures/${name}/good-example/src/db.ts`]: good,
    [`rules/fixtures/${name}/near-example/src/db.ts`]: near,
    [catalogue]: await listed(name, readFileSync(join(repository, catalogue), 'utf8')),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  }
  console.log(`${Object.keys(files).join('\n')}\n\nNow, as in CONTRIBUTING.md:
  write what must be found into bad-example, and what must not into good-example and near-example
  write the rule until this passes:  npx vitest run cli/src/rule-fixtures.test.ts -t ${name} -u
  write the page; its head comes from:  npm run docs`);
}

function ruleFile(name: string): string {
  return `rules/src/rules/${name}.ts`;
}

/** The catalogue with one more rule, in order. */
async function listed(name: string, source: string): Promise<string> {
  const imports = /(?:^import \w+ from '\.\/rules\/.*\n)+/m;
  const lines = [...(imports.exec(source)?.[0].trimEnd().split('\n') ?? []), `import ${variable(name)} from './rules/${name}.ts';`];
  const sorted = lines.toSorted((a, b) => (idIn(a) < idIn(b) ? -1 : 1));
  const names = sorted.map((line) => variable(idIn(line)));
  const changed = source
    .replace(imports, () => `${sorted.join('\n')}\n`)
    .replace(/(catalogue: readonly Rule\[\] = )\[[^\]]*\]/, (_, before: string) => `${before}[${names.join(', ')}]`);
  const { format, resolveConfig } = await import('prettier');
  const path = join(repository, catalogue);
  return format(changed, { ...(await resolveConfig(path)), filepath: path });
}

function idIn(line: string): string {
  return /\/rules\/([\w-]+)\.ts/.exec(line)?.[1] ?? '';
}

function variable(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
