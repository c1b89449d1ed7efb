import { lineRange, placeOf } from '@poolcheck/parsers/text';
import type { Given, GivenName } from '../deployment/model.ts';
import type { Report } from '../finding.ts';
import { deploymentRule } from '../rule.ts';

type MessageId = 'ignored' | 'refused' | 'rejected' | 'overruled';

export default deploymentRule({
  id: 'ineffective-setting',
  severity: 'warning',
  summary:
    'A variable, parameter or annotation that the image, operator or controller never reads, or makes a line of that its program refuses.',
  messages: {
    ignored: '{reader} does not read {name}: it has no effect.{instead}',
    refused: '{reader} makes a line of {name} that PgBouncer refuses: it does not start.{instead}',
    rejected: '{reader} does not take {name}, and refuses the whole object.{instead}',
    overruled: '{reader} does not look at {name} when it finds a file: what {file} says holds.',
  },
  *check({ given }) {
    for (const each of given) yield* misnomersIn(each);
  },
});

function misnomersIn(given: Given): readonly Report<MessageId>[] {
  const { vocabulary, names, file } = given;
  const all = new Set(names.map(({ name }) => name));
  return names.flatMap(({ name, at }): readonly Report<MessageId>[] => {
    const misnomer = vocabulary.judge(name, all);
    if (!misnomer) return file && vocabulary.isForOwnFile?.(name) ? [overruled({ name, at }, given)] : [];
    const { fate, instead } = misnomer;
    const data = { reader: vocabulary.reader, name, instead };
    return [{ at, message: fate, ...(fate !== 'ignored' && { severity: 'error' }), data, symbol: name }];
  });
}

function overruled({ name, at }: GivenName, { vocabulary, file }: Given): Report<MessageId> {
  return {
    at,
    message: 'overruled',
    data: { reader: vocabulary.reader, name, file: file?.path ?? '' },
    related: file ? [{ at: placeOf(file, lineRange(file, 1)), message: 'the file that is read' }] : [],
    symbol: name,
  };
}
