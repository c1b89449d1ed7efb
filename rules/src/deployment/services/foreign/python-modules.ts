import type { Text } from '@poolcheck/parsers/text';
import { type Command, programName } from '../../command.ts';
import { folderOf } from '../../paths.ts';
import type { Run } from '../runs.ts';
import { withoutLanguageRunner } from '../told-settings.ts';

/** The files of Python that programs load, from what they start and through imports; undefined when it is not known what they start. */
export function loadedPython(runs: readonly Run[], texts: readonly Text[]): readonly Text[] | undefined {
  const started = runs.flatMap(({ program }) => startedBy(withoutLanguageRunner(program)));
  const entries = started.map((module) => findModule(module, '', texts));
  const known = entries.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < entries.length) return undefined;
  const seen = new Set(known);
  for (const text of seen) for (const name of importsIn(text)) addModule(name, text, texts, seen);
  return [...seen];
}

/** `gunicorn app.main:app`, `celery -A app.worker`, `python app/main.py`, `fastapi run app/main.py` */
function startedBy(program: Command): readonly string[] {
  const name = programName(program);
  const words = program.map(({ value }) => value);
  if (name === 'celery')
    return words.flatMap((word, at) => (/^(-A|--app)$/.test(word) ? (words[at + 1] ?? []) : (/^--app=(.+)$/.exec(word)?.[1] ?? [])));
  const script = words.slice(1).find((word) => /\.py$/.test(word));
  if (script !== undefined && /^(python|fastapi|flask)/.test(name))
    return [
      script
        .replace(/\.py$/, '')
        .replace(/^\.?\//, '')
        .replaceAll('/', '.'),
    ];
  return words.slice(1).flatMap((word) => /^([A-Za-z_][\w.]*):\w+(\(\))?$/.exec(word)?.[1] ?? []);
}

const importPattern = /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]+))|import[ \t]+([\w., ]+))/gm;

/** Dotted names; of `from a import b` both `a` and `a.b` may be modules. */
function importsIn({ content }: Text): readonly string[] {
  return [...content.matchAll(importPattern)].flatMap(([, from, many, line, plain]) => {
    const names = (many ?? line ?? plain ?? '').split(',').map((name) => name.trim().split(/\s/)[0] ?? '');
    if (from === undefined) return names;
    return [from, ...names.map((name) => (from.endsWith('.') ? from + name : `${from}.${name}`))];
  });
}

function addModule(name: string, { path }: Text, texts: readonly Text[], seen: Set<Text>): void {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0;
  const around = Array.from({ length: Math.max(0, dots - 1) }).reduce<string>((folder) => folderOf(folder), folderOf(path));
  const found = findModule(name.slice(dots), dots === 0 ? '' : around, texts);
  if (found) seen.add(found);
}

/** The file of a module: in a folder, or the one in all of them. */
function findModule(name: string, folder: string, texts: readonly Text[]): Text | undefined {
  const path = name.replaceAll('.', '/');
  if (path === '') return undefined;
  const ends = [`${path}.py`, `${path}/__init__.py`];
  if (folder !== '') return texts.find((text) => ends.some((end) => text.path === `${folder}/${end}`));
  const found = texts.filter((text) => ends.some((end) => text.path === end || text.path.endsWith(`/${end}`)));
  return found.length === 1 ? found[0] : undefined;
}
