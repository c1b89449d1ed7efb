import { managedServices } from '@poolcheck/rules/knowledge/managed-limits';
import type { Rule } from '@poolcheck/rules/rule';
import { versioned } from '@poolcheck/rules/versions';
import { levels } from './levels.ts';

const version = { type: ['string', 'number'], pattern: '^\\d+(\\.\\d+){0,2}$' };
const exportName = { type: 'string', pattern: '^[^#\\s./][^#\\s]*#[\\w$]+(\\.[\\w$]+)*$' };

/** The JSON Schema of poolcheck.yaml, for editors. */
export function configurationSchema(rules: readonly Rule[]): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'poolcheck.yaml',
    description: 'Configuration of poolcheck. The folder it stands in is the root of what is analysed together.',
    type: 'object',
    additionalProperties: false,
    properties: {
      rules: { description: 'The severity of each rule, or off.', ...rulesSchema(rules) },
      overrides: {
        description: 'Other severities in some files; of several that name a rule the last one holds.',
        type: ['array', 'null'],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['files'],
          properties: {
            files: { description: 'Patterns as in a .gitignore, relative to this file.', ...patterns, minItems: 1 },
            rules: { description: 'The severity of each rule in them, or off.', ...rulesSchema(rules) },
          },
        },
      },
      ignore: { description: 'Files and folders to leave out: patterns as in a .gitignore, relative to this file.', ...patterns },
      suppressions: {
        description: 'What suppression comments have to say.',
        type: ['object', 'null'],
        additionalProperties: false,
        properties: {
          reason: { description: 'Whether each has to say why, behind " -- ".', enum: ['required', 'optional'], default: 'required' },
        },
      },
      versions: {
        description: 'Versions of what runs, for where no image or package tells.',
        type: ['object', 'null'],
        additionalProperties: false,
        properties: Object.fromEntries(versioned.map((name) => [name, version])),
      },
      databases: {
        description: 'Database servers outside of the root, by a name for them: the budget of their clients is checked too.',
        type: ['object', 'null'],
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          required: ['host'],
          anyOf: [{ required: ['max_connections'] }, { required: ['service', 'class'] }],
          properties: {
            host: { description: 'What clients connect to.', type: 'string', minLength: 1 },
            port: { description: 'The port of the engine when it is not set.', type: 'integer', minimum: 0 },
            engine: { enum: ['postgresql', 'mysql'], default: 'postgresql' },
            service: { description: 'The provider, when it is known what its classes accept.', enum: Object.keys(managedServices) },
            class: {
              description: 'The size of it, as the provider calls it: db.t4g.medium, Standard_B2s, small …',
              type: 'string',
              minLength: 1,
            },
            max_connections: {
              description: 'What the server accepts: what its class says when it is not set.',
              type: 'integer',
              minimum: 0,
            },
            reserved: {
              description: 'What of that the application does not get: 3 of PostgreSQL when it is not set.',
              type: 'integer',
              minimum: 0,
            },
          },
        },
      },
      leases: {
        description: 'Functions of packages outside the root that hand out a connection which must be given back.',
        type: ['array', 'null'],
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['acquire', 'release'],
          properties: {
            acquire: { description: 'What takes it, as package#export.', ...exportName },
            release: {
              description: 'What gives it back: a method of the connection, or a function that takes it, as package#export.',
              anyOf: [{ type: 'string', pattern: '^[\\w$]+$' }, exportName],
            },
          },
        },
      },
      borrows: {
        description:
          'Functions of packages outside the root that call their last argument with a connection and give it back, as package#export.',
        type: ['array', 'null'],
        items: exportName,
      },
    },
  };
}

const patterns = { type: ['array', 'null'], items: { type: 'string', minLength: 1, pattern: '^[^{]*$' } };

function rulesSchema(rules: readonly Rule[]): object {
  return {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(rules.map((rule) => [rule.id, ruleSchema(rule)])),
  };
}

function ruleSchema({ summary, severity }: Rule): object {
  return { description: summary, enum: levels, default: severity };
}
