import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addonPath } from '../native/addon-path.js';
import { setNumThreads } from '../native/runtime.js';
import { arange, tensor, zeros } from '../tensor/creation.js';
import { DTYPES } from '../tensor/dtype.js';
import { memory, tidy, tidyAsync } from '../tensor/scope.js';
import { SafetensorsDtypeError, SafetensorsInvalidError, SafetensorsReadError } from './header.js';
import { load, SafetensorsFile, SafetensorsTensorError, SafetensorsWriteError, save, saveSync } from './safetensors.js';
import { SafetensorsWriter } from './writer.js';

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(() => {
  setNumThreads(1);
  folder = mkdtempSync(join(tmpdir(), 'safetensors-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file with the given header and data, right or wrong. */
function write(name: string, header: unknown, data = new Uint8Array(0), length?: bigint): string {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(length ?? BigInt(json.length));
  writeFileSync(file(name), Buffer.concat([prefix, json, data]));
  return file(name);
}

function write4(): string {
  writeFileSync(file('x0'), 'four');
  return file('x0');
}

const entry = (over: object = {}) => ({ dtype: 'F32', shape: [2], data_offsets: [0, 8], ...over });

describe('a saved file', () => {
  it.each(DTYPES)('gives back %s tensors, shapes and metadata', async (dtype) => {
    const path = file(`${dtype}.safetensors`);
    await tidyAsync(async () => {
      const numbers = tensor(
        [
          [1, 0, 1],
          [0, 1, 1],
        ],
        { dtype },
      );
      const tensors = new Map([
        ['weights', numbers],
        ['empty', zeros([0, 3], { dtype })],
        ['scalar', tensor(1, { dtype })],
      ]);
      await save(path, tensors, { metadata: { step: '7', name: 'ä' } });
      using opened = new SafetensorsFile(path);
      expect(opened.metadata).toEqual({ step: '7', name: 'ä' });
      for (const [name, saved] of tensors) {
        const found = opened.get(name);
        expect([found.dtype, found.shape, found.tolist()]).toEqual([dtype, saved.shape, saved.tolist()]);
      }
    });
  });

  it('holds the numbers at the time of the call, even if training changes them in the meantime', async () => {
    const path = file('snapshot.safetensors');
    await tidyAsync(async () => {
      const weights = arange(4, undefined, 1, { dtype: 'float32' });
      const saving = save(path, { weights });
      weights.zero_();
      await saving;
      expect(load(path).get('weights')?.toNumbers()).toEqual([0, 1, 2, 3]);
    });
  });

  it('is written row-major for transposed tensors', () => {
    tidy(() => {
      saveSync(file('t.safetensors'), {
        x: tensor([
          [1, 2],
          [3, 4],
        ]).t(),
      });
      expect(load(file('t.safetensors')).get('x')?.tolist()).toEqual([
        [1, 3],
        [2, 4],
      ]);
    });
  });

  it('is not changed by writing into a loaded tensor', () => {
    tidy(() => {
      saveSync(file('private.safetensors'), { x: tensor([1, 2]) });
      load(file('private.safetensors')).get('x')?.zero_();
      expect(load(file('private.safetensors')).get('x')?.toNumbers()).toEqual([1, 2]);
    });
  });

  it('starts its data at a multiple of 8', () => {
    tidy(() => saveSync(file('aligned.safetensors'), { odd_name: tensor([1]) }));
    expect(readFileSync(file('aligned.safetensors')).readBigUInt64LE() % 8n).toBe(0n);
  });

  it('keeps its tensors valid after the file is closed and deleted', () => {
    tidy(() => {
      saveSync(file('gone.safetensors'), { x: tensor([5]) });
      const loaded = load(file('gone.safetensors')).get('x');
      rmSync(file('gone.safetensors'));
      expect(loaded?.item()).toBe(5);
    });
  });
});

describe('a broken file is refused by name', () => {
  const eight = new Uint8Array(8);
  it.each<[string, () => string, RegExp]>([
    ['four bytes', write4, /shorter than 8/],
    ['a header longer than the file', () => write('x1', {}, eight, 1000n), /claims 1000 bytes/],
    ['a header of 2^63 bytes', () => write('x2', {}, eight, 2n ** 63n), /claims/],
    ['no JSON', () => write('x3', '{"a": '), /not JSON/],
    ['a list as header', () => write('x4', []), /not an object/],
    ['an entry that is text', () => write('x5', { a: 'b' }), /not an object/],
    ['an unknown dtype', () => write('x6', { a: entry({ dtype: 'constructor' }) }, eight), /unknown dtype/],
    ['a negative size', () => write('x7', { a: entry({ shape: [-2] }) }, eight), /list of sizes/],
    ['a broken size', () => write('x8', { a: entry({ shape: [1.5] }) }, eight), /list of sizes/],
    [
      'sizes whose product overflows',
      () => write('x9', { a: entry({ shape: [2 ** 40, 2 ** 40] }) }, eight),
      /too large/,
    ],
    [
      'offsets that disagree with the shape',
      () => write('xa', { a: entry({ data_offsets: [0, 4] }) }, eight),
      /asks for 8/,
    ],
    ['offsets in reverse', () => write('xb', { a: entry({ data_offsets: [8, 0] }) }, eight), /asks for 8/],
    ['data beyond the end', () => write('xc', { a: entry({ data_offsets: [8, 16] }) }, eight), /the file at/],
    ['overlapping tensors', () => write('xd', { a: entry(), b: entry() }, eight), /overlaps/],
    ['a hole', () => write('xe', { a: entry({ data_offsets: [8, 16] }) }, new Uint8Array(16)), /hole/],
    ['bytes left over', () => write('xf', { a: entry() }, new Uint8Array(9)), /belong to no tensor/],
    ['metadata that is not text', () => write('xg', { __metadata__: { a: 1 } }), /metadata/],
  ])('%s', (_, make, reason) => {
    const path = make();
    const opening = () => new SafetensorsFile(path);
    expect(opening).toThrow(SafetensorsInvalidError);
    expect(opening).toThrow(reason);
    expect(opening).toThrow(path);
  });

  it('cut anywhere, or with any byte of its header changed, it opens whole or not at all', () => {
    const path = file('victim.safetensors');
    tidy(() =>
      saveSync(path, {
        a: tensor([
          [1, 2],
          [3, 4],
        ]),
        b: tensor([true, false]),
      }),
    );
    const whole = readFileSync(path);
    const headerEnd = 8 + Number(whole.readBigUInt64LE());
    const attempt = (bytes: Uint8Array) => {
      writeFileSync(path, bytes);
      tidy(() => {
        try {
          for (const tensor of load(path).values()) tensor.toNumbers();
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^SAFETENSORS_/);
        }
      });
    };
    fc.assert(fc.property(fc.nat(whole.length - 1), (length) => attempt(whole.subarray(0, length))));
    fc.assert(
      fc.property(fc.nat(headerEnd - 1), fc.nat(255), (position, value) => {
        const bytes = Uint8Array.from(whole);
        bytes[position] = value;
        attempt(bytes);
      }),
    );
  });

  it('with any value anywhere in its header, it opens whole or with a code', () => {
    const valid = { __metadata__: { a: 'b' }, x: entry(), y: entry({ data_offsets: [8, 16] }) };
    const attempt = (header: unknown) => {
      const path = write('fuzzed', header, new Uint8Array(16));
      tidy(() => {
        try {
          for (const tensor of load(path).values()) tensor.toNumbers();
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^SAFETENSORS_/);
        }
      });
    };
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, 2 ** 31, 2 ** 53, 1e308));
    const value = fc.oneof(fc.jsonValue(), number, fc.array(number, { maxLength: 70 }));
    fc.assert(
      fc.property(fc.constantFrom('dtype', 'shape', 'data_offsets', 'other'), value, (field, by) =>
        attempt({ ...valid, y: { ...valid.y, [field]: by } }),
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom('x', 'y', '__metadata__', 'z'), value, (name, by) =>
        attempt({ ...valid, [name]: by }),
      ),
    );
    fc.assert(fc.property(fc.jsonValue(), attempt));
  });

  it('without a name or a file it is a typed error', () => {
    expect(() => load(file('missing'))).toThrow(SafetensorsReadError);
    tidy(() => saveSync(file('named.safetensors'), { x: tensor([1]) }));
    using opened = new SafetensorsFile(file('named.safetensors'));
    expect(() => opened.get('y')).toThrow(SafetensorsTensorError);
    opened.close();
    expect(() => opened.get('x')).toThrow(SafetensorsReadError);
  });

  it('with a dtype that is not supported fails for that tensor only', () => {
    const path = write(
      'f8',
      {
        a: { dtype: 'F8_E4M3', shape: [4], data_offsets: [0, 4] },
        b: { dtype: 'U8', shape: [4], data_offsets: [4, 8] },
      },
      new Uint8Array(8).fill(2),
    );
    using opened = new SafetensorsFile(path);
    expect(() => opened.get('a')).toThrow(SafetensorsDtypeError);
    tidy(() => expect(opened.get('b').toNumbers()).toEqual([2, 2, 2, 2]));
  });

  it('with data at odd addresses is read', () => {
    const header = JSON.stringify({ a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } });
    const path = write(
      'odd',
      header.padEnd(header.length + ((9 - (header.length % 8)) % 8), ' '),
      new Uint8Array(new Float32Array([1.5]).buffer),
    );
    tidy(() => expect(load(path).get('a')?.item()).toBe(1.5));
  });
});

