/** A type by its declaration in a package. */
export interface DeclaredType {
  /** As code imports it: `pg` for what `@types/pg` declares. */
  readonly package: string;
  /** The file of the package that declares it, without its extension: `promise`, `types/index`. */
  readonly file: string;
  /** With the namespaces around it: `Pool`, `Knex.Transaction`; empty for a default export without a name. */
  readonly name: string;
}

const inPackage = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.+?)(?:\.d)?\.[cm]?tsx?$/;

/** The package that a declaration file belongs to; undefined for a file outside all packages. */
export function declaredIn(path: string): Pick<DeclaredType, 'package' | 'file'> | undefined {
  const [, name, file] = inPackage.exec(path) ?? [];
  return name === undefined || file === undefined ? undefined : { package: typedPackage(name), file };
}

/** The package that another one holds the types of: `@types/acme__db` those of `@acme/db`. */
function typedPackage(name: string): string {
  const typed = /^@types\/(.+)$/.exec(name)?.[1];
  return typed?.replace(/^(.+?)__/, '@$1/') ?? name;
}
