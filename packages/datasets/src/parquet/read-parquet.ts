/**
 * Rows of a Parquet file, decoded in a separate process with limits of time and memory.
 *
 * A few flipped bytes are enough for counts that keep a decoder busy for hours, or that end Node with "invalid size" where
 * no error can be caught, not even that of a thread. So the process may end in any way: it is an error of this file.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from '@vlgym/core/internal';
import { DatasetFileError } from '../errors.js';
import type { DatasetLimits } from '../limits.js';
import { type DecodeAnswer, type DecodeRequest, type DecodeTask, EXCEEDED } from './protocol.js';

export interface ParquetRow {
  /** Counts from 0. */
  readonly row: number;
  readonly value: unknown;
}

/**
 * @throws {DatasetFileError} It is damaged, or reading it takes more time or memory than `limits` allow.
 * @throws {GymError} `WORKER_FILE_MISSING`
 */
export async function* readParquet(
  file: string,
  { groupBytes, memoryBytes }: Pick<DatasetLimits, 'groupBytes' | 'memoryBytes'>,
  columns?: readonly string[],
): AsyncGenerator<ParquetRow> {
  const decoder = new Decoder({ file, groupBytes, memoryBytes, ...(columns && { columns }) });
  try {
    let row = 0;
    for (;;) {
      const rows = await decoder.next();
      if (rows.length === 0) return;
      for (const value of rows) yield { row: row++, value };
    }
  } finally {
    decoder.end();
  }
}

const DECODER_FILE = { package: '@vlgym/datasets', path: 'parquet/child.js' } as const;
/** Characters of its standard error that are kept. */
const MAX_WORDS = 10_000;

class Decoder {
  readonly #task: DecodeTask;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #words = '';

  /** @throws {GymError} `WORKER_FILE_MISSING` */
  constructor(task: DecodeTask) {
    this.#task = task;
    this.#child = fork(builtFile(import.meta.url, DECODER_FILE), [JSON.stringify(task)], {
      execArgv: [`--max-old-space-size=${Math.ceil(task.memoryBytes / 2 / 2 ** 20)}`],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (words: string) => {
      this.#words = (this.#words + words).slice(-MAX_WORDS);
    });
    // after its last words were read
    this.#closed = once(this.#child, 'close').catch(() => {});
    this.#hold(false);
  }

  /** @throws {DatasetFileError} */
  async next(): Promise<readonly unknown[]> {
    const request: DecodeRequest = 'next';
    const heard = new AbortController();
    this.#hold(true);
    try {
      const message = once(this.#child, 'message', { signal: heard.signal }) as Promise<[DecodeAnswer]>;
      this.#child.send(request, () => {}); // where it has ended, `close` follows
      const answer = await Promise.race([message.then(([given]) => given), this.#closed.then(() => undefined)]);
      message.catch(() => {});
      if (answer && 'rows' in answer) return answer.rows;
      throw new DatasetFileError(this.#task.file, answer?.problem ?? this.#whyEnded());
    } finally {
      heard.abort();
      this.#hold(false);
    }
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  #whyEnded(): string {
    if (this.#words.includes(EXCEEDED.time)) return 'decoding it takes too long for its size; it is damaged';
    const { memoryBytes } = this.#task;
    if (this.#words.includes(EXCEEDED.memory) || /heap out of memory|invalid size/.test(this.#words)) {
      return `decoding it takes more than ${memoryBytes} bytes of memory; it is damaged, or has too large row groups`;
    }
    return `the process that decodes it ended: ${this.#words.trim().split('\n')[0] || 'without a word'}`;
  }

  /** The process keeps this one alive only while somebody waits for it. */
  #hold(isWaiting: boolean): void {
    const word = isWaiting ? 'ref' : 'unref';
    this.#child[word]();
    this.#child.channel?.[word]();
    (this.#child.stderr as { ref?(): void; unref?(): void } | null)?.[word]?.();
  }
}
