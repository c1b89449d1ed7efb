import { builtOnDriverIn } from '@poolcheck/rules/disk/built-on-driver';
import { groupBy } from '@poolcheck/rules/group';
import { UserError } from '../exit.ts';
import type { TypesIn } from '../load-types.ts';
import { RootFiles } from './root-files.ts';
import { TsconfigTypes } from './tsconfig-types.ts';
import { tsconfigsIn } from './tsconfigs.ts';

/** What TypeScript knows of a root. The files of each tsconfig are a program of their own. */
export const typesIn: TypesIn = (root, project) => {
  const { configs, configOf } = tsconfigsIn(project);
  if (configs.length === 0) throw new UserError(`--types needs a tsconfig.json; there is none in ${root}`);
  const files = new RootFiles(root);
  const byConfig = new Map<string | undefined, TsconfigTypes>();
  return {
    isBuiltOnDriver: builtOnDriverIn(root),
    about(paths) {
      const declarations = project.list().filter((path) => /\.d\.[cm]?ts$/.test(path));
      for (const [config, grouped] of groupBy(new Set([...paths, ...declarations]), configOf)) {
        if (config !== undefined) byConfig.set(config, new TsconfigTypes(files, config, grouped));
      }
      return { typesOf: (expression) => byConfig.get(configOf(expression.text.path))?.typesOf(expression) ?? [] };
    },
    problems: () => [...byConfig.values()].flatMap(({ problem }) => problem ?? []),
  };
};
