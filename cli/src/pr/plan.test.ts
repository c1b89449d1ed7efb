import { describe, expect, test } from 'vitest';
import { at, hostileReport, sampleReport } from '../testing/sample-report.ts';
import { textOf } from '@poolcheck/parsers/text';
import { faultOf, type Change, type Fault } from './change.ts';
import { plan, type Action, type Conversation, type OwnComment } from './plan.ts';

const limits = { comments: 25, characters: 65_536 };

function fault(number: number, more: Partial<Fault> = {}): Fault {
  return {
    rule: 'release-in-finally',
    severity: 'error',
    message: 'A client is lost.',
    file: 'a.ts',
    lines: { first: number, last: number },
    fingerprint: number.toString(16).padStart(16, '0'),
    ...more,
  };
}

function changeOf(faults: readonly Fault[], more: Partial<Change> = {}): Change {
  return { faults, before: [], budgets: [], graph: undefined, unread: [], touchedSettings: [], addedSuppressions: 0, ...more };
}

const opened: Conversation = { sha: 'abc1234', changed: new Map([['a.ts', [{ first: 1, last: 100 }]]]), comments: [], summary: undefined };

/** The conversation after the actions, as a service would have it. */
function after(conversation: Conversation, actions: readonly Action[]): Conversation {
  let comments: readonly OwnComment[] = conversation.comments;
  let { summary } = conversation;
  for (const action of actions) {
    if (action.do === 'summarise') summary = action.body;
    else if (action.do === 'comment') {
      const id = String(comments.length);
      comments = [...comments, { id, thread: `t${id}`, file: action.file, body: action.body, hasReplies: false, isResolved: false }];
    } else if (action.do === 'edit')
      comments = comments.map((each) => (each.id === action.comment ? { ...each, body: action.body } : each));
    else comments = comments.map((each) => (each.thread === action.thread ? { ...each, isResolved: action.do === 'resolve' } : each));
  }
  return { ...conversation, comments, summary };
}

function done(change: Change, conversation: Conversation): readonly string[] {
  return plan(change, conversation, limits).map((action) => action.do);
}

const told = after(opened, plan(changeOf([fault(1)]), opened, limits));

describe('a fault', () => {
  test('gets a comment on its line, once', () => {
    expect(done(changeOf([fault(1)]), opened)).toEqual(['comment', 'summarise']);
    expect(done(changeOf([fault(1)]), told)).toEqual([]);
  });

  test('that moved is not told again', () => {
    expect(done(changeOf([fault(1, { lines: { first: 70, last: 71 } })]), told)).toEqual([]);
  });

  test('that was there before, or stands outside of the change, gets none', () => {
    expect(done(changeOf([fault(1)], { before: [fault(1).fingerprint] }), opened)).toEqual(['summarise']);
    expect(done(changeOf([fault(101)]), opened)).toEqual(['summarise']);
    expect(done(changeOf([fault(1, { file: 'b.ts' })]), opened)).toEqual(['summarise']);
  });

  test('of several lines gets it on the first that changed', () => {
    const changed = new Map([['a.ts', [{ first: 5, last: 6 }]]]);
    const [comment] = plan(changeOf([fault(1, { lines: { first: 2, last: 9 } })]), { ...opened, changed }, limits);
    expect(comment).toMatchObject({ lines: { first: 5, last: 5 } });
  });

  test('that is fixed is said to be, and its thread resolved, once', () => {
    const actions = plan(changeOf([]), told, limits);
    expect(actions.map((action) => action.do)).toEqual(['edit', 'resolve', 'summarise']);
    expect(actions[0]).toMatchObject({ body: expect.stringContaining('Fixed in abc1234') });
    expect(done(changeOf([]), after(told, actions))).toEqual([]);
  });

  test('that comes back is told in its old thread', () => {
    const fixed = after(told, plan(changeOf([]), told, limits));
    const actions = plan(changeOf([fault(1)]), fixed, limits);
    expect(actions.map((action) => action.do)).toEqual(['edit', 'reopen', 'summarise']);
    expect(after(fixed, actions)).toEqual(told);
  });

  test('that is suppressed is not called fixed', () => {
    const [edit] = plan(changeOf([fault(1, { suppressed: 'a @test' })]), told, limits);
    expect(edit).toMatchObject({ do: 'edit', body: expect.stringContaining('Suppressed: a @&#8203;test') });
  });

  test('in a file that could not be read this time is left alone', () => {
    expect(done(changeOf([], { unread: [{ file: 'a.ts', message: 'cannot be parsed' }] }), told)).toEqual(['summarise']);
  });
});

test('a thread with replies is marked, but not resolved', () => {
  const discussed = { ...told, comments: told.comments.map((comment) => ({ ...comment, hasReplies: true })) };
  expect(done(changeOf([]), discussed)).toEqual(['edit', 'summarise']);
});

