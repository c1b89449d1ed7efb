import { expect, test } from 'vitest';
import { readDocuments } from '../../documents.ts';
import { show } from '../../known.ts';
import { projectOf } from '../../project.ts';
import { programOf } from '../../source/program.ts';
import type { Service } from '../model.ts';
import { survey } from '../survey.ts';

type Files = Readonly<Record<string, string>>;

function deploymentOf(files: Files) {
  const project = projectOf(files);
  return survey(project, readDocuments(project).documents, programOf(project)).deployments[0];
}

/** "api: 4 written, 4 more, 10 -> Db" */
function drawn(services: readonly Service[]): readonly string[] {
  return services.map(({ name, instances, surge, pools }) => {
    const more = surge && show(surge(instances));
    const sizes = pools.map(({ size, target }) => `${show(size)} -> ${target?.kind === 'database' ? target.database.name : '?'}`);
    return [`${name}: ${show(instances)} ${instances.source}`, ...(more ? [`${more} more`] : []), ...sizes].join(', ');
  });
}

const code: Files = {
  'package.json': '{"name": "shop"}',
  'src/main.ts':
    "import { Pool } from 'pg';\nexport const pool = new Pool({ host: process.env.DB_HOST, max: Number(process.env.MAX ?? 10) });\nexport const handler = () => pool.query('SELECT 1');\n",
};

const database = (properties: string) => `
  Db:
    Type: AWS::RDS::DBInstance
    Properties: { Engine: postgres, ${properties} }
`;

const ecs = (service: string, rest = '') => `AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Pool: { Type: Number, Default: 12 }
Resources:
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      ContainerDefinitions:
        - Name: shop
          Image: !Sub "\${AWS::AccountId}.dkr.ecr.eu-west-1.amazonaws.com/shop:7"
          Command: [node, dist/main.js]
          Environment:
            - { Name: DB_HOST, Value: !GetAtt Db.Endpoint.Address }
            - { Name: MAX, Value: !Ref Pool }
  Api:
    Type: AWS::ECS::Service
    Properties: { TaskDefinition: !Ref Task, ${service} }
${database('DBInstanceClass: db.t4g.micro')}${rest}`;

const scaling = `  Target:
    Type: AWS::ApplicationAutoScaling::ScalableTarget
    Properties: { MaxCapacity: 9, MinCapacity: 2, ResourceId: !Sub "service/\${Cluster}/\${Api.Name}" }
`;

test.each([
  ['DesiredCount: 4', '', 'Api: 4 written, 4 more, 12 -> Db'],
  ['Cluster: a', '', 'Api: 1 defaulted, 1 more, 12 -> Db'],
  ['DesiredCount: 4, DeploymentConfiguration: { MaximumPercent: 150 }', '', 'Api: 4 written, 2 more, 12 -> Db'],
  ['DesiredCount: 4, DeploymentConfiguration: { MaximumPercent: 100 }', '', 'Api: 4 written, 12 -> Db'],
  ['DesiredCount: 4', scaling, 'Api: 9 written, 9 more, 12 -> Db'],
])('a service of ECS with %s', (service, rest, expected) => {
  expect(drawn(deploymentOf({ ...code, 'template.yaml': ecs(service, rest) })?.services ?? [])).toEqual([expected]);
});

const group = (type: string, parameters: string) =>
  `  Group:\n    Type: AWS::RDS::${type}\n    Properties: { Parameters: { ${parameters} } }\n`;
const accepted = (resources: string) => {
  const found = deploymentOf({ ...code, 'template.yaml': ecs('DesiredCount: 1').replace(/\n {2}Db:[^]*/, resources) })?.databases[0];
  return found && `${show(found.maxConnections)} ${found.maxConnections.source}`;
};
const cluster = (engine: string, classes: readonly string[], more = '') =>
  `\n  Db:\n    Type: AWS::RDS::DBCluster\n    Properties: { Engine: ${engine}${more} }\n${classes.map((each, index) => `  Instance${index}:\n    Type: AWS::RDS::DBInstance\n    Properties: { Engine: ${engine}, DBClusterIdentifier: !Ref Db, DBInstanceClass: ${each} }\n`).join('')}`;

