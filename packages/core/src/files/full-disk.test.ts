import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { Image } from '../image.js';
import { Generator } from '../random/generator.js';
import { play } from '../trajectory/fixtures/play.js';
import { readTrajectories } from '../trajectory/reader.js';
import { TrajectoryWriter } from '../trajectory/writer.js';
import { ApngWriter } from '../wrappers/recording/apng-writer.js';
import { JsonLineAppender, readJsonLines } from './json-lines.js';
import { writeFileAtomic } from './write-file-atomic.js';

const FULL = { code: 'FILE_WRITE_FAILED', reason: 'ENOSPC' };

/** A file system of 256 KiB; mounting one needs privileges that not every machine grants. */
let disk: string;
let refused: string | undefined;

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'vlgym-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'pipe' });
  } catch (error) {
    refused = `could not mount a small disk: ${(error as Error).message}`;
  }
});
afterAll(async () => {
  if (refused === undefined) execFileSync('umount', ['--lazy', disk]);
  await rm(disk, { recursive: true, force: true });
});
beforeEach(async (context: TestContext) => {
  context.skip(refused !== undefined, refused);
  for (const name of await readdir(disk)) await rm(join(disk, name), { recursive: true });
});

describe('on a full disk', () => {
  it('writeFileAtomic keeps the old file and leaves nothing temporary', async () => {
    const path = join(disk, 'state.json');
    await writeFileAtomic(path, 'old');
    await expect(writeFileAtomic(path, new Uint8Array(1_000_000))).rejects.toMatchObject(FULL);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(disk)).toEqual(['state.json']);
  });

  it('JSON lines stay complete, and continue when space is free again', async () => {
    const path = join(disk, 'lines.jsonl');
    const appender = await JsonLineAppender.open(path);
    await appender.append({ kept: 1 });
    await expect(appender.append({ lost: 'x'.repeat(1_000_000) })).rejects.toMatchObject(FULL);
    await appender.append({ kept: 2 });
    await appender.close();
    const lines = [];
    for await (const line of readJsonLines(path)) lines.push(line);
    expect(lines).toEqual([
      { line: 1, value: { kept: 1 } },
      { line: 2, value: { kept: 2 } },
    ]);
  });

  it('a trajectory keeps its records, and a failed step can be retried', async () => {
    const writer = await TrajectoryWriter.open(join(disk, 'run'));
    const ballast = join(disk, 'ballast');
    const episode = await play({
      seed: 1,
      record: async (start) => {
        const recorder = await writer.start(start);
        const step = recorder.step.bind(recorder);
        let filled = false;
        recorder.step = async (input) => {
          if (filled) return step(input);
          filled = true;
          await fill(ballast);
          await expect(step(input)).rejects.toMatchObject(FULL);
          await rm(ballast);
          return step(input);
        };
        return recorder;
      },
    });
    await writer.close();
    const read = [];
    for await (const trajectory of readTrajectories(writer.folder)) read.push(trajectory);
    expect(read).toEqual([episode]);
  });

  it('a video reports the failure at its end and leaves no file', async () => {
    const video = new ApngWriter(join(disk, 'episode.png'));
    const noise = new Generator(1); // incompressible
    const data = Uint8Array.from({ length: 300_000 }, () => noise.integers(0, 256));
    const frame: Image = { data, height: 1000, width: 100, channels: 3 };
    await expect(video.write(frame)).rejects.toMatchObject(FULL);
    await expect(video.close()).rejects.toMatchObject(FULL);
    expect(await readdir(disk)).toEqual([]);
  });
});

/** Fills the disk to the last byte. */
async function fill(path: string): Promise<void> {
  for (let size = 262_144; size >= 1; size = Math.floor(size / 2)) {
    await writeFile(path, new Uint8Array(size), { flag: 'a' }).catch(() => {});
  }
}