describe('a write that fails', () => {
  it('names the path when the folder is missing', async () => {
    using x = tensor([1]);
    await expect(save(join(folder, 'no/such/folder.safetensors'), { x })).rejects.toThrow(SafetensorsWriteError);
    expect(() => saveSync(join(folder, 'no/such/folder.safetensors'), { x })).toThrow(/No such file/);
  });

  it('beyond the size limit of the process is an error on either thread, not a signal', () => {
    const path = file('limited.safetensors');
    tidy(() => saveSync(path, { x: tensor([1]) }));
    const before = readFileSync(path);
    const script = `
      const module_ = { exports: {} };
      process.dlopen(module_, ${JSON.stringify(addonPath())});
      const native = module_.exports;
      const big = native.zeros([100000], 6, 'cpu');
      const path = ${JSON.stringify(path)};
      try { native.writeFile(path, path + '.a', '{}', [big]); } catch (error) { console.log(error.message); }
      native.writeFileAsync(path, path + '.b', '{}', [big]).catch((error) => console.log(error.message));
    `;
    const output = execFileSync('bash', ['-c', 'ulimit -f 16; exec "$0" -e "$1"', process.execPath, script]).toString();
    expect(output.match(/File too large/g)?.length).toBe(2);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('limited'))).toEqual(['limited.safetensors']);
  });

  const disk = join(tmpdir(), `small-disk-${process.pid}`);
  const mounted = mountSmallDisk(disk);
  afterAll(() => {
    if (mounted) execFileSync('umount', [disk]);
  });

  it.runIf(mounted)(
    '(needs the right to mount) on a full disk leaves the old file whole and nothing next to it',
    async () => {
      using small = tensor([1, 2, 3]);
      using large = zeros([100_000]);
      const path = join(disk, 'model.safetensors');
      await save(path, { x: small });
      const before = readFileSync(path);
      const alive = memory().tensors;
      for (const attempt of [() => save(path, { x: large }), async () => saveSync(path, { x: large })]) {
        const error: SafetensorsWriteError = await attempt().then(
          () => expect.unreachable(),
          (reason) => reason,
        );
        expect(error.code).toBe('SAFETENSORS_WRITE_FAILED');
        expect(error.message).toContain('No space left');
        expect(readFileSync(path).equals(before)).toBe(true);
        expect(readdirSync(disk)).toEqual(['model.safetensors']);
      }
      expect(memory().tensors).toBe(alive);
    },
  );
});

