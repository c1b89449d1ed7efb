import { childrenOf } from '@poolcheck/parsers/javascript/parse';
import { bare, isFunction, propertyName } from './module.ts';
import type { FunctionNode, Node, TSESTree } from './module.ts';
import { isPromiseChain } from './promises.ts';
import type { Step } from './steps.ts';

/** A function with more steps than this is not analysed. */
const mostSteps = 20_000;

/** The graph of a function body: its first step; undefined when it is too large. */
export function controlFlow(fn: FunctionNode): Step | undefined {
  return new Builder().function(fn.body);
}

/** Where control goes when it leaves the straight line. Targets are made when first needed: each may copy `finally` blocks. */
interface Targets {
  readonly raise: () => Step;
  readonly returned: () => Step;
  readonly jumps: readonly Jump[];
  /** Where an optional chain ends when it meets null. */
  readonly chainEnd?: Step;
  /** In a callback of a promise chain, a returned promise is waited for. */
  readonly awaitsReturn?: boolean;
}

interface Jump {
  readonly label: string | undefined;
  readonly isLoop: boolean;
  readonly toBreak: () => Step;
  readonly toContinue: (() => Step) | undefined;
}

class TooLarge extends Error {}

class Builder {
  #steps = 0;

  function(body: TSESTree.BlockStatement | TSESTree.Expression): Step | undefined {
    const raised: Step = { kind: 'raised' };
    const returned: Step = { kind: 'returned' };
    const targets: Targets = { raise: () => raised, returned: () => returned, jumps: [] };
    try {
      return body.type === 'BlockStatement' ? this.#statements(body.body, returned, targets) : this.#returned(body, targets);
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  #evaluate(node: Node, next: Step, targets: Targets): Step {
    return this.#count({ kind: 'evaluate', node, next, raise: canRaise(node) ? targets.raise() : undefined });
  }

  #count(step: Step): Step {
    if (++this.#steps > mostSteps) throw new TooLarge();
    return step;
  }

  #statements(nodes: readonly Node[], next: Step, targets: Targets): Step {
    return nodes.reduceRight((after, node) => this.#statement(node, after, targets), next);
  }

  #statement(node: Node, next: Step, targets: Targets): Step {
    switch (node.type) {
      case 'BlockStatement':
      case 'StaticBlock':
        return this.#statements(node.body, next, targets);
      case 'ExpressionStatement':
        return this.#expression(node.expression, next, targets);
      case 'VariableDeclaration':
        return node.declarations.reduceRight((after, declarator) => this.#declarator(declarator, after, targets), next);
      case 'IfStatement':
        return this.#test(
          node.test,
          this.#statement(node.consequent, next, targets),
          node.alternate ? this.#statement(node.alternate, next, targets) : next,
          targets,
        );
      case 'ReturnStatement':
        if (!node.argument) return this.#evaluate(node, targets.returned(), targets);
        return this.#returned(node.argument, targets);
      case 'ThrowStatement':
        return this.#expression(node.argument, this.#count({ kind: 'throw', node, raise: targets.raise() }), targets);
      case 'TryStatement':
        return this.#try(node, next, targets);
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#loop(node, undefined, next, targets);
      case 'SwitchStatement':
        return this.#switch(node, next, targets);
      case 'LabeledStatement':
        return this.#labeled(node, next, targets);
      case 'BreakStatement':
        return this.#evaluate(node, jumpFor(node, targets)?.toBreak() ?? next, targets);
      case 'ContinueStatement':
        return this.#evaluate(node, jumpFor(node, targets)?.toContinue?.() ?? next, targets);
      case 'ClassDeclaration':
        return this.#evaluate(node, next, targets);
      case 'ExportNamedDeclaration':
        return node.declaration ? this.#statement(node.declaration, next, targets) : next;
      default:
        return next;
    }
  }

