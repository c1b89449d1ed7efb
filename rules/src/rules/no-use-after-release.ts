import { moduleRule } from '../rule.ts';
import { excerpt, nameOfLease } from '../source/describe.ts';
import { nodeAt, pathSince } from '../source/leases/paths.ts';
import { functionName, placeOfNode } from '../source/module.ts';

export default moduleRule({
  id: 'no-use-after-release',
  severity: 'error',
  summary: 'A connection is used after it was given back, when somebody else may have it.',
  messages: {
    used: '{call} runs after {name} was given back: by then another caller may have the connection, and the statement lands in the middle of its work.',
  },
  *check(module, program) {
    for (const site of program.leases.in(module)) {
      const exploration = program.leases.exploration(site);
      if (!exploration || exploration === 'dropped') continue;
      for (const { kind, node, at } of program.leases.misuses(site)) {
        if (kind !== 'used-after-release') continue;
        const [edge] = pathSince(at, exploration, ({ holding }) => holding === 'released');
        const release = edge && nodeAt(edge.from, exploration);
        yield {
          at: placeOfNode(module, node),
          message: 'used',
          data: { call: excerpt(module, node), name: nameOfLease(site) },
          related: release ? [{ at: placeOfNode(module, release), message: 'given back here' }] : [],
          symbol: functionName(site.fn) ?? '',
        };
      }
    }
  },
});
