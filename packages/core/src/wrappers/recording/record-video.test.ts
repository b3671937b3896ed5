import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodePng } from '../../images/png.js';
import type { GymWarning } from '../../registry/types.js';
import { setWarningSink } from '../../registry/warn.js';
import { CountingEnv } from '../../testing/counting-env.js';
import type { VideoWriter } from './apng-writer.js';
import { cubes, type RecordVideoOptions, recordVideo } from './record-video.js';

let folder: string;
let warnings: GymWarning[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-record-'));
  warnings = [];
  setWarningSink((warning) => warnings.push(warning));
});

afterEach(async () => {
  setWarningSink(undefined);
  await rm(folder, { recursive: true, force: true });
});

/** Plays episodes of exactly `lengths` steps and returns the names of the videos. */
async function record(lengths: readonly number[], options: Partial<RecordVideoOptions> = {}) {
  const env = new CountingEnv({ renderMode: 'rgb_array' }).pipe(recordVideo({ folder, ...options }));
  for (const length of lengths) {
    await env.reset({ seed: seedFor(length) });
    for (let step = 0; step < length; step += 1) await env.step(1);
  }
  await env.close();
  return { env, names: (await readdir(folder)).sort() };
}

/** The first seed whose episode has this many steps. */
function seedFor(length: number): number {
  for (let seed = 0; ; seed += 1) if (new CountingEnv().reset({ seed }).info.target === length) return seed;
}

/** A writer that counts. */
function counter(counts: number[]) {
  return (): VideoWriter => {
    const at = counts.push(0) - 1;
    return {
      write: async () => {
        counts[at]! += 1;
      },
      close: async () => `video ${at}`,
      discard: async () => {},
    };
  };
}

describe('recordVideo', () => {
  it('records cube-numbered episodes by default, with a first frame', async () => {
    const { env, names } = await record([2, 2, 2, 2]);
    expect(names).toEqual(['video-episode-0.png', 'video-episode-1.png']);
    expect(env.paths).toEqual(names.map((name) => join(folder, name)));
    expect(decodePng(await readFile(join(folder, names[0]!)))).toMatchObject({ height: 16, width: 16, channels: 3 });
  });

  it('holds one frame per reset and step, to the end of the episode', async () => {
    const counts: number[] = [];
    await record([3, 2, 4], { episodes: (episode) => episode !== 1, open: counter(counts) });
    expect(counts).toEqual([4, 5]);
  });

  it('starts at steps and ends after a number of frames, across episodes', async () => {
    const counts: number[] = [];
    const { env } = await record([3, 3, 3], { steps: (step) => step % 4 === 1, length: 3, open: counter(counts) });
    // started before steps 1 and 5: two steps, the reset, one step; close ends the open video
    expect(counts).toEqual([3, 3]);
    expect(env.paths).toEqual(['video 0', 'video 1']);
  });

  it('continues if a video cannot be written, and warns once', async () => {
    const failing = (): VideoWriter => ({
      write: async () => Promise.reject(new Error('disk full')),
      close: async () => 'never',
      discard: async () => {},
    });
    const { env } = await record([2, 2], { open: failing });
    expect(env.paths).toEqual([]);
    expect(warnings).toEqual([{ code: 'VIDEO_LOST', message: 'a video was discarded: disk full' }]);
  });

  it('warns about a folder that has videos', async () => {
    await writeFile(join(folder, 'video-episode-0.png'), '');
    await record([2]);
    expect(warnings.map(({ code }) => code)).toEqual(['VIDEO_FOLDER']);
  });

  it('refuses an environment without pictures', () => {
    expect(() => new CountingEnv().pipe(recordVideo({ folder }))).toThrow(
      expect.objectContaining({ code: 'VIDEO_RENDER_MODE' }),
    );
  });

  it('has a schedule of cubes, then thousands', () => {
    const chosen = Array.from({ length: 3001 }, (_, episode) => episode).filter(cubes);
    expect(chosen).toEqual([0, 1, 8, 27, 64, 125, 216, 343, 512, 729, 1000, 2000, 3000]);
  });
});
