/** The memory estimate of supervised training before anything is allocated, and the training data of warm starts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeToyFolder } from '../../../../packages/models/scripts/toy-folder.js';
import { completeTask } from './settings/settings.js';
import { planPass } from './training-memory.js';
import { lessons } from './warm-start/lessons.js';
import '@vlgym/points24';

const home = mkdtempSync(join(tmpdir(), 'vlgym-memory-'));
const model = join(home, 'model');
beforeAll(() => writeToyFolder(model));
afterAll(() => rmSync(home, { recursive: true }));

describe('supervised training', () => {
  it('takes passes of bounded tokens on a folder, and says what they need', async () => {
    const { batchTokens, note } = await planPass({ model });
    expect(batchTokens).toBe(4096);
    expect(note).toMatch(/^about [\d.]+ GB of memory: .*passes of 4096 tokens; [\d.]+ GB are available$/);
  });

  it('takes the tokens that were asked for', async () => {
    expect(await planPass({ model }, 100)).toMatchObject({ batchTokens: 100 });
    expect(await planPass({ model: 'tiny' }, 100)).toEqual({ batchTokens: 100 });
  });

  it('that cannot fit is refused before anything is allocated', async () => {
    const refusal = { code: 'TRAINING_TOO_LARGE', message: expect.stringMatching(/needs about [\d,.]+ GB.*available/) };
    await expect(planPass({ model }, 1_000_000_000)).rejects.toMatchObject(refusal);
    await expect(planPass({ model, device: 'cuda' }, 1_000_000_000)).resolves.toMatchObject({ batchTokens: 1e9 });
  });
});

describe('a warm start', () => {
  const task = (warmStartExamples?: number) =>
    completeTask({ env: 'vlgym/EZPoints-v1', model: 'tiny', warmStartExamples } as never);

  it.each([1, 16, 65])('of %i examples has as many', (examples) => {
    expect(lessons(task(examples))?.examples).toBe(examples);
  });

  it('of 0 examples is none', () => {
    expect(lessons(task(0))).toBeUndefined();
    expect(lessons(task())?.examples).toBeGreaterThan(0);
  });
});
