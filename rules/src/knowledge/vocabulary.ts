/** The names that an image or an operator knows, among those that it is given. */
export interface Vocabulary {
  /** Whom it belongs to, at the head of a sentence: "The image edoburu/pgbouncer". */
  readonly reader: string;
  /** What is wrong with a name beside others; undefined for one that is read, or that is meant for somebody else. */
  judge(name: string, others: ReadonlySet<string>): Misnomer | undefined;
  /** Whether a name only goes into a file that the reader makes when there is none. */
  isForOwnFile?(name: string): boolean;
}

/** `ignored`: nobody reads it. `refused`: the line that is made of it stops the program. `rejected`: the whole object is not taken. */
export interface Misnomer {
  readonly fate: 'ignored' | 'refused' | 'rejected';
  /** What to do instead, as a sentence with a blank before it. */
  readonly instead: string;
}

/** Says that another name was meant; nothing when there is none. */
export function callIt(name: string | undefined): string {
  return name === undefined ? '' : ` Here it is called ${name}.`;
}
