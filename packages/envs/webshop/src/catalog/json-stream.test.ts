import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonEntries } from './json-stream.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-json-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function entriesOf(text: string) {
  const file = join(folder, 'file.json');
  await writeFile(file, text);
  const entries = [];
  for await (const entry of jsonEntries(file)) entries.push(entry);
  return entries;
}

describe('entries of a JSON file', () => {
  it('read NaN and Infinity as null, except in strings', async () => {
    const text = '[{"a": NaN, "b": -Infinity, "c": "NaN \\" Infinity\\\\"}, NaN, "x NaN", [Infinity, 1], NaNa, oh]';
    const broken = { value: undefined, problem: 'not JSON' };
    expect(await entriesOf(text)).toEqual([
      { value: { a: null, b: null, c: 'NaN " Infinity\\' } },
      { value: null },
      { value: 'x NaN' },
      { value: [null, 1] },
      broken,
      broken,
    ]);
  });

  it('are as JSON.parse reads scalars, with and without an exception', async () => {
    const scalars = [
      'true',
      'null',
      '-0',
      '0.5e-3',
      '1E9',
      '"t"',
      't',
      '-',
      '01',
      '1.',
      '.5',
      '+1',
      'tru',
      'nul',
      '1x',
      '--1',
    ];
    const read = (text: string) => {
      try {
        return { value: JSON.parse(text) as unknown };
      } catch {
        return { value: undefined, problem: 'not JSON' };
      }
    };
    expect(await entriesOf(`[${scalars.join(', ')}]`)).toEqual(scalars.map(read));
  });

  it('may have 20 MB and a NaN, on which a pattern overflowed the stack', async () => {
    const [entry] = await entriesOf(`[{"price": NaN, "text": "${'\\"x'.repeat(7_000_000)}"}]`);
    const { price, text } = entry!.value as { price: null; text: string };
    expect([price, text.length]).toEqual([null, 14_000_000]);
  });
});
