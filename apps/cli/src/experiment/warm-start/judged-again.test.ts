/** A start that is to be judged in another way keeps its weights: only its episodes are played again. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setNumThreads } from '@vlgym/gpu';
import { afterAll, expect, it, vi } from 'vitest';
import '@vlgym/points24';
import { judgmentOfTask } from '../evaluation/judgment.js';
import { completeTask } from '../settings/settings.js';
import { taskSchema } from '../spec.js';
import { ensureWarmStart, weightsOf } from './warm-start.js';

setNumThreads(1);
vi.setConfig({ testTimeout: 120_000 });
const home = mkdtempSync(join(tmpdir(), 'vlgym-judged-again-'));
afterAll(() => rmSync(home, { recursive: true }));

const start = join(home, 'start');
const { signal } = new AbortController();
const task = completeTask(
  taskSchema.parse({ env: 'vlgym/NumberLine-v1', evaluationEpisodes: 4, warmStartExamples: 64 }),
);
const bytesOfWeights = () =>
  readdirSync(weightsOf(start)).map((name) => [name, readFileSync(join(weightsOf(start), name)).toString('base64')]);

it('is not taught again', async () => {
  const onProgress = vi.fn();
  const made = await ensureWarmStart(task, start, { signal, onProgress });
  const weights = bytesOfWeights();
  expect(onProgress).toHaveBeenCalled();
  expect(made.scores).toMatchObject({ legalRate: 0 });
  expect(made.scores.meanLength).toBeGreaterThan(1);

  onProgress.mockClear();
  const settings = { ...judgmentOfTask(task), fallback: 'terminate' } as const;
  const again = await ensureWarmStart(task, start, { signal, settings, onProgress });
  expect(onProgress).not.toHaveBeenCalled();
  expect(bytesOfWeights()).toEqual(weights);
  expect([again.loss, again.tasks, again.seconds]).toEqual([made.loss, made.tasks, made.seconds]);
  expect(again.scores.meanLength).toBe(1);
  expect(JSON.parse(readFileSync(join(start, 'result.json'), 'utf8'))).toMatchObject({
    identity: { settings: { fallback: 'terminate' } },
  });
});
