import type { Project } from '../../project.ts';
import { specifiersIn, type ImportGraph } from '../relevance.ts';
import { parentOf } from '../resolve.ts';
import type { HttpServer } from '../servers.ts';

interface Sources {
  readonly project: Project;
  readonly graph: ImportGraph;
  readonly servers: readonly HttpServer[];
}

/** What a platform that calls functions, and stops them as it likes, is told by. */
const serverlessFiles = /(^|\/)(vercel\.json|netlify\.toml|firebase\.json|serverless\.(ya?ml|json|[cm]?[jt]s)|wrangler\.(toml|jsonc?))$/;
const serverlessPackages =
  /^(serverless-http|@vendia\/serverless-express|aws-serverless-express|aws-lambda|firebase-functions|@vercel\/|@netlify\/|@aws-lambda)/;

/** The files that services load which run until they are told to stop, and the server that makes each of them one. */
export function servicesOf({ project, graph, servers }: Sources): ReadonlyMap<string, HttpServer> {
  const serverless = project.list().filter((path) => serverlessFiles.test(path));
  const services = new Map<string, HttpServer>();
  for (const server of servers) {
    const { path } = server.module;
    const loaded = new Set([path]);
    for (const each of loaded) for (const imported of graph.importsOf(each)) loaded.add(imported);
    const isDeployedAsFunction = serverless.some((file) => isBelow(path, parentOf(file)));
    if (isDeployedAsFunction || [...graph.reaching([path]), ...loaded].some((each) => isServerless(each, project))) continue;
    for (const each of loaded) services.set(each, services.get(each) ?? server);
  }
  return services;
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function isServerless(path: string, project: Project): boolean {
  return specifiersIn(project.readText(path) ?? '').some((specifier) => serverlessPackages.test(specifier));
}