test.each([
  [database('DBInstanceClass: db.t4g.micro'), '78–112 defaulted'],
  [database('DBInstanceClass: !Ref Class'), 'at least 0 assumed'],
  [
    database('DBInstanceClass: db.t4g.micro, DBParameterGroupName: !Ref Group') + group('DBParameterGroup', 'max_connections: "300"'),
    '300 written',
  ],
  [
    database('DBInstanceClass: db.t4g.micro, DBParameterGroupName: !Ref Group') + group('DBParameterGroup', 'work_mem: "300"'),
    '78–112 defaulted',
  ],
  [
    database('DBInstanceClass: db.t4g.micro, DBParameterGroupName: !Ref Group') +
      group('DBParameterGroup', 'max_connections: "LEAST({DBInstanceClassMemory/9531392},200)"'),
    'at least 0 assumed',
  ],
  [database('DBInstanceClass: db.t4g.micro, DBParameterGroupName: shared'), 'at least 0 assumed'],
  [cluster('aurora-postgresql', ['db.t4g.medium', 'db.t4g.medium']), '405 defaulted'],
  [cluster('aurora-postgresql', ['db.t4g.medium', 'db.r6g.large']), 'at least 0 assumed'],
  [
    cluster('aurora-postgresql', ['db.t4g.medium'], ', DBClusterParameterGroupName: !Ref Group') +
      group('DBClusterParameterGroup', 'max_connections: 50'),
    '50 written',
  ],
  [cluster('aurora-postgresql', []), 'at least 0 assumed'],
])('the database %s accepts %s', (resources, expected) => {
  expect(accepted(resources)).toBe(expected);
});

const sam = (properties: string, globals = '') => `Transform: AWS::Serverless-2016-10-31
Globals: { Function: { Environment: { Variables: { DB_HOST: !GetAtt Db.Endpoint.Address } }${globals} } }
Resources:
  Orders:
    Type: AWS::Serverless::Function
    Properties: { CodeUri: src/, Handler: main.handler, ${properties} }
${database('DBInstanceClass: db.t4g.micro')}`;
const queue = (limit: string) => `Events: { Q: { Type: SQS, Properties: { Queue: a, ScalingConfig: { MaximumConcurrency: ${limit} } } } }`;

test.each([
  ['ReservedConcurrentExecutions: 20', 'Orders: 20 written, 10 -> Db'],
  ['Timeout: 3', 'Orders: 1–1000 assumed, 10 -> Db'],
  [queue('8'), 'Orders: 8 written, 10 -> Db'],
  ['ReservedConcurrentExecutions: 20, Environment: { Variables: { MAX: 2 } }', 'Orders: 20 written, 2 -> Db'],
])('a function of AWS SAM with %s', (properties, expected) => {
  expect(drawn(deploymentOf({ ...code, 'template.yaml': sam(properties) })?.services ?? [])).toEqual([expected]);
});

test('functions of a serverless.yml, and the database in its resources', () => {
  const file = `provider: { name: aws, environment: { DB_HOST: !GetAtt Db.Endpoint.Address } }
functions:
  orders: { handler: src/main.handler, reservedConcurrency: 15, environment: { MAX: "3" } }
  elsewhere: { handler: other/main.handler }
resources:
  Resources:
    Db: { Type: AWS::RDS::DBInstance, Properties: { Engine: postgres, DBInstanceClass: db.t3.small } }
`;
  const deployment = deploymentOf({ ...code, 'serverless.yml': file });
  expect(drawn(deployment?.services ?? [])).toEqual(['orders: 15 written, 3 -> Db']);
  expect(deployment?.databases.map(({ maxConnections }) => show(maxConnections))).toEqual(['157–225']);
});

test('a URL may be put together of what is known', () => {
  const url = ecs('DesiredCount: 2').replace(
    'Value: !GetAtt Db.Endpoint.Address',
    'Value: !Sub "postgres://app:${Secret}@${Db.Endpoint.Address}:${Db.Endpoint.Port}/shop"',
  );
  const source = {
    'src/main.ts': "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionString: process.env.DB_HOST });\n",
  };
  expect(drawn(deploymentOf({ ...code, ...source, 'template.yaml': url })?.services ?? [])).toEqual(['Api: 2 written, 2 more, 10 -> Db']);
});
