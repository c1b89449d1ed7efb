import { join } from 'node:path';
import { builtOnDriverIn } from '@poolcheck/rules/disk/built-on-driver';
import { declaredTypesAt, type CheckedProgram } from '@poolcheck/rules/source/types/checker';
import type { TypeOracle, Types } from '@poolcheck/rules/source/types/oracle';

/** The program of TypeScript's that the host's parser has made, and the tsconfig that it was made by. */
export interface HostProgram extends CheckedProgram {
  getCompilerOptions(): { readonly configFilePath?: unknown };
}

/** The program that a file was parsed with, when the user has typescript-eslint look at types. */
export function hostProgramOf({ parserServices }: Services): HostProgram | undefined {
  const { program } = parserServices;
  return isProgram(program) ? program : undefined;
}

/** The part of ESLint's SourceCode that a parser fills. */
interface Services {
  readonly parserServices: { readonly program?: unknown };
}

function isProgram(value: unknown): value is HostProgram {
  return typeof value === 'object' && value !== null && 'getTypeChecker' in value && 'getCompilerOptions' in value;
}

/** What the host's TypeScript knows of a root, which is a real path. */
export class HostTypes implements Types {
  readonly isBuiltOnDriver: Types['isBuiltOnDriver'];
  readonly #root: string;
  #program: HostProgram;

  constructor(root: string, program: HostProgram) {
    this.isBuiltOnDriver = builtOnDriverIn(root);
    this.#root = root;
    this.#program = program;
  }

  /** The host makes its program anew when a file changes. */
  use(program: HostProgram): void {
    this.#program = program;
  }

  about(): TypeOracle {
    return { typesOf: (expression) => declaredTypesAt(this.#program, join(this.#root, expression.text.path), expression) };
  }

  problems(): readonly [] {
    return [];
  }
}
