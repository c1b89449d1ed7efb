import { exit } from './exit.ts';

/** The outside world of the command, handed in, so that a test can hand in another. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What runs the command: "Node.js 20.19.0, linux x64". */
  readonly runtime: string;
  readonly out: Output;
  readonly err: Output;
}

export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Its width, when it is a terminal. */
  readonly columns: number | undefined;
}

/** The process that runs us. A reader that stops reading (`poolcheck | head`) ends it quietly; a full disk makes it fail. */
export function processIo(): Io {
  const runtime = `Node.js ${process.versions.node}, ${process.platform} ${process.arch}`;
  return { cwd: process.cwd(), env: process.env, runtime, out: outputOf(process.stdout), err: outputOf(process.stderr) };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    if (stream !== process.stderr) process.stderr.write(`poolcheck: what was found cannot be written: ${error.message}\n`);
    process.on('exit', () => {
      process.exitCode = exit.failed;
    });
  });
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY,
    columns: stream.isTTY ? stream.columns : undefined,
  };
}
