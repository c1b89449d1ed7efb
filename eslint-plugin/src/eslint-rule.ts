import { pageOf } from '@poolcheck/rules/catalogue';
import type { Fix } from '@poolcheck/rules/finding';
import { findingOf, withMore, type Judged, type Plan } from '@poolcheck/rules/judge';
import type { ModuleRule } from '@poolcheck/rules/rule';
import type { Program } from '@poolcheck/rules/source/program';
import type { Rule, SourceCode } from 'eslint';
import { analysisOf, type Analysis } from './analysis.ts';

const pages = 'https://github.com/poolcheck/poolcheck/blob/main';

/** How grave a finding is, ESLint's own configuration says. */
const plan: Plan = { severities: new Map() };

/** A rule of poolcheck as ESLint wants it. */
export function eslintRule(rule: ModuleRule): Rule.RuleModule {
  return {
    meta: {
      type: 'problem',
      docs: { description: rule.summary, recommended: rule.severity !== 'info', url: `${pages}/${pageOf(rule.id)}` },
      fixable: 'code',
      hasSuggestions: true,
      schema: [],
    },
    create: (context) => ({
      Program(tree) {
        const analysis = analysisOf(tree, context);
        if (!analysis) return;
        for (const finding of findingsIn(analysis, rule)) context.report(descriptorOf(finding, context.sourceCode));
      },
    }),
  };
}

function findingsIn({ module, program, typed }: Analysis, rule: ModuleRule): readonly Judged[] {
  const judge = (seen: Program) => [...rule.check(module, seen, [])].flatMap((report) => findingOf(rule, report, plan) ?? []);
  return withMore(judge(program), typed ? judge(typed) : []).filter(({ at }) => at.text === module.text);
}

function descriptorOf({ at, message, fixes }: Judged, sourceCode: SourceCode): Rule.ReportDescriptor {
  const here = fixes.filter(({ edits }) => edits.every(({ text }) => text === at.text));
  const fix = here.find(({ safe }) => safe);
  return {
    loc: { start: sourceCode.getLocFromIndex(at.range.start), end: sourceCode.getLocFromIndex(at.range.end) },
    message,
    ...(fix ? { fix: fixerOf(fix) } : {}),
    suggest: here.filter((each) => each !== fix).map((each) => ({ desc: each.title, fix: fixerOf(each) })),
  };
}

function fixerOf({ edits }: Fix): Rule.ReportFixer {
  return (fixer) => edits.map(({ range, insert }) => fixer.replaceTextRange([range.start, range.end], insert));
}
