import type { driverExport } from '../knowledge/drivers.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { eitherOf, give, promiseOf, settled, type ExportValue, type Sited, type Value } from './value.ts';

/** What a reader of type annotations asks about the code around them. */
interface Surroundings {
  valueOf(node: Node, module: Module): Value | undefined;
  memberValue(value: Value, name: string): Value | undefined;
  imported(specifier: Node, module: Module): Value | undefined;
  importedNode(specifier: Node, module: Module): Sited | undefined;
  fact(value: ExportValue): ReturnType<typeof driverExport>;
}

/** Answers what type annotations stand for. */
export class Annotations {
  readonly #known: Surroundings;

  constructor(known: Surroundings) {
    this.#known = known;
  }

  /** What a type annotation stands for. */
  of(node: TSESTree.TypeNode, module: Module, depth = 0): Value | undefined {
    if (depth > 10) return undefined;
    switch (node.type) {
      case 'TSTypeReference':
        return this.#typeReference(node, module, depth);
      case 'TSUnionType':
        return eitherOf(node.types.flatMap((part) => this.of(part, module, depth + 1) ?? []));
      case 'TSIntersectionType':
        return node.types.reduce<Value | undefined>((found, part) => found ?? this.of(part, module, depth + 1), undefined);
      case 'TSTypeLiteral':
        return { kind: 'shape', module, members: node.members };
      case 'TSTypeQuery':
        return node.exprName.type === 'Identifier' ? this.#known.valueOf(node.exprName, module) : undefined;
      default:
        return undefined;
    }
  }

  #typeReference(node: TSESTree.TSTypeReference, module: Module, depth: number): Value | undefined {
    const argument = node.typeArguments?.params[0];
    if (node.typeName.type === 'Identifier' && argument) {
      const inner = { Promise: true, Readonly: false, NonNullable: false, Awaited: false, PromiseLike: true }[node.typeName.name];
      const value = inner === undefined ? undefined : this.of(argument, module, depth + 1);
      if (value) return inner ? promiseOf(value) : settled(value);
    }
    return this.named(node.typeName, module, depth);
  }

  /** What the name of a type stands for. */
  named(name: Node, module: Module, depth = 0): Value | undefined {
    const named = this.#typeName(name, module, depth);
    if (named?.kind === 'class') return { kind: 'instance', at: named.at };
    if (named?.kind !== 'export') return named;
    const known = this.#known.fact(named);
    return known?.fact.type === undefined ? undefined : give(known.driver, { resource: known.fact.type, as: 'value' }, undefined, false);
  }

  #typeName(name: Node, module: Module, depth: number): Value | undefined {
    if (name.type === 'TSQualifiedName') {
      const left = this.#typeName(name.left, module, depth);
      return left && this.#known.memberValue(left, name.right.name);
    }
    if (name.type !== 'Identifier') return this.#known.valueOf(name, module);
    const definition = module.variableOf(name)?.defs[0];
    if (definition?.type === 'ImportBinding') return this.#importedType(definition.node, module, depth);
    return definition ? this.#declaredType(definition.node, module, depth) : undefined;
  }

  #importedType(specifier: Node, module: Module, depth: number): Value | undefined {
    const value = this.#known.imported(specifier, module);
    if (value) return value;
    const at = this.#known.importedNode(specifier, module);
    if (!at) return undefined;
    const declaration = at.node.type === 'Identifier' ? at.module.variableOf(at.node)?.defs[0]?.node : at.node;
    return declaration && this.#declaredType(declaration, at.module, depth);
  }

  #declaredType(node: Node, module: Module, depth: number): Value | undefined {
    if (node.type === 'TSInterfaceDeclaration') {
      const extended = node.extends[0]?.expression;
      const base = node.body.body.length === 0 && extended ? this.#known.valueOf(extended, module) : undefined;
      return base ?? { kind: 'shape', module, members: node.body.body };
    }
    if (node.type === 'TSTypeAliasDeclaration') return this.of(node.typeAnnotation, module, depth + 1);
    return node.type === 'ClassDeclaration' ? this.#known.valueOf(node, module) : undefined;
  }
}
