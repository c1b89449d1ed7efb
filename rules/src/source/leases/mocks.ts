import { propertyName } from '../module.ts';
import type { Module, TSESTree } from '../module.ts';

/** The modules that a test file replaces: `vi.mock('pg')`, `jest.mock('pg', …)`, `mock.module('pg')`. */
export function mockedModules(module: Module): readonly string[] {
  return module.nodes('CallExpression').flatMap((call) => {
    const [specifier] = isMocking(call) ? call.arguments : [];
    return specifier?.type === 'Literal' && typeof specifier.value === 'string' ? [specifier.value] : [];
  });
}

function isMocking({ callee }: TSESTree.CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false;
  const method = propertyName(callee) ?? '';
  switch (callee.object.name) {
    case 'vi':
    case 'jest':
      return /^(mock|doMock|unstable_mockModule)$/.test(method);
    case 'mock':
      return method === 'module';
    default:
      return false;
  }
}
