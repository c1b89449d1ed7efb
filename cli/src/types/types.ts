import { posix } from 'node:path';
import { builtOnDriverIn } from '@poolcheck/rules/disk/built-on-driver';
import type { ProjectProblem } from '@poolcheck/rules/finding';
import { groupBy } from '@poolcheck/rules/group';
import { declaredTypesAt, type CheckedProgram } from '@poolcheck/rules/source/types/checker';
import type { TypeOracle } from '@poolcheck/rules/source/types/oracle';
import { Project as Checked, type CompilerOptions } from 'ts-morph';
import { UserError } from '../exit.ts';
import type { TypesIn } from '../load-types.ts';
import { RootFiles } from './root-files.ts';
import { tsconfigsIn } from './tsconfigs.ts';

/**
 * Whatever a tsconfig says: nothing is built, of packages only declarations are read, and JavaScript has types too. What a browser has
 * takes longer to read than all else, and no driver is made of it.
 */
const options: CompilerOptions = {
  lib: ['lib.esnext.d.ts'],
  allowJs: true,
  checkJs: false,
  maxNodeModuleJsDepth: 0,
  noEmit: true,
  incremental: false,
  composite: false,
};

/** What TypeScript knows of a root. Each tsconfig of it is a program of its own, made when it is first asked. */
export const typesIn: TypesIn = (root, project) => {
  const files = new RootFiles(root);
  const { configs, configOf } = tsconfigsIn(project);
  if (configs.length === 0) throw new UserError(`--types needs a tsconfig.json; there is none in ${root}`);
  const problems: ProjectProblem[] = [];

  function programOf(config: string, paths: readonly string[]): CheckedProgram {
    if (!hasPackages(posix.dirname(config))) {
      problems.push({ path: config, message: 'types of packages are not known: no node_modules here or above it in the root' });
    }
    const tsConfigFilePath = posix.join(root, config);
    const checked = new Checked({ fileSystem: files, tsConfigFilePath, skipAddingFilesFromTsConfig: true, compilerOptions: options });
    for (const path of paths) checked.addSourceFileAtPathIfExists(posix.join(root, path));
    return checked.getProgram().compilerObject;
  }

  function hasPackages(folder: string): boolean {
    return files.directoryExistsSync(posix.join(root, folder, 'node_modules')) || (folder !== '.' && hasPackages(posix.dirname(folder)));
  }

  /** What TypeScript cannot cope with is as good as not typed. */
  function oracleOf(config: string, paths: readonly string[]): TypeOracle {
    let program: CheckedProgram | 'failed' | undefined;
    return {
      typesOf(expression) {
        if (program === 'failed') return [];
        try {
          program ??= programOf(config, paths);
          return declaredTypesAt(program, posix.join(root, expression.text.path), expression);
        } catch (error) {
          program = 'failed';
          problems.push({ path: config, message: `types are not known: ${error instanceof Error ? error.message : String(error)}` });
          return [];
        }
      },
    };
  }

  return {
    isBuiltOnDriver: builtOnDriverIn(root),
    about(paths) {
      const declarations = project.list().filter((path) => /\.d\.[cm]?ts$/.test(path));
      const byConfig = groupBy([...new Set([...paths, ...declarations])], configOf);
      const oracles = new Map(
        [...byConfig].flatMap(([config, grouped]) => (config === undefined ? [] : [[config, oracleOf(config, grouped)] as const])),
      );
      return { typesOf: (expression) => oracles.get(configOf(expression.text.path) ?? '')?.typesOf(expression) ?? [] };
    },
    problems: () => problems,
  };
};