  #declarator(node: TSESTree.VariableDeclarator, next: Step, targets: Targets): Step {
    const declare = this.#evaluate(node, next, targets);
    return node.init ? this.#expression(node.init, declare, targets) : declare;
  }

  /** `return argument`, or the body of an arrow function. */
  #returned(argument: TSESTree.Expression, targets: Targets): Step {
    const returned = targets.returned();
    const end = argument.parent.type === 'ReturnStatement' ? this.#evaluate(argument.parent, returned, targets) : returned;
    if (isPromiseChain(argument)) return this.#promise(argument, end, targets.raise(), targets);
    const waits = targets.awaitsReturn && argument.type === 'CallExpression';
    return this.#expression(argument, waits ? this.#settle(argument, end, targets.raise()) : end, targets);
  }

  #settle(node: Node, next: Step, raise: Step): Step {
    return this.#count({ kind: 'settle', node, next, raise });
  }

  #try(node: TSESTree.TryStatement, next: Step, targets: Targets): Step {
    const { block, handler, finalizer } = node;
    const copies = new Map<Step, Step>();
    const through = (after: Step): Step => {
      if (!finalizer) return after;
      const copy = copies.get(after) ?? this.#statements(finalizer.body, after, targets);
      copies.set(after, copy);
      return copy;
    };
    const outer: Targets = {
      ...targets,
      raise: once(() => through(targets.raise())),
      returned: once(() => through(targets.returned())),
      jumps: targets.jumps.map((jump) => ({
        ...jump,
        toBreak: once(() => through(jump.toBreak())),
        toContinue: jump.toContinue && once(() => through(jump.toContinue?.() ?? next)),
      })),
    };
    const end = through(next);
    const handled = handler && once(() => this.#statements(handler.body.body, end, outer));
    return this.#statements(block.body, end, { ...outer, raise: handled ?? outer.raise });
  }

  #labeled(node: TSESTree.LabeledStatement, next: Step, targets: Targets): Step {
    const { body, label } = node;
    if (isLoop(body)) return this.#loop(body, label.name, next, targets);
    const jump: Jump = { label: label.name, isLoop: false, toBreak: () => next, toContinue: undefined };
    return this.#statement(body, next, { ...targets, jumps: [jump, ...targets.jumps] });
  }

  #loop(node: Loop, label: string | undefined, next: Step, targets: Targets): Step {
    const head: Extract<Step, { kind: 'join' }> = { kind: 'join', next: undefined };
    const within = (toContinue: Step): Targets => ({
      ...targets,
      jumps: [{ label, isLoop: true, toBreak: () => next, toContinue: () => toContinue }, ...targets.jumps],
    });
    switch (node.type) {
      case 'WhileStatement':
        head.next = this.#test(node.test, this.#statement(node.body, head, within(head)), next, targets);
        return head;
      case 'DoWhileStatement': {
        const test = this.#test(node.test, head, next, targets);
        head.next = this.#statement(node.body, test, within(test));
        return head;
      }
      case 'ForStatement': {
        const update = node.update ? this.#expression(node.update, head, targets) : head;
        const body = this.#statement(node.body, update, within(update));
        head.next = node.test ? this.#test(node.test, body, next, targets) : body;
        if (!node.init) return head;
        return node.init.type === 'VariableDeclaration'
          ? this.#statement(node.init, head, targets)
          : this.#expression(node.init, head, targets);
      }
      default: {
        const body = this.#statement(node.body, head, within(head));
        const branch = this.#count({ kind: 'branch', test: node, ifTrue: body, ifFalse: next });
        head.next = node.type === 'ForOfStatement' && node.await ? this.#evaluate(node, branch, targets) : branch;
        return this.#expression(node.right, head, targets);
      }
    }
  }

  #switch(node: TSESTree.SwitchStatement, next: Step, targets: Targets): Step {
    const jump: Jump = { label: undefined, isLoop: false, toBreak: () => next, toContinue: undefined };
    const inside: Targets = { ...targets, jumps: [jump, ...targets.jumps] };
    let body = next;
    const bodies = new Map<Node, Step>();
    for (const each of node.cases.toReversed()) {
      body = this.#statements(each.consequent, body, inside);
      bodies.set(each, body);
    }
    const fallback = node.cases.find((each) => !each.test);
    const tests = node.cases.reduceRight<Step>(
      (otherwise, each) => {
        const matched = bodies.get(each) ?? next;
        if (!each.test) return otherwise;
        return this.#expression(each.test, this.#count({ kind: 'branch', test: each, ifTrue: matched, ifFalse: otherwise }), targets);
      },
      (fallback && bodies.get(fallback)) ?? next,
    );
    return this.#expression(node.discriminant, tests, targets);
  }

  /** Evaluates a condition for its truth. */
  #test(node: Node, ifTrue: Step, ifFalse: Step, targets: Targets): Step {
    if (node.type === 'UnaryExpression' && node.operator === '!') return this.#test(node.argument, ifFalse, ifTrue, targets);
    if (node.type === 'LogicalExpression' && node.operator === '&&') {
      return this.#test(node.left, this.#test(node.right, ifTrue, ifFalse, targets), ifFalse, targets);
    }
    if (node.type === 'LogicalExpression' && node.operator === '||') {
      return this.#test(node.left, ifTrue, this.#test(node.right, ifTrue, ifFalse, targets), targets);
    }
    if (node.type === 'Literal') return node.value ? ifTrue : ifFalse;
    return this.#expression(node, this.#count({ kind: 'branch', test: node, ifTrue, ifFalse }), targets);
  }

  #expression(node: Node, next: Step, targets: Targets): Step {
    switch (node.type) {
      case 'Identifier':
      case 'ClassExpression':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#evaluate(node, next, targets);
      case 'LogicalExpression': {
        const right = this.#expression(node.right, next, targets);
        return node.operator === '&&' ? this.#test(node.left, right, next, targets) : this.#test(node.left, next, right, targets);
      }
      case 'ConditionalExpression':
        return this.#test(
          node.test,
          this.#expression(node.consequent, next, targets),
          this.#expression(node.alternate, next, targets),
          targets,
        );
      case 'AssignmentExpression':
        return this.#assignment(node, next, targets);
      case 'ChainExpression':
        return this.#expression(node.expression, next, { ...targets, chainEnd: next });
      case 'MemberExpression': {
        const computed = node.computed ? this.#expression(node.property, next, targets) : next;
        return this.#expression(node.object, this.#optional(node, node.object, computed, targets), targets);
      }
      case 'CallExpression': {
        if (isPromiseChain(node)) return this.#promise(node, next, next, targets);
        const call = this.#evaluate(node, next, targets);
        const operands = node.arguments.reduceRight<Step>((after, argument) => this.#expression(argument, after, targets), call);
        return this.#expression(node.callee, this.#optional(node, node.callee, operands, targets), targets);
      }
      case 'AwaitExpression':
        if (isPromiseChain(node.argument)) return this.#promise(node.argument, next, targets.raise(), targets);
        return this.#expression(node.argument, this.#evaluate(node, next, targets), targets);
      case 'SpreadElement':
        return this.#expression(node.argument, next, targets);
      case 'Property':
        return this.#expression(node.value, node.computed ? this.#expression(node.key, next, targets) : next, targets);
      default:
        if (bare(node) !== node) return this.#expression(bare(node), next, targets);
        return childrenOf(node).reduceRight<Step>(
          (after, child) => this.#expression(child, after, targets),
          canRaise(node) ? this.#evaluate(node, next, targets) : next,
        );
    }
  }

  #optional(node: { readonly optional: boolean }, tested: Node, next: Step, { chainEnd }: Targets): Step {
    return node.optional && chainEnd ? this.#count({ kind: 'branch', test: tested, ifTrue: next, ifFalse: chainEnd }) : next;
  }

  #assignment(node: TSESTree.AssignmentExpression, next: Step, targets: Targets): Step {
    const assign = this.#expression(node.right, this.#evaluate(node, next, targets), targets);
    if (node.operator === '&&=') return this.#test(node.left, assign, next, targets);
    if (node.operator === '??=' || node.operator === '||=') return this.#test(node.left, next, assign, targets);
    return node.left.type === 'MemberExpression' ? this.#expression(node.left.object, assign, targets) : assign;
  }

  /** A promise that is waited for, with the callbacks of its chain run in place. */
  #promise(node: Node, fulfilled: Step, rejected: Step, targets: Targets): Step {
    if (!isPromiseChain(node)) return this.#expression(node, this.#settle(node, fulfilled, rejected), targets);
    const { object } = node.callee;
    const [first, second] = node.arguments;
    switch (propertyName(node.callee)) {
      case 'then':
        return this.#promise(
          object,
          this.#callback(first, fulfilled, fulfilled, rejected, targets),
          this.#callback(second, rejected, fulfilled, rejected, targets),
          targets,
        );
      case 'catch':
        return this.#promise(object, fulfilled, this.#callback(first, rejected, fulfilled, rejected, targets), targets);
      default:
        return this.#promise(
          object,
          this.#callback(first, fulfilled, fulfilled, rejected, targets),
          this.#callback(first, rejected, rejected, rejected, targets),
          targets,
        );
    }
  }

  /** Runs a callback in place; what is not a function literal is passed over to `otherwise`. */
  #callback(fn: Node | undefined, otherwise: Step, returned: Step, raised: Step, targets: Targets): Step {
    if (!fn) return otherwise;
    if (!isFunction(fn)) return this.#expression(fn, this.#evaluate(fn.parent ?? fn, otherwise, targets), targets);
    const inside: Targets = { raise: () => raised, returned: () => returned, jumps: [], awaitsReturn: true };
    return fn.body.type === 'BlockStatement' ? this.#statements(fn.body.body, returned, inside) : this.#returned(fn.body, inside);
  }
}

type Loop = TSESTree.WhileStatement | TSESTree.DoWhileStatement | TSESTree.ForStatement | TSESTree.ForInStatement | TSESTree.ForOfStatement;

function isLoop(node: Node): node is Loop {
  return /^(While|DoWhile|For|ForIn|ForOf)Statement$/.test(node.type);
}

function jumpFor(node: TSESTree.BreakStatement | TSESTree.ContinueStatement, { jumps }: Targets): Jump | undefined {
  const label = node.label?.name;
  if (label !== undefined) return jumps.find((jump) => jump.label === label);
  return node.type === 'ContinueStatement'
    ? jumps.find((jump) => jump.isLoop)
    : jumps.find((jump) => jump.isLoop || jump.label === undefined);
}

/** Whether evaluating a node itself can leave the straight line; what it throws is for the analysis to decide. */
function canRaise(node: Node): boolean {
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
    case 'AwaitExpression':
    case 'YieldExpression':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
    case 'ForOfStatement':
      return true;
    default:
      return false;
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
