import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make, register, splitOf, unregister } from '@vlgym/core';
import { checkNames } from '@vlgym/core/internal';
import '../../environments.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeenTasks } from './seen-tasks.js';
import { splitsOf } from './splits.js';
import { contentOf, overlapOf } from './task-separation.js';

const divided = { train: { split: 'train' }, test: { split: 'test' } };
const byContent = {
  train: { splitScheme: 'content', split: 'train' },
  test: { splitScheme: 'content', split: 'test' },
};
const episodes = (...keys: string[]) => keys.map((taskKey) => ({ taskKey }));

let folder = '';
beforeAll(async () => {
  register({
    id: 'test/Undivided-v0',
    entryPoint: async (options) => {
      checkNames('options', options, ['size']);
      return make('vlgym/NumberLine-v1');
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'vlgym-content-'));
});
afterAll(async () => {
  unregister('test/Undivided-v0');
  await rm(folder, { recursive: true, force: true });
});

describe('what may be called unseen', () => {
  const met = new SeenTasks([{ key: 'hand:2,6' }, { key: 'hand:3,9' }]);

  it('is evaluated on tasks that were never met', () => {
    expect(contentOf(divided, episodes('hand:4,8', 'hand:4,8'), met)).toEqual({ met: 2, overlap: 0 });
  });

  it('is refused where the warm start or training has met a task of the evaluation', () => {
    expect(overlapOf(episodes('hand:4,8', 'hand:2,6', 'hand:2,6'), met)).toEqual(['hand:2,6']);
    expect(() => contentOf(divided, episodes('hand:4,8', 'hand:2,6'), met)).toThrow(
      expect.objectContaining({ code: 'CONTENT_OVERLAP', value: ['hand:2,6'] }),
    );
  });

  it.each([
    ['the environment has no splits', { train: undefined, test: undefined }, episodes('hand:4,8'), met],
    ['the environment gives no content keys', divided, [{}], met],
    ['the training tasks of the start weights are unknown', divided, episodes('hand:4,8'), undefined],
  ])('is not claimed where %s', (notSeparated, splits, evaluated, known) => {
    expect(contentOf(splits, evaluated, known)).toMatchObject({ notSeparated });
    expect(contentOf(splits, evaluated, known)).not.toHaveProperty('overlap');
  });
});

describe('tasks that were met', () => {
  const env = () => make('vlgym/EZPoints-v1', { options: { split: 'train' } });

  it('are those of every reset, with a seed that leads to each again', async () => {
    const met = new SeenTasks();
    const watched = await met.watching(env)();
    for (let seed = 0; seed < 30; seed += 1) await watched.reset({ seed });
    await watched.close();
    expect(met.size).toBeGreaterThan(3);
    expect(met.hasGaps).toBe(false);
    const plain = await env();
    for (const { key, seed } of met.list()) {
      expect(splitOf(key)).toBe('train');
      expect((await plain.reset({ seed: seed! })).info.taskKey).toBe(key);
    }
    await plain.close();
  });

  it('are all there after a kill that tore the last line', async () => {
    const path = join(folder, 'tasks.jsonl');
    const met = new SeenTasks([{ key: 'a', seed: 1 }]);
    met.appendTo(path);
    met.add('b', 2);
    met.add('a', 3);
    met.appendTo(path);
    expect((await SeenTasks.read(path)).list()).toEqual([
      { key: 'a', seed: 1 },
      { key: 'b', seed: 2 },
    ]);
    await writeFile(path, '{"key":"a","seed":1}\n{"key":"b","se');
    const resumed = await SeenTasks.read(path);
    expect(resumed.list()).toEqual([{ key: 'a', seed: 1 }]);
  });
});

describe('splits of a run', () => {
  it.each([
    ['vlgym/EZPoints-v1', divided],
    ['MiniWorld-Hallway-v0', divided],
    ['vlgym/ALFWorld-v1', byContent],
    ['vlgym/WebShop-v1', byContent],
    ['test/Undivided-v0', { train: undefined, test: undefined }],
  ])('divide %s by content, never by a published split that means something else', (env, splits) => {
    expect(splitsOf({ env })).toEqual(splits);
  });

  it.each([
    ['vlgym/EZPoints-v1', { split: 'train' }],
    ['vlgym/WebShop-v1', { splitScheme: 'react' }],
  ])('of %s are not chosen by the user for all of a run: %j', (env, envOptions) => {
    expect(() => splitsOf({ env, envOptions })).toThrow(expect.objectContaining({ code: 'SPLIT_CHOSEN' }));
  });
});
