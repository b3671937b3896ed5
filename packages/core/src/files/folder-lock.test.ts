import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TrajectoryWriter } from '../trajectory/writer.js';
import { isAbandoned, lockFolder } from './folder-lock.js';
import { ownIdentity, stateOf } from './process-identity.js';

const CHILD = fileURLToPath(new URL('./fixtures/take-folder.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const ROUNDS = 5;

vi.setConfig({ testTimeout: 120_000 }); // each round starts several processes

let folder: string;
let children: ChildProcessWithoutNullStreams[];
beforeEach(async () => {
  children = [];
  folder = await mkdtemp(join(tmpdir(), 'vlgym-lock-'));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Another process that locks the folder on request; resolves when it is ready. */
async function contender() {
  const child = spawn(process.execPath, ['--import', TSX, CHILD, folder]);
  children.push(child);
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  expect(await next()).toBe('ready');
  return {
    child,
    tell: (word: 'take' | 'release') => {
      child.stdin.write(`${word}\n`);
      return next();
    },
  };
}

describe('a folder with one writer', () => {
  it('is locked by exactly one of several concurrent processes, in every round', async () => {
    const all = await Promise.all([contender(), contender(), contender()]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(all.map(({ tell }) => tell('take')));
      expect(answers.toSorted()).toEqual(['FOLDER_LOCKED', 'FOLDER_LOCKED', 'owned']);
      expect(await all[answers.indexOf('owned')]!.tell('release')).toBe('released');
    }
  });

  it('is taken over from a killed process, whose unfinished files are removed', async () => {
    let owner = await contender();
    expect(await owner.tell('take')).toBe('owned');
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = await contender();
      await writeFile(join(folder, '.tmp-half'), '');
      expect(await next.tell('take')).toBe('FOLDER_LOCKED');
      owner.child.kill('SIGKILL');
      await once(owner.child, 'exit');
      expect(await next.tell('take')).toBe('owned');
      expect(await readdir(folder)).not.toContain('.tmp-half');
      owner = next;
    }
    expect(await owner.tell('release')).toBe('released');
    expect(await readdir(folder)).toEqual(['episodes.index.jsonl', 'episodes.jsonl']);
  });

  it('is refused to a second writer of the same process, with the owner and the next step', async () => {
    const writer = await TrajectoryWriter.open(folder);
    await expect(TrajectoryWriter.open(folder)).rejects.toMatchObject({
      code: 'FOLDER_LOCKED',
      folder,
      owner: { pid: process.pid, host: hostname() },
      hint: expect.stringContaining('choose another folder'),
    });
    await writer.close();
    await (await TrajectoryWriter.open(folder)).close();
  });

  it('is released if it cannot be opened', async () => {
    await mkdir(join(folder, 'episodes.jsonl'));
    await expect(TrajectoryWriter.open(folder)).rejects.toMatchObject({ code: 'FILE_WRITE_FAILED' });
    expect(await readdir(folder)).toEqual(['episodes.jsonl']);
  });
});

describe('a claim', () => {
  /** Writes a claim in place of an owner's. */
  async function claim(change: object, ageInSeconds = 0): Promise<void> {
    const claims = join(folder, '.folder.lock');
    await mkdir(claims, { recursive: true });
    const path = join(claims, `${crypto.randomUUID()}.json`);
    await writeFile(path, JSON.stringify({ ...(await ownIdentity()), ...change }));
    await writeFile(path.replace('.json', '.held'), '');
    const touched = Date.now() / 1000 - ageInSeconds;
    await utimes(path, touched, touched);
  }

  it.skipIf(process.platform !== 'linux')('of a process whose id was reused is void', async () => {
    await claim({ started: '1' });
    await (await lockFolder(folder)).release();
  });

  it.skipIf(process.platform !== 'linux')('of a killed process that its parent has not reaped is void', async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = await once(createInterface({ input: parent.stdout }), 'line');
      // a shell may reap its children; the `sleep` that it becomes never does
      const nameOfParent = () => readFile(`/proc/${parent.pid}/comm`, 'utf8');
      await expect.poll(nameOfParent, { timeout: 60_000 }).toBe('sleep\n');
      process.kill(Number(line), 'SIGKILL');
      const { started: _, ...here } = await ownIdentity();
      const zombie = { ...here, pid: Number(line) };
      await expect.poll(() => stateOf(zombie), { timeout: 60_000 }).toBe('dead');
      expect(process.kill(Number(line), 0)).toBe(true);
    } finally {
      parent.kill();
    }
  });

  it('of another machine is valid while it is touched', async () => {
    await claim({ host: 'elsewhere', pid: 1 });
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'FOLDER_LOCKED', owner: { host: 'elsewhere' } });
  });

  it('of another machine is void if it was not touched for a long time', async () => {
    await claim({ host: 'elsewhere', pid: 1 }, 3600);
    await (await lockFolder(folder)).release();
  });

  it('that is damaged is void', async () => {
    await mkdir(join(folder, '.folder.lock'));
    await writeFile(join(folder, '.folder.lock', `${crypto.randomUUID()}.json`), '{"pid":');
    await (await lockFolder(folder)).release();
  });

  it('of a dead process alone makes a folder abandoned, or an age of five minutes without any; neither check writes', async () => {
    expect(await isAbandoned(join(folder, 'absent'))).toBe(false);
    expect(await isAbandoned(folder)).toBe(false); // its owner may be opening it
    await claim({ pid: spawnSync(process.execPath, ['--version']).pid });
    expect(await isAbandoned(folder)).toBe(true);
    await claim({});
    expect(await isAbandoned(folder)).toBe(false);
    expect((await readdir(join(folder, '.folder.lock'))).length).toBe(4);
    await rm(join(folder, '.folder.lock'), { recursive: true });
    const before = Date.now() / 1000 - 301;
    await utimes(folder, before, before);
    expect(await isAbandoned(folder)).toBe(true);
  });

  it('names its process', async () => {
    const lock = await lockFolder(folder);
    const names = await readdir(join(folder, '.folder.lock'));
    const file = names.find((name) => name.endsWith('.json'))!;
    expect(JSON.parse(await readFile(join(folder, '.folder.lock', file), 'utf8'))).toMatchObject({
      pid: process.pid,
      host: hostname(),
    });
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });
});
