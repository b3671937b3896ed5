/** Lines from a stream, one at a time and on demand; nothing typed ahead is lost. */
import { createInterface } from 'node:readline';

export interface LineReader {
  /** The next line; `undefined` once the stream has ended. Rejects with the signal's reason when it aborts. */
  next(signal?: AbortSignal): Promise<string | undefined>;
  close(): void;
}

export function lineReader(input: NodeJS.ReadableStream): LineReader {
  const lines: string[] = [];
  let ended = false;
  let wake: () => void = () => {};
  const reader = createInterface({ input, terminal: false });
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
      if (lines.length === 0 && !ended) await arrival(signal, (resolve) => (wake = resolve));
      return lines.shift();
    },
    close: () => reader.close(),
  };
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
