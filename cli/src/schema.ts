import type { Rule } from '@poolcheck/rules/rule';
import { levels } from './levels.ts';

/** The JSON Schema of poolcheck.yaml, for editors. */
export function configurationSchema(rules: readonly Rule[]): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'poolcheck.yaml',
    description: 'Configuration of poolcheck. The folder it stands in is the root of what is analysed together.',
    type: 'object',
    additionalProperties: false,
    properties: {
      rules: {
        description: 'The severity of each rule, or off.',
        type: ['object', 'null'],
        additionalProperties: false,
        properties: Object.fromEntries(rules.map((rule) => [rule.id, ruleSchema(rule)])),
      },
      ignore: {
        description: 'Files and folders to leave out: patterns as in a .gitignore, relative to this file.',
        type: ['array', 'null'],
        items: { type: 'string', minLength: 1, pattern: '^[^{]*$' },
      },
    },
  };
}

function ruleSchema({ summary, severity }: Rule): object {
  return { description: summary, enum: levels, default: severity };
}
