import { get, numberOf } from '@poolcheck/parsers/yaml/value';
import { placeOf } from '@poolcheck/parsers/text';
import type { DeclaredDatabase } from '../../declared.ts';
import { mysqlDefaults, postgresqlDefaults } from '../../knowledge/postgresql.ts';
import { assumed, defaulted, type Known, sum, written } from '../../known.ts';
import { managedLimit } from '../databases/managed.ts';
import { engineOf, type Resource, type Template } from './template.ts';

/** The databases of RDS and Aurora that a template makes; their hosts are named as `!GetAtt` names them. */
export function databasesOf(template: Template): readonly DeclaredDatabase[] {
  return template.resources.flatMap((resource) => {
    const engine = engineOf(resource);
    const software = /postgres/.test(engine) ? 'postgresql' : /mysql|mariadb/.test(engine) ? 'mysql' : undefined;
    const limits = software && limitsOf(resource, software, template);
    if (!software || !limits) return [];
    const port = numberOf(get(resource.properties, 'Port')) ?? (software === 'mysql' ? mysqlDefaults : postgresqlDefaults).port;
    return [
      {
        host: `${resource.name}.Endpoint.Address`,
        port,
        database: { name: resource.name, software, at: resource.at, version: undefined, ...limits },
      },
    ];
  });
}

interface Limits {
  readonly maxConnections: Known;
  readonly reserved: Known;
}

function limitsOf(resource: Resource, software: 'postgresql' | 'mysql', template: Template): Limits | undefined {
  const { type, properties, name, at } = resource;
  if (type === 'AWS::RDS::DBInstance' && get(properties, 'DBClusterIdentifier') === undefined)
    return limits(`rds-${software}`, [resource], 'DBParameterGroupName', resource, template);
  if (type !== 'AWS::RDS::DBCluster') return undefined;
  const instances = template.resources.filter((each) => template.referred(get(each.properties, 'DBClusterIdentifier'))?.name === name);
  return instances.length === 0
    ? { maxConnections: assumed(0, Infinity, 'max_connections is not known', at), reserved: sum([]) }
    : limits(`aurora-${software}`, instances, 'DBClusterParameterGroupName', resource, template);
}

/** What is written in the parameter group, else what the class accepts. */
function limits(service: string, instances: readonly Resource[], groupName: string, owner: Resource, template: Template): Limits {
  const reserved = service.endsWith('mysql') ? sum([]) : defaulted(3, '3 are kept for superusers', owner.at);
  const group = template.referred(get(owner.properties, groupName));
  const parameter = get(group?.properties, 'Parameters', 'max_connections');
  const number = numberOf(parameter);
  if (parameter && number !== undefined) return { maxConnections: written(number, `max_connections: ${number}`, parameter), reserved };
  const unknown = assumed(0, Infinity, 'max_connections is not known', owner.at);
  const isElsewhere = get(owner.properties, groupName) !== undefined && !group;
  if (parameter || isElsewhere) return { maxConnections: unknown, reserved };
  const classes = instances.map(({ properties }) => get(properties, 'DBInstanceClass'));
  const [first] = classes;
  const size = template.textOf(first);
  const isOne = classes.every((each) => template.textOf(each) === size);
  const limit = first && size !== undefined && isOne ? managedLimit(service, size, placeOf(first.text, first.range)) : undefined;
  return { maxConnections: limit?.maxConnections ?? unknown, reserved };
}
