import { projectOf } from '../project.ts';
import { programOf } from '../source/program.ts';

/** What becomes of each lease that some files take, or a single one, in order: the kind of its leak, or 'ok'; `only` looks at one of them. */
export function fatesIn(files: string | Readonly<Record<string, string>>, only?: string): readonly string[] {
  const program = programOf(projectOf(typeof files === 'string' ? { 'src/a.ts': files } : files));
  const modules = program.modules.filter(({ path }) => only === undefined || path === only);
  return modules.flatMap((module) => program.leases.in(module).map((site) => program.leases.leak(site)?.kind ?? 'ok'));
}
