/** Archives are hostile until proven otherwise; downloads go on where they broke off. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archiveAddresses, downloadData, fetchArchive } from './download.js';
import { importData } from './import-data.js';
import { unsafeName } from './zip.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-data-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Packed {
  readonly name: string;
  readonly text: string;
  /** Unix mode, e.g. of a link. */
  readonly mode?: number;
  /** What the directory claims instead. */
  readonly size?: number;
  readonly crc?: number;
  readonly offset?: number;
}

function zip(entries: readonly Packed[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const { name, text, mode = 0o100644, size, crc, offset } of entries) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(22);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc ?? crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size ?? content.length, 18);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    fields.copy(local, 4);
    local.writeUInt16LE(path.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    fields.copy(central, 6);
    central.writeUInt16LE(path.length, 28);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(offset ?? position, 42);
    parts.push(local, path, packed);
    directory.push(central, path);
    position += 30 + path.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, list, end]);
}

const TRIAL = 'json_2.1.1/train/task/trial';
const GOOD: readonly Packed[] = [
  { name: 'json_2.1.1/', text: '' },
  { name: `${TRIAL}/traj_data.json`, text: '{"task_type": "x"}' },
  { name: `${TRIAL}/game.tw-pddl`, text: 'a game '.repeat(200) },
  { name: 'README.txt', text: 'hello' },
];

function archive(bytes: Buffer): string {
  const file = join(home, 'games.zip');
  writeFileSync(file, bytes);
  return file;
}

