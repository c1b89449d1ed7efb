import type { Finding, ProjectProblem } from '@poolcheck/rules/finding';
import { groupBy } from '@poolcheck/rules/group';
import { open, type Report } from '../report.ts';
import { prose, xmlText } from './neutral.ts';
import { placeOfProblem, positionOf } from './words.ts';

/**
 * JUnit XML, as CI services show it: a suite a file, a test a finding. Errors and warnings are failures; advice passes, and what could not
 * be checked is skipped. https://github.com/testmoapp/junitxml
 */
export function junit(report: Report): string {
  const suites = [...groupBy(open(report), ({ at }) => at.text.path)].map(([path, findings]) => suite(path, findings.map(findingCase)));
  const unchecked = report.problems.length > 0 ? [suite('not checked', report.problems.map(problemCase))] : [];
  const clean =
    suites.length === 0
      ? [suite('poolcheck', [{ kind: 'passed', xml: element('testcase', { name: 'no findings', classname: 'poolcheck' }) }])]
      : [];
  const all = [...clean, ...suites, ...unchecked];
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites name="poolcheck">`, ...all, '</testsuites>', ''].join('\n');
}

interface Case {
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly xml: string;
}

function suite(name: string, cases: readonly Case[]): string {
  const count = (kind: Case['kind']) => cases.filter((each) => each.kind === kind).length;
  const attributes = { name: prose(name), tests: cases.length, failures: count('failed'), errors: 0, skipped: count('skipped') };
  return element('testsuite', attributes, ['', ...cases.map(({ xml }) => xml), ''].join('\n'));
}

function findingCase({ rule, severity, message, at, related }: Finding): Case {
  const said = prose(message);
  const steps = related.map((step) => `${positionOf(step.at)} ${prose(step.message)}`);
  const details = xmlText([`${positionOf(at)} ${said}`, ...steps].join('\n'));
  const isFailure = severity !== 'info';
  const inner = isFailure ? element('failure', { type: severity, message: said }, details) : element('system-out', {}, details);
  return { kind: isFailure ? 'failed' : 'passed', xml: element('testcase', { name: `${rule} ${positionOf(at)}`, classname: rule }, inner) };
}

function problemCase(problem: ProjectProblem): Case {
  const inner = element('skipped', { message: prose(problem.message) });
  return { kind: 'skipped', xml: element('testcase', { name: placeOfProblem(problem), classname: 'not checked' }, inner) };
}

/** `inner` is XML already. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, inner = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  return `<${name}${written.join('')}>${inner}</${name}>`;
}
