import type { Directive } from '@poolcheck/parsers/nginx/document';
import { effective, type Scope } from '@poolcheck/parsers/nginx/resolve';
import type { CloseCause, NginxRoute } from '../deployment/model.ts';
import type { Edit } from '../finding.ts';
import { addAfter, distinct, replaceWord } from './edits.ts';

/** How many idle connections are advised: as many as nginx keeps by itself from 1.29.7 on. */
const advised = 32;

/** What takes the causes away; nothing when one of them has to be decided by somebody. */
export function keepConnections(routes: readonly NginxRoute[], causesOf: (route: NginxRoute) => readonly CloseCause[]): readonly Edit[] {
  const edits = routes.map((route) => editsFor(route, causesOf(route)));
  return edits.every((each) => each !== undefined) ? distinct(edits.flat()) : [];
}

function editsFor(route: NginxRoute, causes: readonly CloseCause[]): readonly Edit[] | undefined {
  const { pass, scope } = route.route;
  const atPass: string[] = [];
  const edits: Edit[] = [];
  for (const { kind, by } of causes) {
    const [first, second] = by.args;
    if (kind === 'noKeepalive') edits.push(...withKeepalive(by));
    else if (kind === 'http10' && by === pass) atPass.push('proxy_http_version 1.1;');
    else if (kind === 'http10' && first) edits.push(replaceWord(by, first, '1.1'));
    else if (kind === 'closeMap' && first) edits.push(replaceWord(by, first, "''"));
    else if (kind === 'close' && second) edits.push(replaceWord(by, second, '""'));
    else if (kind === 'closeByDefault' || kind === 'lost') {
      const last = effective(scope, 'proxy_set_header')?.at(-1);
      if (last) edits.push(addAfter(last, [emptyConnection]));
      else atPass.push(emptyConnection);
    } else if (kind === 'keepConn' && by === pass) atPass.push('fastcgi_keep_conn on;');
    else if (kind === 'keepConn' && first) edits.push(replaceWord(by, first, 'on'));
    else return undefined;
  }
  return atPass.length > 0 ? [...edits, addAfter(anchorOf(scope, pass), atPass)] : edits;
}

const emptyConnection = 'proxy_set_header Connection "";';

/** Behind everything else, a balancing method above all. */
function withKeepalive({ block }: Directive): readonly Edit[] {
  const last = block?.directives.at(-1);
  return last ? [addAfter(last, [`keepalive ${advised};`])] : [];
}

/** In an `if`, these directives are not allowed. */
function anchorOf({ directive, outer }: Scope, anchor: Directive): Directive {
  return directive?.name.value === 'if' && outer ? anchorOf(outer, directive) : anchor;
}