function mountSmallDisk(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a file written tensor by tensor', () => {
  const layout = [
    { name: 'first', dtype: 'float32', shape: [2, 3] },
    { name: 'second', dtype: 'bfloat16', shape: [4] },
    { name: 'third', dtype: 'float64', shape: [2] },
  ] as const;

  it('is read back whatever the order, and holds zeros where nothing was written', () => {
    const path = join(folder, 'by-tensor.safetensors');
    const writer = new SafetensorsWriter(path, layout);
    writer.write('second', tensor([1, 2, 3, 4], { dtype: 'bfloat16' }));
    writer.write(
      'first',
      tensor([
        [1, 2, 3],
        [5, 6, 7],
      ]),
    );
    writer.sync();
    writer.close();
    const read = load(path);
    expect([...read].map(([name, { dtype, shape }]) => ({ name, dtype, shape }))).toEqual(layout);
    expect(read.get('first')!.toNumbers()).toEqual([1, 2, 3, 5, 6, 7]);
    expect(read.get('second')!.toNumbers()).toEqual([1, 2, 3, 4]);
    expect(read.get('third')!.toNumbers()).toEqual([0, 0]);
  });

  it('takes a tensor in parts, each within its bounds', () => {
    const path = join(folder, 'parts.safetensors');
    const writer = new SafetensorsWriter(path, layout);
    const bytes = (...values: number[]) => new Uint8Array(Float32Array.of(...values).buffer);
    writer.writePart('first', 4, bytes(6, 7));
    writer.writePart('first', 0, bytes(1, 2, 3, 5));
    const refused = [
      ['fourth', 0, bytes(1)],
      ['first', 5, bytes(1, 2)],
      ['first', -1, bytes(1)],
      ['first', 0, bytes(1).subarray(1)],
    ] as const;
    for (const [name, first, part] of refused) {
      expect(() => writer.writePart(name, first, part)).toThrow(
        expect.objectContaining({ code: 'SAFETENSORS_TENSOR' }),
      );
    }
    writer.close();
    expect(load(path).get('first')!.toNumbers()).toEqual([1, 2, 3, 5, 6, 7]);
  });

  it('takes no other tensor than its layout names', () => {
    const writer = new SafetensorsWriter(join(folder, 'refused.safetensors'), layout);
    for (const [name, shape] of [
      ['fourth', [1]],
      ['first', [3, 2]],
    ] as const) {
      expect(() => writer.write(name, zeros(shape))).toThrow(expect.objectContaining({ code: 'SAFETENSORS_TENSOR' }));
    }
    writer.close();
  });
});
