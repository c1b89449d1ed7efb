import { severities } from '@poolcheck/rules/finding';
import type { Change, Fault, Lines } from './change.ts';
import { faultBody, goneBody, readMark, type Gone } from './bodies.ts';
import { summaryBody } from './summary.ts';

/** What there is to do on a pull request, in order. */
export type Action =
  | { readonly do: 'comment'; readonly file: string; readonly lines: Lines; readonly body: string }
  | { readonly do: 'edit'; readonly comment: string; readonly body: string }
  | { readonly do: 'resolve' | 'reopen'; readonly thread: string }
  | { readonly do: 'summarise'; readonly body: string };

/** The pull request as the service has it. */
export interface Conversation {
  /** The head that was checked. */
  readonly sha: string;
  /** The lines of each file that the pull request adds or alters. */
  readonly changed: ReadonlyMap<string, readonly Lines[]>;
  /** Own comments on lines; others' hold no marks of ours, whatever they say. */
  readonly comments: readonly OwnComment[];
  /** The body of the own summary, if there is one. */
  readonly summary: string | undefined;
}

export interface OwnComment {
  readonly id: string;
  readonly thread: string;
  readonly file: string;
  readonly body: string;
  readonly hasReplies: boolean;
  readonly isResolved: boolean;
}

export interface Limits {
  /** How many faults at most have an open comment of their own. */
  readonly comments: number;
  /** The characters of a comment. */
  readonly characters: number;
}

/** What brings a pull request up to date; nothing when it is. */
export function plan(change: Change, conversation: Conversation, limits: Limits): readonly Action[] {
  const faults = new Map(change.faults.map((fault) => [fault.fingerprint, fault]));
  const marked = conversation.comments.flatMap((comment) => {
    const mark = readMark(comment.body);
    return mark ? [{ comment, mark, fault: faults.get(mark.fingerprint) }] : [];
  });
  const updates = marked.flatMap(({ comment, mark, fault }) => {
    if (fault && fault.suppressed === undefined) return mark.isGone ? comesBack(comment, fault) : [];
    if (mark.isGone || (!fault && isUnread(comment.file, change))) return [];
    return goes(comment, mark.fingerprint, fault ? { suppressed: fault.suppressed ?? '' } : { fixedIn: conversation.sha });
  });

  const told = new Set(marked.map(({ mark }) => mark.fingerprint));
  const open = new Set(marked.filter(({ fault }) => fault && fault.suppressed === undefined).map(({ mark }) => mark.fingerprint));
  const added = addedFaults(change);
  const comments = added
    .filter(({ fingerprint }) => !told.has(fingerprint))
    .flatMap((fault) => commentOn(fault, conversation.changed.get(fault.file) ?? [], limits) ?? [])
    .slice(0, Math.max(0, limits.comments - open.size));

  const onLines = new Set([...open, ...comments.map(({ fingerprint }) => fingerprint)]);
  const summary = summaryBody(change, { added, onLines, sha: conversation.sha }, limits.characters);
  return [
    ...updates,
    ...comments.map(({ action }) => action),
    ...(summary === conversation.summary ? [] : [{ do: 'summarise' as const, body: summary }]),
  ];
}

/** The open faults that the base does not have, the worst first; all of them when it is not known. */
function addedFaults({ faults, before }: Change): readonly Fault[] {
  const known = new Set(before === 'unknown' ? [] : before);
  const unique = new Map(faults.map((fault) => [fault.fingerprint, fault]));
  return [...unique.values()]
    .filter(({ fingerprint, suppressed }) => suppressed === undefined && !known.has(fingerprint))
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

/** A fault that is not seen in a file that could not be read may be there still. */
function isUnread(file: string, { unread }: Change): boolean {
  return unread.some((problem) => problem.file === file);
}

function goes({ id, thread, hasReplies, isResolved }: OwnComment, fingerprint: string, why: Gone): readonly Action[] {
  const edit: Action = { do: 'edit', comment: id, body: goneBody(fingerprint, why) };
  return hasReplies || isResolved ? [edit] : [edit, { do: 'resolve', thread }];
}

/** Its lines may be others by now, so nothing is suggested for them. */
function comesBack({ id, thread, isResolved }: OwnComment, fault: Fault): readonly Action[] {
  const edit: Action = { do: 'edit', comment: id, body: faultBody(fault) };
  return isResolved ? [edit, { do: 'reopen', thread }] : [edit];
}

interface NewComment {
  readonly fingerprint: string;
  readonly action: Action;
}

/** Undefined when the fault stands on no line of the change. */
function commentOn(fault: Fault, changed: readonly Lines[], { characters }: Limits): NewComment | undefined {
  const { file, fingerprint, suggestion } = fault;
  const within = changed.find(({ first, last }) => first <= fault.lines.last && fault.lines.first <= last);
  if (!within) return undefined;
  const line = Math.max(within.first, fault.lines.first);
  const fits = suggestion && changed.some(({ first, last }) => first <= suggestion.lines.first && suggestion.lines.last <= last);
  const suggesting = fits ? faultBody(fault, suggestion) : undefined;
  return suggestion && suggesting !== undefined && suggesting.length <= characters
    ? { fingerprint, action: { do: 'comment', file, lines: suggestion.lines, body: suggesting } }
    : { fingerprint, action: { do: 'comment', file, lines: { first: line, last: line }, body: faultBody(fault) } };
}
