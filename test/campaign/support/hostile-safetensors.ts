/** Files of weights whose headers say what their bytes are not. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Generator } from '@vlgym/core';
import { odd } from './hostile-json.js';

interface Entry {
  dtype: unknown;
  shape: unknown;
  data_offsets: unknown;
}
type Header = Record<string, Entry>;

/** Must a reader refuse it? Otherwise it may read it where it finds nothing wrong. */
export interface Spoiled {
  readonly name: string;
  readonly refuse: boolean;
}

export function spoilWeights(rng: Generator, path: string): Spoiled {
  const file = readFileSync(path);
  const length = Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.subarray(8, 8 + length).toString('utf8')) as Header;
  const data = file.subarray(8 + length);
  const names = Object.keys(header).filter((name) => name !== '__metadata__');
  const name = rng.choice(names);
  const entry = header[name]!;
  const [start, end] = entry.data_offsets as [number, number];
  const shape = entry.shape as number[];
  const store = (text = JSON.stringify(header), size = BigInt(Buffer.byteLength(text)), bytes: Uint8Array = data) => {
    const lengths = Buffer.alloc(8);
    lengths.writeBigUInt64LE(size);
    writeFileSync(path, Buffer.concat([lengths, Buffer.from(text), bytes]));
  };
  const other = header[rng.choice(names)]!;
  const offsets = (from: unknown, to: unknown) => () => {
    entry.data_offsets = [from, to];
    store();
  };
  const kinds: [what: string, refuse: boolean, write: () => void][] = [
    ['a header longer than the file', true, () => store(undefined, rng.choice([2n ** 63n, 2n ** 53n, 2n ** 31n]))],
    ['an empty header', true, () => store('', 0n)],
    ['a header that is not JSON', true, () => store('{"a":')],
    ['a deep header', true, () => store(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)],
    ['a header that is a list', true, () => store('[]')],
    ['offsets beyond the file', true, offsets(start, data.length + 4)],
    ['offsets of 2^53', true, offsets(2 ** 53 - 8, 2 ** 53)],
    ['negative offsets', true, offsets(-4, end)],
    ['offsets the wrong way round', true, offsets(end, start)],
    ['fractions of bytes', true, offsets(start + 0.5, end + 0.5)],
    ['offsets that are no list', true, offsets(odd(rng), odd(rng))],
    [
      'overlapping tensors',
      true,
      () => {
        const [from] = other.data_offsets as [number, number];
        entry.data_offsets = other === entry ? [start + 4, end + 4] : [from, from + end - start];
        store();
      },
    ],
    [
      'another dtype',
      true,
      () => {
        entry.dtype = rng.choice(['F64', 'F16', 'BF16', 'I32', 'U8', 'BOOL', 'F8_E4M3', 'C64', '', 3, '__proto__']);
        store();
      },
    ],
    [
      'another shape',
      true,
      () => {
        entry.shape = rng.choice<unknown>([
          [...shape, 2],
          shape.map((size) => size + 1),
          [2 ** 53],
          [2 ** 32, 2 ** 32],
          [-1, ...shape],
          Array(2000).fill(1),
          [2 ** 60, 0],
          'x',
        ]);
        store();
      },
    ],
    [
      'turned shape',
      // a square is the same turned
      new Set(shape).size > 1,
      () => {
        entry.shape = shape.toReversed();
        store();
      },
    ],
    [
      'a name of a prototype',
      true,
      () => store(JSON.stringify(header).replace(JSON.stringify(name), rng.choice(['"__proto__"', '"constructor"']))),
    ],
    [
      'a name twice',
      false,
      () => store(JSON.stringify(header).replace('{', `{${JSON.stringify(name)}:${JSON.stringify(other)},`)),
    ],
    [
      'a tensor less',
      true,
      () => {
        delete header[name];
        store();
      },
    ],
    ['a file cut off', true, () => writeFileSync(path, file.subarray(0, rng.integers(file.length)))],
    ['bytes behind', true, () => store(undefined, undefined, Buffer.concat([data, Buffer.alloc(64)]))],
    [
      'a number that is none',
      true,
      () => {
        const bytes = Buffer.from(data);
        bytes.writeFloatLE(rng.choice([Number.NaN, Number.POSITIVE_INFINITY]), start);
        store(undefined, undefined, bytes);
      },
    ],
    [
      'flipped bits of the header',
      false,
      () => {
        const bytes = Buffer.from(file);
        for (let flip = rng.integers(1, 5); flip > 0; flip -= 1)
          bytes[rng.integers(8 + length)]! ^= 1 << rng.integers(8);
        writeFileSync(path, bytes);
      },
    ],
    [
      'odd metadata',
      false,
      () => {
        header.__metadata__ = odd(rng) as Entry;
        store();
      },
    ],
  ];
  const [what, refuse, write] = rng.choice(kinds);
  write();
  return { name: `${what}: ${name}`, refuse };
}
