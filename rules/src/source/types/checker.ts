import type { Place, Range } from '@poolcheck/parsers/text';
import { declaredIn, type DeclaredType } from '../../knowledge/declared-type.ts';

/*
 * The little of TypeScript's compiler that is needed. The command has it from ts-morph, the plugin from whatever version
 * typescript-eslint runs on: to the type system these are strangers to each other.
 */

/** A program of TypeScript's: files, and what is known of them. */
export interface CheckedProgram {
  getSourceFile(path: string): CheckedFile | undefined;
  getTypeChecker(): Checker;
}

interface CheckedFile extends SyntaxNode {
  readonly text: string;
}

interface Checker {
  getTypeAtLocation(node: SyntaxNode): CheckedType;
  getApparentType(type: CheckedType): CheckedType;
  getDeclaredTypeOfSymbol(symbol: CheckedSymbol): CheckedType;
  getFullyQualifiedName(symbol: CheckedSymbol): string;
}

/** A node of TypeScript's own tree. */
interface SyntaxNode {
  readonly end: number;
  getStart(): number;
  forEachChild<Answer>(visit: (child: SyntaxNode) => Answer | undefined): Answer | undefined;
}

interface CheckedType {
  readonly aliasSymbol?: CheckedSymbol | undefined;
  getSymbol(): CheckedSymbol | undefined;
  getNonNullableType(): CheckedType;
  getBaseTypes(): readonly CheckedType[] | undefined;
  isUnion(): this is CompositeType;
  isIntersection(): this is CompositeType;
}

interface CompositeType extends CheckedType {
  readonly types: readonly CheckedType[];
}

interface CheckedSymbol {
  getDeclarations(): readonly { getSourceFile(): { readonly fileName: string } }[] | undefined;
}

const depthLimit = 10;

/**
 * The type of the expression at a place, then those it is derived from, nearest first; `path` is where the program has its file.
 * A file that reads otherwise there is not the one that is asked about.
 */
export function declaredTypesAt(program: CheckedProgram, path: string, { text, range }: Place): readonly DeclaredType[] {
  const file = program.getSourceFile(path);
  if (file?.text !== text.content) return [];
  // A node knows where it starts only once the checker has been made.
  const checker = program.getTypeChecker();
  const node = nodeAt(file, range);
  return node ? typesIn(checker, checker.getTypeAtLocation(node), 0) : [];
}

function nodeAt(node: SyntaxNode, range: Range): SyntaxNode | undefined {
  if (node.end < range.end) return undefined;
  const start = node.getStart();
  if (start > range.start) return undefined;
  if (start === range.start && node.end === range.end) return node;
  return node.forEachChild((child) => nodeAt(child, range));
}

function typesIn(checker: Checker, written: CheckedType, depth: number): readonly DeclaredType[] {
  if (depth > depthLimit) return [];
  const type = checker.getApparentType(written.getNonNullableType());
  const inside = (parts: readonly CheckedType[]) => parts.map((part) => typesIn(checker, part, depth + 1));
  if (type.isUnion()) return inAll(inside(type.types));
  const alias = type.aliasSymbol ? declarationsOf(checker, type.aliasSymbol) : [];
  if (type.isIntersection()) return [...alias, ...inside(type.types).flat()];
  const symbol = type.getSymbol();
  if (!symbol) return alias;
  // An instantiated generic type has no bases of its own; what its name was declared as has.
  const bases = checker.getDeclaredTypeOfSymbol(symbol).getBaseTypes() ?? [];
  return [...alias, ...declarationsOf(checker, symbol), ...inside(bases).flat()];
}

/** What each of several possible types is. */
function inAll([first = [], ...others]: readonly (readonly DeclaredType[])[]): readonly DeclaredType[] {
  return first.filter((type) => others.every((each) => each.some((other) => isSame(type, other))));
}

function isSame(a: DeclaredType, b: DeclaredType): boolean {
  return a.package === b.package && a.file === b.file && a.name === b.name;
}

function declarationsOf(checker: Checker, symbol: CheckedSymbol): readonly DeclaredType[] {
  // `"/…/node_modules/knex/types/index".Knex.Transaction`, or `__type` for what has no name.
  const name = checker.getFullyQualifiedName(symbol).replace(/^"[^"]*"\./, '');
  if (name.startsWith('__')) return [];
  return (symbol.getDeclarations() ?? []).flatMap((declaration) => {
    const place = declaredIn(declaration.getSourceFile().fileName);
    return place ? [{ ...place, name: name === 'default' ? '' : name }] : [];
  });
}
