/** Parquet files of strangers: fields that share the names of columns, and damage of every kind. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FLIPPED, KEY_IN_PARTS, PICTURE_IN_PARTS } from '../../test-support/parquet-files.js';
import { type ChatExample, DatasetFileError, type ReadExamplesOptions, readExamples, writeParquet } from '../index.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-parquet-'));
  path = join(folder, 'train.parquet');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(bytes: Uint8Array | string, options?: ReadExamplesOptions): Promise<ChatExample[]> {
  await writeFile(path, typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : bytes);
  const examples: ChatExample[] = [];
  for await (const example of readExamples(path, options)) examples.push(example);
  return examples;
}

async function* examples(count: number): AsyncGenerator<ChatExample> {
  for (let i = 0; i < count; i += 1) {
    yield { prompt: [{ role: 'user', content: `question ${i}` }], response: `answer ${i}`, source: '', group: '' };
  }
}

describe('fields inside of columns', () => {
  it.each([
    ['a key `image` in parts of text', KEY_IN_PARTS],
    ['the picture in its part', PICTURE_IN_PARTS],
  ])('are no columns: %s', async (_what, file) => {
    const [example, ...others] = await read(file);
    expect(others).toEqual([]);
    expect(example!.response).toBe('Red.');
    const parts = example!.prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    expect(parts.filter(({ type }) => type === 'image')).toMatchObject([{ image: { width: 2, height: 2 } }]);
  });
});

describe('a damaged file', () => {
  it('whose runs claim two billion values is refused, and does not compute for minutes', async () => {
    await expect(read(FLIPPED)).rejects.toThrow(/takes too long|more than \d+ bytes of memory/);
  });

  it('cannot end this process: a decoder that runs out of memory is an error', async () => {
    const limits = { memoryBytes: 40 * 2 ** 20 }; // Node alone has more
    await expect(read(FLIPPED, { limits })).rejects.toMatchObject({ code: 'DATASET_FILE', file: path });
  });

  it('of any kind is rows or an error with its name', { timeout: 300_000 }, async () => {
    await writeParquet(path, examples(50));
    const whole = await readFile(path);
    const rng = new Generator(7);
    let refused = 0;
    for (let round = 0; round < 12; round += 1) {
      const bytes = Uint8Array.from(whole);
      for (let flip = 0; flip < 3; flip += 1) bytes[rng.integers(bytes.length)]! ^= 1 << rng.integers(8);
      await read(bytes, { onInvalid: 'skip' }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(DatasetFileError);
        refused += 1;
      });
    }
    expect(refused).toBeGreaterThan(0);
  });
});

describe('a reader', () => {
  it('gets all rows, in order', async () => {
    await writeParquet(path, examples(100));
    const rows = await read(await readFile(path));
    expect(rows.map(({ response }) => response)).toEqual(Array.from({ length: 100 }, (_, i) => `answer ${i}`));
  });

  it('of a named pipe is refused without waiting for its writer', async () => {
    execFileSync('mkfifo', [path]);
    await expect(readExamples(path).next()).rejects.toThrow(/neither a file nor a folder/);
  });
});
