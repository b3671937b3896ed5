import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { checkTrajectory } from './check.js';
import { PictureWalk } from './fixtures/picture-walk.js';
import { play } from './fixtures/play.js';
import { readTrajectories } from './reader.js';
import { replay } from './replay.js';
import type { Trajectory } from './schema.js';
import { TrajectoryWriter } from './writer.js';

const child = fileURLToPath(new URL('./fixtures/record-forever.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

it.each([1, 40, 150])('a process killed after %i steps loses none of them', async (steps) => {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-killed-'));
  try {
    const reported = await recordAndKill(folder, steps);
    const episodes = await readAll(folder);

    const found = new Set(
      [...episodes.values()].flatMap(({ id, steps }) => steps.map(({ index }) => `${id} ${index}`)),
    );
    expect(reported.filter((line) => !found.has(line))).toEqual([]);
    const reader = readTrajectories(folder);
    for (const episode of episodes.values()) {
      const report = await checkTrajectory(episode, { loadImage: (hash) => reader.loadImage(hash) });
      expect(report.problems).toEqual([]);
      expect(await replay(episode, { env: new PictureWalk() })).toMatchObject({ ok: true });
    }

    // the next process continues in the same folder; which episode was recorded first is a race of the lanes
    const [{ id, seed }] = [...episodes.values()] as [Trajectory];
    const writer = await TrajectoryWriter.open(folder);
    const next = await play({ seed: seed!, record: (start) => writer.start(start) });
    await writer.close();
    expect(next.id).toBe(`${id}~2`);
    expect((await readAll(folder)).size).toBe(episodes.size + 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** @returns The records that the process reported before it was killed. */
async function recordAndKill(folder: string, steps: number): Promise<string[]> {
  const process = spawn(globalThis.process.execPath, ['--import', tsx, child, folder], { stdio: 'pipe' });
  let output = '';
  let errors = '';
  process.stderr.on('data', (data) => {
    errors += data;
  });
  process.stdout.on('data', (data) => {
    output += data;
    if (output.split('\n').length > steps) process.kill('SIGKILL');
  });
  const [, signal] = await once(process, 'close');
  expect(signal, errors).toBe('SIGKILL');
  return output.split('\n').slice(0, -1);
}

async function readAll(folder: string): Promise<Map<string, Trajectory>> {
  const episodes = new Map<string, Trajectory>();
  for await (const episode of readTrajectories(folder)) episodes.set(episode.id, episode);
  return episodes;
}
