/** Lines from a stream, one at a time; lines typed ahead are kept. In a terminal they can be edited, recalled and completed. */
import { createInterface } from 'node:readline';

/**
 * The source of a person's lines: `process.stdin`, a `PassThrough`. Declared structurally, so that no types of Node are
 * needed.
 */
export interface LineInput {
  on(event: string, listener: (...args: never[]) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The output stream: `process.stdout`, a `PassThrough`. */
export interface LineOutput {
  write(text: string): unknown;
}

export interface LineReader {
  /** Prompts and returns the next line; `undefined` once the stream has ended. Rejects with the signal's reason on abort. */
  next(signal?: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** @param choices  The valid inputs; Tab completes them if both streams are a terminal. */
export function lineReader(input: LineInput, output: LineOutput, choices: () => readonly string[]): LineReader {
  const lines: string[] = [];
  let ended = false;
  let wake: () => void = () => {};
  const terminal = isTerminal(input) && isTerminal(output);
  const completer = (line: string) => [completions(line, choices()), line];
  const reader = createInterface({
    input: input as unknown as NodeJS.ReadableStream,
    output: output as unknown as NodeJS.WritableStream,
    terminal,
    prompt: '> ',
    completer,
  });
  // readline consumes Ctrl-C in a terminal
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  reader.on('line', (line) => {
    lines.push(line);
    wake();
  });
  reader.on('close', () => {
    ended = true;
    wake();
  });
  return {
    async next(signal) {
      signal?.throwIfAborted();
      reader.prompt();
      if (lines.length === 0 && !ended) await arrival(signal, (resolve) => (wake = resolve));
      return lines.shift();
    },
    close: () => reader.close(),
  };
}

const isTerminal = (stream: LineInput | LineOutput) => 'isTTY' in stream && stream.isTTY === true;

/** The choices that start with the line, otherwise those that contain all of its words. */
export function completions(line: string, choices: readonly string[]): string[] {
  const typed = line.trimStart().toLowerCase();
  const same = choices.filter((choice) => choice.toLowerCase().startsWith(typed));
  if (same.length > 0) return same;
  const words = typed.split(/\s+/);
  return choices.filter((choice) => words.every((word) => choice.toLowerCase().includes(word)));
}

function arrival(signal: AbortSignal | undefined, wait: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    wait(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
  });
}
