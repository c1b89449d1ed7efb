import { posix } from 'node:path';
import type { Place } from '@poolcheck/parsers/text';
import type { ProjectProblem } from '@poolcheck/rules/finding';
import type { DeclaredType } from '@poolcheck/rules/knowledge/declared-type';
import { declaredTypesAt, type CheckedProgram } from '@poolcheck/rules/source/types/checker';
import type { TypeOracle } from '@poolcheck/rules/source/types/oracle';
import { Project, type CompilerOptions } from 'ts-morph';
import type { RootFiles } from './root-files.ts';

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

/** What TypeScript knows of the files under one tsconfig. They are read when it is first asked. */
export class TsconfigTypes implements TypeOracle {
  readonly #files: RootFiles;
  readonly #config: string;
  readonly #paths: readonly string[];
  #program: CheckedProgram | undefined;
  #problem: string | undefined;

  constructor(files: RootFiles, config: string, paths: readonly string[]) {
    this.#files = files;
    this.#config = config;
    this.#paths = paths;
  }

  get problem(): ProjectProblem | undefined {
    return this.#problem === undefined ? undefined : { path: this.#config, message: `types are not known: ${this.#problem}` };
  }

  /** What TypeScript cannot cope with is as good as not typed. */
  typesOf(expression: Place): readonly DeclaredType[] {
    if (this.#problem !== undefined) return [];
    try {
      this.#program ??= this.#read();
      return declaredTypesAt(this.#program, this.#at(expression.text.path), expression);
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      return [];
    }
  }

  #read(): CheckedProgram {
    if (!this.#hasPackages(posix.dirname(this.#config))) throw new Error('there is no node_modules here or above in the root');
    const tsConfigFilePath = this.#at(this.#config);
    const project = new Project({ fileSystem: this.#files, tsConfigFilePath, skipAddingFilesFromTsConfig: true, compilerOptions: options });
    for (const path of this.#paths) project.addSourceFileAtPathIfExists(this.#at(path));
    return project.getProgram().compilerObject;
  }

  #hasPackages(folder: string): boolean {
    if (this.#files.directoryExistsSync(this.#at(`${folder}/node_modules`))) return true;
    return folder !== '.' && this.#hasPackages(posix.dirname(folder));
  }

  #at(path: string): string {
    return posix.join(this.#files.getCurrentDirectory(), path);
  }
}