test('a thread that people resolved is not opened while its fault stays', () => {
  const resolved = { ...told, comments: told.comments.map((comment) => ({ ...comment, isResolved: true })) };
  expect(done(changeOf([fault(1)]), resolved)).toEqual([]);
});

test('at most as many comments as allowed, the worst first; the rest is in the summary', () => {
  const many = Array.from({ length: 30 }, (_, index) => fault(index + 1, { severity: index < 10 ? 'info' : 'error' }));
  const actions = plan(changeOf(many), opened, limits);
  const comments = actions.filter((action) => action.do === 'comment');
  expect(comments).toHaveLength(25);
  expect(comments[0]).toMatchObject({ lines: { first: 11 } });
  expect(actions.at(-1)).toMatchObject({ body: expect.stringContaining('Elsewhere: 5') });
  expect(done(changeOf(many), after(opened, actions))).toEqual([]);
});

describe('a suggestion', () => {
  const text = textOf('a.ts', 'one\n\ttwo\nthree\n');
  const finding = { ...sampleReport.findings[2]!, at: at(text, 'two'), fingerprint: fault(1).fingerprint };
  const fixed = (words: string, insert: string) =>
    faultOf({ ...finding, fixes: [{ title: 'Do it', safe: true, edits: [{ ...at(text, words), insert }] }] });
  const changed = new Map([['a.ts', [{ first: 2, last: 2 }]]]);

  test('replaces whole lines as they are in the file', () => {
    const [comment] = plan(changeOf([fixed('two', 'deux')]), { ...opened, changed }, limits);
    expect(comment).toMatchObject({ lines: { first: 2, last: 2 }, body: expect.stringContaining('```suggestion\n\tdeux\n```') });
  });

  test.each([
    ['lines that did not change', fixed('three', 'trois')],
    ['what a reader cannot see', fixed('two', '\u202etwo')],
    ['a secret', fixed('two', "password: 'hunter2'")],
  ])('is not made of %s', (_, each) => {
    expect(JSON.stringify(plan(changeOf([each]), { ...opened, changed }, limits))).not.toContain('suggestion');
  });

  test('is not made for a line with a secret', () => {
    expect(sampleReport.findings.map((each) => faultOf(each).suggestion?.lines.first)).toEqual([undefined, undefined, undefined, 7]);
  });
});

describe('the summary', () => {
  const summaryOf = (change: Change, room = limits.characters) => {
    const last = plan(change, opened, { ...limits, characters: room }).at(-1);
    return last?.do === 'summarise' ? last.body : '';
  };

  test('says what the change does to the budget', () => {
    const figures = { accepts: '97', steady: '60', rollout: '80' };
    const budgets = [
      { deployment: 'k8s', database: 'shop', before: figures, after: { ...figures, rollout: '120' } },
      { deployment: 'k8s', database: 'new', before: undefined, after: figures },
    ];
    const body = summaryOf(changeOf([], { budgets }));
    expect(body).toContain('| shop (k8s) | 97 | 60 | 80 → 120 |');
    expect(body).toContain('| new (k8s) | – → 97 | – → 60 | – → 80 |');
  });

  test('says when the base is not known, and when the change decides what is reported', () => {
    const body = summaryOf(changeOf([], { before: 'unknown', touchedSettings: ['poolcheck.yaml'], addedSuppressions: 2 }));
    expect(body).toContain('Before: unknown');
    expect(body).toContain('`poolcheck.yaml`, 2 new suppressions');
  });

  test('keeps within the limit', () => {
    const long = Array.from({ length: 60 }, (_, index) => fault(index + 101, { message: 'long '.repeat(90) }));
    const body = summaryOf(changeOf(long), 2000);
    expect(body.length).toBeLessThanOrEqual(2000);
    expect(body).toContain('no room');
  });
});

test('what comes from files is only text', () => {
  const faults = hostileReport.findings.map((finding) => ({ ...faultOf(finding), fingerprint: fault(1).fingerprint }));
  const [{ file }] = faults as [Fault];
  const unread = hostileReport.problems.map(({ path, message }) => ({ file: path, message }));
  const change = changeOf([...faults, fault(200, { message: file, rule: file })], { unread, touchedSettings: [file] });
  const bodies = plan(change, { ...opened, changed: new Map([[file, [{ first: 1, last: 9 }]]]) }, limits).map((action) =>
    'body' in action ? action.body : '',
  );
  expect(bodies).toHaveLength(2);
  for (const body of bodies) {
    const prose = body.replaceAll(/(`+)[^`][\s\S]*?[^`]?\1(?!`)/g, '');
    expect(prose).not.toMatch(/<script|@team|#1\b|https:\/\/e\.vil/);
    expect(body).not.toMatch(/^::|##\[|[\x1b\u202e]/m);
  }
});
