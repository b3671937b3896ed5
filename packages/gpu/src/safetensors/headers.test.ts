/** Headers that the reference implementation (safetensors 0.8) reads or refuses: dtypes of newer files, odd names. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tensor } from '../tensor/creation.js';
import { tidy, tidyAsync } from '../tensor/scope.js';
import { SafetensorsDtypeError, SafetensorsHeaderError } from './header.js';
import { load, SafetensorsFile, save, saveSync } from './safetensors.js';
import { SafetensorsWriter } from './writer.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-headers-'));
afterAll(() => rmSync(home, { recursive: true }));
const path = join(home, 'x.safetensors');

function write(header: object, data: readonly number[]): void {
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(json.length));
  writeFileSync(path, Buffer.concat([prefix, json, Buffer.from(data)]));
}
const readable = { dtype: 'U8', shape: [2], data_offsets: [0, 2] };

it.each<[dtype: string, entries: number, bytes: number]>([
  ...['I8', 'F8_E4M3', 'F8_E5M2', 'F8_E8M0', 'F8_E4M3FNUZ', 'F8_E5M2FNUZ'].map((dtype): [string, number, number] => [
    dtype,
    4,
    4,
  ]),
  ['I16', 2, 4],
  ['U16', 2, 4],
  ['U32', 1, 4],
  ['U64', 1, 8],
  ['C64', 1, 8],
  ['F6_E2M3', 4, 3],
  ['F6_E3M2', 4, 3],
  ['F4', 8, 4],
])('a tensor of dtype %s is refused alone, and the others of its file are read', (dtype, entries, bytes) => {
  const other = { dtype, shape: [entries], data_offsets: [2, 2 + bytes] };
  write({ readable, other }, [1, 2, ...new Array<number>(bytes).fill(0)]);
  using file = new SafetensorsFile(path);
  expect(() => file.get('other')).toThrow(SafetensorsDtypeError);
  tidy(() => expect(file.get('readable').toNumbers()).toEqual([1, 2]));
});

it('entries of less than a byte must fill their last byte', () => {
  write({ other: { dtype: 'F4', shape: [3], data_offsets: [0, 2] } }, [1, 2]);
  expect(() => new SafetensorsFile(path)).toThrow(/ends inside a byte/);
});

it('a dtype of no known version does not blame the copy', () => {
  write({ other: { dtype: 'F2', shape: [8], data_offsets: [0, 2] } }, [1, 2]);
  expect(() => new SafetensorsFile(path)).toThrow(
    expect.objectContaining({ code: 'SAFETENSORS_INVALID', hint: expect.stringContaining('newer version') }),
  );
});

it('metadata of null counts as none', () => {
  write({ __metadata__: null, readable }, [1, 2]);
  using file = new SafetensorsFile(path);
  expect(file.metadata).toEqual({});
  expect(file.keys()).toEqual(['readable']);
});

it.each(['__proto__', 'constructor', 'toString', '', ' ', '7', 'ä/π.weight', '"', '\u0000'])(
  'what was saved as %j is read as such, by itself and as metadata',
  async (name) => {
    await tidyAsync(async () => {
      const metadata = JSON.parse(`{${JSON.stringify(name)}: "text"}`) as Record<string, string>;
      await save(path, new Map([[name, tensor([1, 2])]]), { metadata });
      expect(load(path).get(name)?.toNumbers()).toEqual([1, 2]);
      using file = new SafetensorsFile(path);
      expect(Object.entries(file.metadata)).toEqual([[name, 'text']]);
    });
  },
);

it.each(['__metadata__', '\ud800'])('a tensor cannot be saved as %j, and nothing is written', async (name) => {
  rmSync(path, { force: true });
  using x = tensor([1, 2]);
  const layout = [{ name, dtype: 'float32', shape: [2] }] as const;
  expect(() => saveSync(path, new Map([[name, x]]))).toThrow(SafetensorsHeaderError);
  await expect(save(path, new Map([[name, x]]))).rejects.toThrow(SafetensorsHeaderError);
  expect(() => new SafetensorsWriter(path, layout)).toThrow(SafetensorsHeaderError);
  expect(readdirSync(home)).toEqual([]);
});

it('a layout cannot name a tensor twice, and metadata is text', () => {
  const layout = [{ name: 'a', dtype: 'float32', shape: [2] }] as const;
  expect(() => new SafetensorsWriter(path, [...layout, ...layout])).toThrow(SafetensorsHeaderError);
  using x = tensor([1, 2]);
  expect(() => saveSync(path, { x }, { metadata: { step: 7 as never } })).toThrow(SafetensorsHeaderError);
});
