import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodePng } from '../images/png.js';
import { checkTrajectory } from './check.js';
import { collect, writeEpisodes } from './fixtures/folder.js';
import { readTrajectories } from './reader.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-hostile-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const episodesFile = () => join(folder, 'episodes.jsonl');

describe('a hostile file', () => {
  const change = (edit: (lines: Lines) => unknown) => async () => {
    await writeEpisodes(folder, 1);
    const lines = (await readFile(episodesFile(), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const edited = edit(lines) ?? lines;
    await writeFile(episodesFile(), (edited as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join(''));
  };

  it.each<[string, () => Promise<void>, string]>([
    [
      'of another version',
      change((l) => {
        l[0].trajectory.schema = 'vlgym.trajectory/99';
      }),
      '1, schema: written in',
    ],
    [
      'without a seed number',
      change((l) => {
        l[0].trajectory.seed = 'one';
      }),
      '1, trajectory.seed:',
    ],
    [
      'with a path for an id',
      change((l) => {
        l[0].trajectory.id = '../../etc/passwd';
      }),
      '1, trajectory.id:',
    ],
    [
      'with a path for a picture',
      change((l) => {
        l[0].trajectory.observation.images = ['sha256:../../../etc/passwd'];
      }),
      '1, trajectory.observation.images.0:',
    ],
    [
      'with a reward that could make the return overflow',
      change((l) => {
        l[2].step.reward = 1e300;
      }),
      '3, step.reward:',
    ],
    [
      'with a reward of null',
      change((l) => {
        l[2].step.reward = null;
      }),
      '3, step.reward:',
    ],
    ['with a step left out', change((l) => l.toSpliced(2, 1)), '3, step.index: step 1 is missing'],
    ['with a step too many', change((l) => [...l, l[1]]), 'has not started or has ended'],
    ['with an episode twice', change((l) => [...l, ...l]), 'occurs twice in the file'],
    [
      'with a wrong length',
      change((l) => {
        l.at(-1).outcome.length = 1000;
      }),
      'outcome.length: the file holds',
    ],
    [
      'with nested info',
      change((l) => {
        l[1].step.info = JSON.parse(deep(500));
      }),
      '2, step.info: a JSON object',
    ],
    [
      'with an oversized text',
      change((l) => {
        l[1].step.response = 'x'.repeat(5_000_000);
      }),
      'step.response',
    ],
    ['of null', change(() => [null]), 'episodes.jsonl:1'],
    ['of numbers', change(() => [1, 2]), 'episodes.jsonl:1'],
    ['of words', () => writeFile(episodesFile(), '<!doctype html>\n'), 'episodes.jsonl:1: the line is not JSON'],
    ['of brackets', () => writeFile(episodesFile(), `${'['.repeat(1e6)}\n`), 'episodes.jsonl:1'],
    ['that does not exist', () => rm(folder, { recursive: true }), 'the file does not exist'],
  ])('%s is refused with its location', async (_, prepare, message) => {
    await prepare();
    await expect(collect(readTrajectories(folder))).rejects.toMatchObject({
      code: 'TRAJECTORY_INVALID',
      message: expect.stringContaining(message),
    });
  });

  it('affects only the invalid episode with `skip`', async () => {
    const episodes = await writeEpisodes(folder, 3);
    const lines = (await readFile(episodesFile(), 'utf8')).split('\n');
    const spoiled = lines.findIndex((line) => line.includes(`"id":"${episodes[1]!.id}","step":{"index":1`));
    await writeFile(episodesFile(), lines.with(spoiled, lines[spoiled]!.replace('"reward":', '"rewired":')).join('\n'));
    const reader = readTrajectories(folder, { onInvalid: 'skip' });
    expect(await collect(reader)).toEqual([episodes[0], episodes[2]]);
    expect(reader.problems.map(({ line }) => line)).toEqual([spoiled + 1]);
  });

  it('with an endless line is refused with bounded memory', async () => {
    await writeEpisodes(folder, 1);
    await expect(collect(readTrajectories(folder, { maxLineBytes: 50 }))).rejects.toThrow(/more than allowed/);
  });

  it('pollutes no prototype', async () => {
    await writeEpisodes(folder, 1);
    const text = await readFile(episodesFile(), 'utf8');
    await writeFile(episodesFile(), text.replaceAll(/"(info|createdBy)":\{/g, '"$1":{"__proto__":{"polluted":"yes"},'));
    await collect(readTrajectories(folder, { onInvalid: 'skip' }));
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});

describe('a picture', () => {
  const hash = `sha256:${'0'.repeat(64)}`;

  it('that is missing is an error', async () => {
    const reader = readTrajectories(folder);
    await expect(reader.loadImage(hash)).rejects.toMatchObject({ code: 'IMAGE_MISSING', hash });
    const [episode] = await writeEpisodes(folder, 1);
    const named = episode!.steps[2]!.observation!.digest;
    await rm(join(folder, 'images', `${named.slice(7)}.png`));
    const report = await checkTrajectory(episode, { loadImage: (name) => reader.loadImage(name) });
    expect(report.problems).toEqual([
      { path: 'steps.2.observation.images.0', message: expect.stringContaining('missing') },
    ]);
  });

  it('whose pixels do not match its name is refused', async () => {
    const [episode] = await writeEpisodes(folder, 1);
    const name = episode!.observation.digest;
    const other = { data: new Uint8Array(3), height: 1, width: 1, channels: 3 } as const;
    await writeFile(join(folder, 'images', `${name.slice(7)}.png`), encodePng(other));
    await expect(readTrajectories(folder).loadImage(name)).rejects.toMatchObject({ code: 'IMAGE_INVALID' });
  });

  it.each(['sha256:../../../../etc/passwd', '../x', `sha256:${'0'.repeat(63)}/`, '', 'sha256:'])(
    'is never read from %j',
    async (name) => {
      await expect(readTrajectories(folder).loadImage(name)).rejects.toMatchObject({
        code: 'IMAGE_MISSING',
        hash: name,
      });
    },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: lines of a file that a test modifies
type Lines = any[];

function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}
