import { cp, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setWarningSink } from '@vlgym/core';
import type { GymWarning } from '@vlgym/core/registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckpointStore } from './checkpoint.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-checkpoints-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('CheckpointStore', () => {
  const fill = (text: string) => async (path: string) => {
    await mkdir(join(path, 'deep'));
    await writeFile(join(path, 'deep', 'weights'), text);
  };

  it('keeps the last ones and points at the newest', async () => {
    const store = new CheckpointStore(folder, 2);
    for (const index of [1, 2, 3]) await store.write(index, fill(`${index}`));
    expect((await readdir(folder)).sort()).toEqual(['checkpoint-000002', 'checkpoint-000003', 'latest']);
    expect(await store.latest()).toBe(join(folder, 'checkpoint-000003'));
  });

  it('is rid of an old one whose removal a kill had cut, without writing another', async () => {
    const store = new CheckpointStore(folder, 2);
    for (const index of [2, 3]) await store.write(index, fill(`${index}`));
    await fill('1')(
      await mkdir(join(folder, 'checkpoint-000001', 'policy'), { recursive: true }).then((path) => path!),
    );
    await store.prune();
    expect((await readdir(folder)).sort()).toEqual(['checkpoint-000002', 'checkpoint-000003', 'latest']);
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a file is shorter', (path) => truncate(join(path, 'deep', 'weights'), 1)],
    ['a bit of a file has changed', (path) => writeFile(join(path, 'deep', 'weights'), 'secoNd')],
    ['a file is missing', (path) => rm(join(path, 'deep', 'weights'))],
    ['the manifest is missing', (path) => rm(join(path, 'manifest.json'))],
    ['the manifest is torn', (path) => truncate(join(path, 'manifest.json'), 20)],
    ['the folder is empty', (path) => rm(path, { recursive: true }).then(() => mkdir(path))],
  ])('falls back to the one before when %s', async (_, damage) => {
    const store = new CheckpointStore(folder, 3);
    await store.write(1, fill('first'));
    await store.write(2, fill('second'));
    await damage(join(folder, 'checkpoint-000002'));
    const warnings: GymWarning[] = [];
    const before = setWarningSink((warning) => warnings.push(warning));
    try {
      expect(await store.latest()).toBe(join(folder, 'checkpoint-000001'));
    } finally {
      setWarningSink(before);
    }
    expect(warnings).toEqual([{ code: 'CHECKPOINT_DAMAGED', message: expect.stringContaining('checkpoint-000002') }]);
  });

  it('says so when no checkpoint can be read', async () => {
    const store = new CheckpointStore(folder, 3);
    for (const index of [1, 2]) {
      await store.write(index, fill(`${index}`));
      await writeFile(join(folder, `checkpoint-00000${index}`, 'deep', 'weights'), 'x');
    }
    const before = setWarningSink(() => {});
    await expect(store.latest()).rejects.toMatchObject({
      code: 'CHECKPOINT_DAMAGED',
      path: join(folder, 'checkpoint-000002'),
      hint: expect.any(String),
    });
    setWarningSink(before);
  });

  it('never picks up what a killed process was writing', async () => {
    const store = new CheckpointStore(folder, 3);
    await store.write(1, fill('first'));
    await cp(join(folder, 'checkpoint-000001'), join(folder, '.checkpoint-000002.tmp'), { recursive: true });
    expect(await store.latest()).toBe(join(folder, 'checkpoint-000001'));
    await store.write(3, fill('third'));
    expect(await readdir(folder)).not.toContain('.checkpoint-000002.tmp');
  });

  it('leaves the last checkpoint alone when the next one cannot be written', async () => {
    const store = new CheckpointStore(folder, 1);
    await store.write(1, fill('first'));
    const full = async () => {
      throw new Error('disk full');
    };
    await expect(store.write(2, full)).rejects.toThrow('disk full');
    expect(await store.latest()).toBe(join(folder, 'checkpoint-000001'));
  });

  it('finds nothing in an empty or missing folder', async () => {
    expect(await new CheckpointStore(folder).latest()).toBeUndefined();
    expect(await new CheckpointStore(join(folder, 'nowhere')).latest()).toBeUndefined();
  });
});
