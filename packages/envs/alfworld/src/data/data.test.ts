/** Archives are treated as hostile; downloads resume. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ArchiveCheck, archiveAddresses, downloadData } from './download.js';
import { fetchArchive } from './fetch-archive.js';
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
  /** Values that the directory claims instead. */
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

  it('is unpacked once into the data folder, without entries that are not part of the data', async () => {
    const file = archive(zip(GOOD));
    expect(await importData(file, { to: to() })).toEqual({ folder: to(), written: 2, kept: 0, ignored: 1 });
    expect(readFileSync(join(to(), TRIAL, 'game.tw-pddl'), 'utf8')).toBe('a game '.repeat(200));
    expect(existsSync(join(to(), 'README.txt'))).toBe(false);
    expect(await importData(file, { to: to() })).toMatchObject({ written: 0, kept: 2 });
  });

  const game = GOOD[2]!;
  it.each<[string, readonly Packed[], string]>([
    ['a name with ..', [...GOOD, { name: '../../evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    [
      'a name with .. in the middle',
      [...GOOD, { name: 'json_2.1.1/train/../../../game.tw-pddl', text: 'x' }],
      'UNSAFE_ARCHIVE',
    ],
    ['an absolute name', [...GOOD, { name: '/etc/evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    ['a drive letter', [...GOOD, { name: 'C:evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    ['a backslash', [...GOOD, { name: '..\\evil', text: 'x' }], 'UNSAFE_ARCHIVE'],
    [
      'a control character',
      [...GOOD, { name: 'json_2.1.1/train/a\x1b[2J/trial/game.tw-pddl', text: 'x' }],
      'UNSAFE_ARCHIVE',
    ],
    [
      'a name that is too long',
      [...GOOD, { name: `json_2.1.1/train/${'x'.repeat(256)}/trial/game.tw-pddl`, text: 'x' }],
      'UNSAFE_ARCHIVE',
    ],
    ['a link', [...GOOD, { name: `${TRIAL}/receps.json`, text: '/etc/passwd', mode: 0o120777 }], 'UNSAFE_ARCHIVE'],
    ['a duplicate name', [...GOOD, game], 'UNSAFE_ARCHIVE'],
    ['a file that claims to be huge', [{ ...game, size: 2 ** 31 }], 'ARCHIVE_TOO_LARGE'],
    ['a file larger than claimed', [{ ...game, size: 10 }], 'INVALID_ARCHIVE'],
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

  it.each([0, 10, 100, -10, -30])('truncated to %i bytes is refused', async (length) => {
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

  it('without games is refused', async () => {
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

describe('a folder', () => {
  /** One game of a split. */
  function folder(split: string): string {
    const trial = join(home, 'from/json_2.1.1', split, 'task/trial');
    mkdirSync(trial, { recursive: true });
    writeFileSync(join(trial, 'game.tw-pddl'), 'a game');
    writeFileSync(join(trial, 'traj_data.json'), '{}');
    return join(home, 'from');
  }

  it.each(['train', 'valid_seen', 'valid_unseen', 'valid_train'])(
    'with %s alone is accepted as ALFWorld data',
    async (split) => {
      const from = folder(split);
      expect(await importData(from, { to: join(home, 'a') })).toMatchObject({ written: 2 });
      expect(await importData(join(from, 'json_2.1.1'), { to: join(home, 'b') })).toMatchObject({ written: 2 });
    },
  );

  it('beyond the limits is refused', async () => {
    const from = folder('train');
    for (const limits of [{ entries: 1 }, { fileBytes: 5 }, { totalBytes: 7 }]) {
      const imported = importData(from, { to: join(home, 'data'), ...limits });
      await expect(imported).rejects.toMatchObject({ code: 'ARCHIVE_TOO_LARGE' });
    }
    expect(existsSync(join(home, 'data'))).toBe(false);
    expect(await importData(from, { to: join(home, 'data'), entries: 2, fileBytes: 6, totalBytes: 8 })).toBeDefined();
  });

  it('whose file cannot be written names it and leaves no partial file behind', async () => {
    const from = folder('train');
    const trial = join(home, 'data', TRIAL);
    mkdirSync(join(trial, 'game.tw-pddl'), { recursive: true });
    await expect(importData(from, { to: join(home, 'data') })).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      file: join(trial, 'game.tw-pddl'),
      value: expect.stringMatching(/^E/),
    });
    expect(readdirSync(trial)).toEqual(['game.tw-pddl']);
    await expect(importData(from, { to: join(home, 'x'.repeat(300)) })).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      value: 'ENAMETOOLONG',
    });
  });
});

it.each([
  ['a/b', undefined],
  ['a/../b', /contains "\."/],
  ['', /empty/],
  ['a\0b', /control/],
  ['a\nb', /control/],
  ['a\x9bb', /control/],
  [`a/${'é'.repeat(128)}/b`, /longer than 255 bytes/],
  [`a/${'é'.repeat(127)}/b`, undefined],
])('checks the name %o', (name, problem) => {
  if (problem) expect(unsafeName(name)).toMatch(problem);
  else expect(unsafeName(name)).toBeUndefined();
});

describe('a download', () => {
  const bytes = zip(GOOD);
  const url = 'https://example.org/games.zip';

  interface Served {
    /** Bytes after which the connection breaks, for the first requests. */
    readonly breaks?: number[];
    /** Entity tags of successive requests; the last one repeats. */
    readonly tags?: (string | undefined)[];
    /** Overrides `Content-Range` of partial answers. */
    readonly contentRange?: string;
  }

  function server({ breaks = [], tags = ['"one"'], contentRange }: Served = {}) {
    const asked: (string | null)[] = [];
    const get = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      const headers = new Headers(init?.headers);
      const range = headers.get('range');
      asked.push(range);
      const tag = tags.length > 1 ? tags.shift() : tags[0];
      const isPart = range !== null && (contentRange !== undefined || headers.get('if-range') === tag);
      const start = isPart ? Number(/\d+/.exec(range)![0]) : 0;
      return new Response(streamOf(bytes.subarray(start), breaks.shift()), {
        status: isPart ? 206 : 200,
        headers: {
          'content-length': String(bytes.length - start),
          ...(tag === undefined ? {} : { etag: tag }),
          ...(isPart ? { 'content-range': contentRange ?? `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {}),
        },
      });
    };
    return { asked, get: get as typeof fetch };
  }

  /** Breaks only after the bytes before have been read, because an error discards queued ones. */
  function streamOf(content: Buffer, stop?: number): ReadableStream<Uint8Array> {
    let isSent = false;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (!isSent) controller.enqueue(content.subarray(0, stop));
      else if (stop === undefined) controller.close();
      else controller.error(new Error('reset'));
      isSent = true;
    };
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  const broken = async (file: string, get: typeof fetch) =>
    expect(fetchArchive(url, file, { fetch: get })).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: expect.stringMatching(/broke after 100 bytes/),
    });

  it('resumes after a broken connection', async () => {
    const file = join(home, 'games.zip');
    const { asked, get } = server({ breaks: [100] });
    await broken(file, get);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(`${file}.part`).equals(bytes.subarray(0, 100))).toBe(true);
    const heard: number[] = [];
    await fetchArchive(url, file, { fetch: get, onDownload: (progress) => heard.push(progress.bytes) });
    expect(asked).toEqual([null, 'bytes=100-']);
    expect(heard).toEqual([bytes.length]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(home)).toEqual(['games.zip']);
  });

  it.each<[string, Served, (string | null)[]]>([
    ['the archive has changed', { tags: ['"one"', '"two"'] }, [null, 'bytes=100-']],
    [
      'it has changed but the server ignores If-Range',
      { tags: ['"one"', '"two"'], contentRange: 'bytes 100-' },
      fromStart(),
    ],
    ['the server sends another part', { contentRange: 'bytes 0-7/8' }, fromStart()],
    ['the server omits Content-Range', { contentRange: '' }, fromStart()],
    ['the server sends no entity tags', { tags: [undefined] }, [null, null]],
    ['the server sends weak entity tags only', { tags: ['W/"one"'] }, [null, null]],
  ])('starts over if %s', async (_, served, requests) => {
    const file = join(home, 'games.zip');
    const { asked, get } = server({ ...served, breaks: [100] });
    await broken(file, get);
    await fetchArchive(url, file, { fetch: get });
    expect(asked).toEqual(requests);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  function fromStart() {
    return [null, 'bytes=100-', null];
  }

  it('with a wrong checksum is deleted, even if it existed before', async () => {
    const file = join(home, 'games.zip');
    const { asked, get } = server();
    const options = { fetch: get, sha256: { [url]: 'ab' } };
    await expect(fetchArchive(url, file, options)).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    expect(readdirSync(home)).toEqual([]);
    writeFileSync(file, 'whatever');
    await expect(fetchArchive(url, file, options)).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    expect(readdirSync(home)).toEqual([]);
    const sha256 = { [url]: createHash('sha256').update(bytes).digest('hex') };
    await fetchArchive(url, file, { fetch: get, sha256 });
    await fetchArchive(url, file, { fetch: get, sha256 });
    expect(asked).toEqual([null, null]);
  });

  it('rethrows an error of the caller', async () => {
    const callerError = new Error('from the caller');
    const onDownload = () => {
      throw callerError;
    };
    await expect(fetchArchive(url, join(home, 'games.zip'), { fetch: server().get, onDownload })).rejects.toBe(
      callerError,
    );
  });

  it('reports that the target cannot be written', async () => {
    mkdirSync(join(home, 'a.zip.part'));
    await expect(fetchArchive(url, join(home, 'a.zip'), { fetch: server().get })).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      value: 'EISDIR',
    });
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk', async () => {
    symlinkSync('/dev/full', join(home, 'a.zip.part'));
    await expect(fetchArchive(url, join(home, 'a.zip'), { fetch: server().get })).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      value: 'ENOSPC',
      hint: expect.stringMatching(/make room/),
    });
  });

  it('says what to do without a network, and reports the status of the server', async () => {
    const offline = (async () => Promise.reject(new TypeError('fetch failed'))) as typeof fetch;
    await expect(downloadData({ fetch: offline, archives: home })).rejects.toMatchObject({
      code: 'NO_NETWORK',
      hint: expect.stringMatching(/importData/),
    });
    const missing = (async () => new Response('', { status: 404 })) as typeof fetch;
    await expect(downloadData({ fetch: missing, archives: home })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
  });

  it('fetches trajectories and games, unpacks them, and leaves no archive behind', async () => {
    const { get } = server();
    const imported = await downloadData({ fetch: get, archives: join(home, 'cache'), to: join(home, 'data') });
    expect(imported).toMatchObject({ written: 2, kept: 2 });
    expect(archiveAddresses('2.1.3')[1]).toMatch(/0\.4\.2\/json_2\.1\.3_tw-pddl\.zip$/);
    expect(readdirSync(join(home, 'cache'))).toEqual(['sha256.json']);
  });

  it('compares a later download with the first one, and reports each comparison', async () => {
    const { get } = server();
    const checks: ArchiveCheck[] = [];
    const options = {
      archives: join(home, 'cache'),
      to: join(home, 'data'),
      onChecked: (check: ArchiveCheck) => checks.push(check),
    };
    await downloadData({ ...options, fetch: get });
    await downloadData({ ...options, fetch: get });
    expect(checks.map(({ heldTo }) => heldTo)).toEqual(['nothing', 'nothing', 'first-download', 'first-download']);
    const replaced = (async () => new Response('other bytes')) as typeof fetch;
    await expect(downloadData({ ...options, fetch: replaced })).rejects.toMatchObject({
      code: 'CHECKSUM_MISMATCH',
      expected: checks[0]!.sha256,
      hint: expect.stringContaining('sha256.json'),
    });
  });

  it('records no checksum of a first download that is not an archive', async () => {
    const portal = (async () => new Response('<html>please sign in</html>')) as typeof fetch;
    const archives = join(home, 'cache');
    await expect(downloadData({ fetch: portal, archives, to: join(home, 'data') })).rejects.toMatchObject({
      code: 'INVALID_ARCHIVE',
    });
    expect(readdirSync(archives)).toEqual([]);
  });
});
