import { parameterRead } from '../../source/functions.ts';
import { hostOf, type LeaseSite } from '../../source/leases/sites.ts';
import { bare } from '../../source/module.ts';
import type { Module, TSESTree } from '../../source/module.ts';
import type { Program } from '../../source/program.ts';
import type { Sending } from '../../source/statements.ts';

/** A call that lends a lease to a function, by the function that has taken it. */
interface Lending {
  readonly site: LeaseSite;
  readonly call: TSESTree.CallExpression;
}

/** Where the function that sends SQL through one of its parameters is given a lease for it. */
export function lendingsTo({ call, module }: Sending, program: Program): readonly Lending[] {
  const host = hostOf(call);
  const receiver = call.type === 'CallExpression' && call.callee.type === 'MemberExpression' ? call.callee.object : undefined;
  const parameter = host ? parameterRead(host, receiver, module) : -1;
  if (parameter === -1) return [];
  return program.modules.flatMap((caller) =>
    caller
      .nodes('CallExpression')
      .filter((each) => program.values.calledFunction(each, caller)?.node === host)
      .flatMap((each) => lendingsBy(each, parameter, caller, program)),
  );
}

function lendingsBy(call: TSESTree.CallExpression, parameter: number, module: Module, { leases }: Program): readonly Lending[] {
  const argument = call.arguments[parameter] && bare(call.arguments[parameter]);
  const variable = argument?.type === 'Identifier' ? module.variableOf(argument) : undefined;
  if (!variable) return [];
  return leases
    .in(module)
    .filter(({ fn, consumer }) => fn === hostOf(call) && consumer.kind === 'variable' && consumer.variable === variable)
    .map((site) => ({ site, call }));
}
