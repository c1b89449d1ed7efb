import { projectRule } from '../rule.ts';
import { aboutBreakers } from './timeout-order/breakers.ts';
import { aboutFunctions } from './timeout-order/functions.ts';
import { aboutPatience } from './timeout-order/patience.ts';
import { aboutProxies } from './timeout-order/proxies.ts';
import { aboutStatements } from './timeout-order/statements.ts';
import { aboutStreams } from './timeout-order/streams.ts';

export default projectRule({
  id: 'timeout-order',
  severity: 'warning',
  summary: 'Something stops waiting before what it waits for ends, which goes on for nobody.',
  messages: {
    statement:
      'query_timeout of {pool} gives up after {outer}, and statement_timeout ends the statement after {inner}: until then PostgreSQL works on for nobody, and keeps its locks. Let statement_timeout be the shorter one.',
    breaker:
      '{waiter} gives up after {outer}, but {call} goes on for nobody until {limit} ends it, after {inner}. Let that be the shorter one.',
    proxy:
      '{proxy} answers 504 after {outer}, but {call} ({file}) goes on for nobody until {limit} ends it, after {inner}. Let that be the shorter one.',
    patience:
      'nginx waits {time} for an answer of every request ({routes}): one that hangs holds its connections, those of the pool with them, as long. Only WebSockets and streams need it: say it in their location, and leave the 60 s to the others.',
    stream:
      '{pool} keeps idle connections for {idle}, but nginx ends a session in which nothing is sent for {outer} (proxy_timeout): it is cut off under the pool, and a query that is just being sent on it fails. Let the pool be the first to close.',
    gateway:
      'API Gateway answers 504 after {outer} s, but {name} goes on for nobody until its own timeout ends it, after {inner} s. Let that be the shorter one.',
    queueShorter:
      '{queue} gives a message to another after {outer} s, while {name} may work on it for {inner} s: AWS refuses to connect them. It advises {advised} s, six times as long.',
    queueShort:
      '{queue} gives a message out again after {outer} s: it may be worked on twice when {name}, which may take {inner} s, is throttled. AWS advises {advised} s, six times as long.',
  },
  *check({ program, documents, deployments, proxies }) {
    yield* aboutStatements(program, deployments);
    yield* aboutBreakers(program);
    yield* aboutProxies(program, proxies);
    yield* aboutPatience(proxies);
    yield* aboutStreams(deployments);
    yield* aboutFunctions(documents);
  },
});