describe('an archive', () => {
  const to = () => join(home, 'data');

  it('is unpacked where it belongs, once; what is no part of the data is left out', async () => {
    const file = archive(zip(GOOD));
    expect(await importData(file, { to: to() })).toEqual({ folder: to(), written: 2, kept: 0, ignored: 1 });
    expect(readFileSync(join(to(), TRIAL, 'game.tw-pddl'), 'utf8')).toBe('a game '.repeat(200));
    expect(existsSync(join(to(), 'README.txt'))).toBe(false);
    expect(await importData(file, { to: to() })).toMatchObject({ written: 0, kept: 2 });
  });

  const game = GOOD[2]!;
  it.each<[string, readonly Packed[], string]>([
    ['a name that climbs', [...GOOD, { name: '../../evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    [
      'a name that climbs in the middle',
      [...GOOD, { name: 'json_2.1.1/train/../../../game.tw-pddl', text: 'x' }],
      'UNSAFE_ARCHIVE',
    ],
    ['an absolute name', [...GOOD, { name: '/etc/evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    ['a drive letter', [...GOOD, { name: 'C:evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    ['a backslash', [...GOOD, { name: '..\\evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    ['a link', [...GOOD, { name: `${TRIAL}/receps.json`, text: '/etc/passwd', mode: 0o120777 }], 'UNSAFE_ARCHIVE'],
    ['a name twice', [...GOOD, game], 'UNSAFE_ARCHIVE'],
    ['a file that claims to be huge', [{ ...game, size: 2 ** 31 }], 'ARCHIVE_TOO_LARGE'],
    ['a file larger than it claims', [{ ...game, size: 10 }], 'INVALID_ARCHIVE'],
    ['a wrong checksum', [{ ...game, crc: 1 }], 'INVALID_ARCHIVE'],
    [
      'two names for the same bytes',
      [...GOOD, { ...game, name: `${TRIAL}/receps.json`, offset: 0 }],
      'INVALID_ARCHIVE',
    ],
  ])('with %s is refused', async (_, entries, code) => {
    await expect(importData(archive(zip(entries)), { to: to() })).rejects.toMatchObject({ code });
    expect(existsSync(join(to(), TRIAL, 'game.tw-pddl'))).toBe(false);
    expect(existsSync(join(home, '..', 'evil'))).toBe(false);
  });

  it.each([0, 10, 100, -10, -30])('that is cut to %i bytes is refused', async (length) => {
    await expect(importData(archive(zip(GOOD).subarray(0, length)), { to: to() })).rejects.toMatchObject({
      code: 'INVALID_ARCHIVE',
    });
  });

  it('beyond the limits is refused', async () => {
    const file = archive(zip(GOOD));
    for (const limits of [{ entries: 2 }, { fileBytes: 100 }, { totalBytes: 1000 }]) {
      await expect(importData(file, { to: to(), ...limits })).rejects.toMatchObject({ code: 'ARCHIVE_TOO_LARGE' });
    }
  });

  it('without games says so', async () => {
    await expect(importData(archive(zip([GOOD[3]!])), { to: to() })).rejects.toMatchObject({ code: 'NO_GAMES' });
    await expect(importData(join(home, 'nothing'))).rejects.toMatchObject({ code: 'NO_GAMES' });
  });
});

it('imports a folder without following links', async () => {
  const from = join(home, 'from');
  mkdirSync(join(from, TRIAL), { recursive: true });
  writeFileSync(join(from, TRIAL, 'game.tw-pddl'), 'game');
  writeFileSync(join(home, 'secret'), 'secret');
  symlinkSync(join(home, 'secret'), join(from, TRIAL, 'traj_data.json'));
  symlinkSync(from, join(from, 'json_2.1.1/train/circle'));
  expect(await importData(from, { to: join(home, 'data') })).toMatchObject({ written: 1, ignored: 2 });
  expect(await importData(join(from, 'json_2.1.1'), { to: join(home, 'other') })).toMatchObject({ written: 1 });
  expect(existsSync(join(home, 'other', TRIAL, 'game.tw-pddl'))).toBe(true);
});

it.each([
  ['a/b', undefined],
  ['a/../b', /climbs/],
  ['', /empty/],
  ['a\0b', /zero/],
])('judges the name %o', (name, problem) => {
  if (problem) expect(unsafeName(name)).toMatch(problem);
  else expect(unsafeName(name)).toBeUndefined();
});

describe('a download', () => {
  const bytes = zip(GOOD);
  const url = 'https://example.org/games.zip';

  /** A server that breaks off after some bytes, as often as told. */
  function server(breaks: number[]) {
    const asked: (string | null)[] = [];
    const get = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      const range = new Headers(init?.headers).get('range');
      asked.push(range);
      const start = range ? Number(/\d+/.exec(range)![0]) : 0;
      const stop = breaks.shift();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes.subarray(start, stop));
          if (stop === undefined) controller.close();
          else controller.error(new Error('reset'));
        },
      });
      return new Response(body, {
        status: range ? 206 : 200,
        headers: { 'content-length': String(bytes.length - start) },
      });
    };
    return { asked, get: get as typeof fetch };
  }

  it('goes on where it broke off', async () => {
    const file = join(home, 'games.zip');
    const { asked, get } = server([100]);
    await expect(fetchArchive(url, file, { fetch: get })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
    expect(existsSync(file)).toBe(false);
    await fetchArchive(url, file, { fetch: get });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    const kept = asked[1] === null ? 0 : Number(/\d+/.exec(asked[1]!)![0]);
    expect(kept === 0 || kept === 100).toBe(true);
  });

  it('with another checksum is thrown away', async () => {
    const file = join(home, 'games.zip');
    await expect(fetchArchive(url, file, { fetch: server([]).get, sha256: { [url]: 'ab' } })).rejects.toMatchObject({
      code: 'CHECKSUM_MISMATCH',
    });
    expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
  });

  it('says what to do without a network, and what the server said', async () => {
    const offline = (async () => Promise.reject(new TypeError('fetch failed'))) as typeof fetch;
    await expect(downloadData({ fetch: offline, archives: home })).rejects.toMatchObject({
      code: 'NO_NETWORK',
      hint: expect.stringMatching(/importData/),
    });
    const missing = (async () => new Response('', { status: 404 })) as typeof fetch;
    await expect(downloadData({ fetch: missing, archives: home })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
  });

  it('fetches trajectories and games, unpacks them, and leaves no archive behind', async () => {
    const { get } = server([]);
    const imported = await downloadData({ fetch: get, archives: join(home, 'cache'), to: join(home, 'data') });
    expect(imported).toMatchObject({ written: 2, kept: 2 });
    expect(archiveAddresses('2.1.3')[1]).toMatch(/0\.4\.2\/json_2\.1\.3_tw-pddl\.zip$/);
    for (const address of archiveAddresses('2.1.2'))
      expect(existsSync(join(home, 'cache', address.split('/').at(-1)!))).toBe(false);
  });
});
