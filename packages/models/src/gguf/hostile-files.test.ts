/** Damaged and hostile GGUF files: an error with code, expectation and next step; never a crash, a hang or a large allocation. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GymError } from '@vlgym/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importGguf } from './import-gguf.js';

const valid = readFileSync(fileURLToPath(new URL('../../../../test/golden/gguf/llama.gguf', import.meta.url)));
/** Most of it; the numbers of tensors follow. */
const HEADER_BYTES = 6000;

let home = '';
let count = 0;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'vlgym-hostile-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function failureOf(bytes: Uint8Array): Promise<unknown> {
  count += 1;
  const file = join(home, `${count}.gguf`);
  const folder = join(home, `${count}`);
  writeFileSync(file, bytes);
  try {
    await importGguf(file, folder);
    return undefined;
  } catch (error) {
    // nothing is left, neither under its name nor under a temporary one
    expect(readdirSync(home).filter((name) => name.includes(`${count}`) && !name.endsWith('.gguf'))).toEqual([]);
    return error;
  } finally {
    rmSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const text = (value: string) => Buffer.concat([u64(BigInt(Buffer.byteLength(value))), Buffer.from(value)]);
const header = (tensors: bigint, entries: bigint) => [Buffer.from('GGUF'), u32(3), u64(tensors), u64(entries)];
const entry = (key: string, type: number, ...value: Buffer[]) => Buffer.concat([text(key), u32(type), ...value]);
const tensor = (name: string, sizes: readonly bigint[], type: number, offset: bigint) =>
  Buffer.concat([text(name), u32(sizes.length), ...sizes.map(u64), u32(type), u64(offset)]);
const tensors = (...infos: Buffer[]) =>
  Buffer.concat([...header(BigInt(infos.length), 0n), ...infos, Buffer.alloc(512)]);

/** The valid file with the first `from` replaced by `to`, of the same length. */
function replaced(from: string | Buffer, to: string | Buffer): Buffer {
  const bytes = Buffer.from(valid);
  const at = bytes.indexOf(from);
  expect(at).toBeGreaterThan(0);
  expect(Buffer.byteLength(to)).toBe(Buffer.byteLength(from));
  Buffer.from(to).copy(bytes, at);
  return bytes;
}

const a = tensor('a', [8n], 0, 0n);
const cases: readonly (readonly [string, Buffer, string, RegExp])[] = [
  ['an empty file', Buffer.alloc(0), 'GGUF_INVALID', /ends too early/],
  ['another magic number', Buffer.from('PK\x03\x04 and more'), 'GGUF_INVALID', /does not start with "GGUF"/],
  ['version 1', Buffer.concat([Buffer.from('GGUF'), u32(1)]), 'GGUF_UNSUPPORTED', /version 1/],
  ['version 4', Buffer.concat([Buffer.from('GGUF'), u32(4)]), 'GGUF_UNSUPPORTED', /version 4/],
  ['big-endian', Buffer.concat([Buffer.from('GGUF'), u32(0x03000000)]), 'GGUF_UNSUPPORTED', /big-endian/],
  [
    '10^9 metadata entries',
    Buffer.concat([...header(0n, 10n ** 9n), Buffer.alloc(64)]),
    'GGUF_INVALID',
    /1000000000 metadata/,
  ],
  ['2^63 tensors', Buffer.concat([...header(2n ** 63n, 0n), Buffer.alloc(64)]), 'GGUF_INVALID', /tensors/],
  [
    'a key of 2^40 bytes',
    Buffer.concat([...header(0n, 1n), u64(2n ** 40n), Buffer.alloc(64)]),
    'GGUF_INVALID',
    /bytes of a key/,
  ],
  [
    'a list of 2^40 numbers',
    Buffer.concat([...header(0n, 1n), entry('k', 9, u32(4), u64(2n ** 40n))]),
    'GGUF_INVALID',
    /elements of k/,
  ],
  [
    'a list of lists',
    Buffer.concat([...header(0n, 1n), entry('k', 9, u32(9), u64(1n)), Buffer.alloc(64)]),
    'GGUF_INVALID',
    /unknown type 9/,
  ],
  [
    'an unknown type of value',
    Buffer.concat([...header(0n, 1n), entry('k', 99), Buffer.alloc(64)]),
    'GGUF_INVALID',
    /unknown type 99/,
  ],
  [
    'a flag of 2',
    Buffer.concat([...header(0n, 1n), entry('k', 7, Buffer.of(2)), Buffer.alloc(9)]),
    'GGUF_INVALID',
    /flag k is 2/,
  ],
  [
    'a key twice',
    Buffer.concat([...header(0n, 2n), entry('k', 4, u32(1)), entry('k', 4, u32(1))]),
    'GGUF_INVALID',
    /"k" is twice/,
  ],
  [
    'text that is not UTF-8',
    Buffer.concat([...header(0n, 1n), entry('k', 8, u64(2n), Buffer.of(0xff, 0xfe))]),
    'GGUF_INVALID',
    /not UTF-8/,
  ],
  [
    'an alignment of 3',
    Buffer.concat([...header(0n, 1n), entry('general.alignment', 4, u32(3))]),
    'GGUF_INVALID',
    /alignment/,
  ],
  ['a tensor twice', tensors(a, tensor('a', [8n], 0, 32n)), 'GGUF_INVALID', /tensor "a" is twice/],
  ['tensors that overlap', tensors(a, tensor('b', [16n], 0, 0n)), 'GGUF_INVALID', /share bytes/],
  ['a tensor after the end', tensors(tensor('a', [8n], 0, 2n ** 20n)), 'GGUF_INVALID', /ends at byte/],
  ['a tensor at 2^64 - 32', tensors(tensor('a', [8n], 0, 2n ** 64n - 32n)), 'GGUF_INVALID', /ends at byte/],
  ['2^62 x 2^62 entries', tensors(tensor('a', [2n ** 62n, 2n ** 62n], 0, 0n)), 'GGUF_INVALID', /has the sizes/],
  ['a tensor of no entries', tensors(tensor('a', [0n], 0, 0n)), 'GGUF_INVALID', /has the sizes 0/],
  ['five dimensions', tensors(tensor('a', [1n, 1n, 1n, 1n, 1n], 0, 0n)), 'GGUF_INVALID', /5 dimensions/],
  ['an unaligned tensor', tensors(tensor('a', [8n], 0, 4n)), 'GGUF_INVALID', /begins at 4/],
  ['half a block', tensors(tensor('a', [16n], 8, 0n)), 'GGUF_INVALID', /rows of 16 entries/],
  ['IQ4_XS', tensors(tensor('a', [256n], 23, 0n)), 'GGUF_UNSUPPORTED', /quantization IQ4_XS/],
  ['an unknown quantization', tensors(tensor('a', [256n], 77, 0n)), 'GGUF_UNSUPPORTED', /quantization number 77/],
  ['no model', tensors(a), 'GGUF_UNSUPPORTED', /architecture is ""/],
  ['another architecture', replaced(text('llama'), text('gemma')), 'GGUF_UNSUPPORTED', /architecture is "gemma"/],
  [
    'an unknown setting',
    replaced('llama.rope.freq_base', 'llama.logits_scaled_'),
    'GGUF_UNSUPPORTED',
    /llama\.logits_scaled_/,
  ],
  ['a missing setting', replaced('llama.block_count', 'other.block_count'), 'GGUF_INVALID', /no llama\.block_count/],
  ['another tokenizer', replaced(text('gpt2'), text('bert')), 'GGUF_UNSUPPORTED', /tokenizer is "bert"/],
  ['another pre-tokenizer', replaced(text('smollm'), text('tekken')), 'GGUF_UNSUPPORTED', /pre-tokenizer is "tekken"/],
  ['a missing tensor', replaced('blk.0.attn_norm.weight', 'blk.0.attn_nurm.weight'), 'GGUF_UNSUPPORTED', /attn_nurm/],
  ['a merge of one word', replaced(text('hell o'), text('hell_o')), 'GGUF_INVALID', /tokenizer cannot be built/],
];

describe('a hostile file', () => {
  it.each(cases)('with %s is refused', async (_, bytes, code, message) => {
    const error = await failureOf(bytes);
    expect(error).toBeInstanceOf(GymError);
    expect(error).toMatchObject({ code, expected: expect.any(String), hint: expect.any(String) });
    expect((error as GymError).value).toBeDefined();
    expect((error as GymError).message).toMatch(message);
  });

  it('that is missing, or a folder, is refused', async () => {
    for (const path of [join(home, 'none.gguf'), home]) {
      await expect(importGguf(path, join(home, 'out'))).rejects.toMatchObject({ code: 'GGUF_INVALID' });
    }
  });

  it('of 100 GB without content takes neither time nor memory', async () => {
    const file = join(home, 'sparse.gguf');
    writeFileSync(file, Buffer.concat(header(2n ** 16n, 2n ** 16n)));
    truncateSync(file, 100e9);
    await expect(importGguf(file, join(home, 'out'))).rejects.toMatchObject({ code: 'GGUF_INVALID' });
    rmSync(file);
  });
});

describe('mutations of a valid file', () => {
  const edit = fc.record({ at: fc.nat(HEADER_BYTES), byte: fc.nat(255) });

  it('with changed bytes in the header are imported or refused by name', async () => {
    const before = process.memoryUsage().arrayBuffers;
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
        const bytes = Buffer.from(valid);
        for (const { at, byte } of edits) bytes[at] = byte;
        const error = await failureOf(bytes);
        expect(error === undefined || GymError.isInstance(error)).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
  });

  it('cut anywhere are refused as truncated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(valid.length - 1), async (length) => {
        expect(await failureOf(valid.subarray(0, length))).toMatchObject({ code: 'GGUF_INVALID' });
      }),
      { numRuns: 100 },
    );
  });

  it('with inserted or removed bytes are imported or refused by name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(HEADER_BYTES), fc.nat(16), fc.uint8Array({ maxLength: 16 }), async (at, gone, added) => {
        const error = await failureOf(Buffer.concat([valid.subarray(0, at), added, valid.subarray(at + gone)]));
        expect(error === undefined || GymError.isInstance(error)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
