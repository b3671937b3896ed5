/** A finished run continues for more updates: as one that was made with all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setNumThreads } from '@vlgym/gpu';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import '@vlgym/points24';
import { runTraining } from './run.js';
import { readUpdates } from './run-progress.js';
import { readRunResult } from './run-result.js';
import { checkSameRun, longerNote, reopen } from './same-run.js';
import { completeTask } from './settings/settings.js';
import { type RunPlan, runSchema } from './spec.js';
import { ensureWarmStart } from './warm-start/warm-start.js';

setNumThreads(1);
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const home = mkdtempSync(join(tmpdir(), 'vlgym-longer-'));
afterAll(() => rmSync(home, { recursive: true }));
const signal = new AbortController().signal;
const start = join(home, 'start');

function planOf(folder: string, changes: object = {}): RunPlan {
  const small = { numEnvs: 4, stepsPerUpdate: 16, evaluationEpisodes: 4, evaluateEvery: 1, warmStartExamples: 64 };
  const spec = runSchema.parse({ algorithm: 'vl-dac', ...small, threads: 1, ...changes });
  return { ...spec, folder: join(home, folder), start };
}

/** Metrics but for those that time measures. */
async function metricsOf(folder: string): Promise<unknown[]> {
  const records = await readUpdates(join(home, folder));
  const timeless = (metrics: object) =>
    Object.fromEntries(Object.entries(metrics).filter(([name]) => !name.startsWith('time/')));
  return records.map(({ metrics, ...rest }) => ({ ...rest, metrics: timeless(metrics) }));
}

describe('a run of one update', () => {
  beforeAll(async () => {
    await ensureWarmStart(completeTask(planOf('short')), start, { signal });
    await runTraining(planOf('short', { updates: 1 }), () => {}, signal);
  });

  it('continues to two, and equals a run of two', async () => {
    const longer = planOf('short', { updates: 2, resume: true });
    expect(await checkSameRun(longer)).toBe(1);
    await reopen(longer.folder);
    const result = await runTraining(longer, () => {}, signal);
    const straight = await runTraining(planOf('straight', { updates: 2 }), () => {}, signal);
    expect(await metricsOf('short')).toEqual(await metricsOf('straight'));
    expect([result?.after, result?.trainedSteps]).toEqual([straight?.after, straight?.trainedSteps]);
    expect((await readRunResult(longer.folder))?.evaluations).toHaveLength(3);
    expect(JSON.parse(await readFile(join(longer.folder, 'run.json'), 'utf8'))).toMatchObject({
      effective: { updates: 2 },
    });
    // and is finished again
    expect(await checkSameRun(longer)).toBeUndefined();
  });

  it('cannot continue to fewer', async () => {
    await runTraining(planOf('two', { updates: 2 }), () => {}, signal);
    const refusal = { code: 'RUN_DIFFERS', message: expect.stringContaining('updates 2, not 1') };
    await expect(checkSameRun(planOf('two', { updates: 1 }))).rejects.toMatchObject(refusal);
  });
});

it('what differs from a run of all updates is said', () => {
  expect(longerNote(1, planOf('x', { updates: 2 }))).toBe('continues from update 1 to 2, as a run of 2 updates would');
  const uneven = longerNote(7, planOf('x', { updates: 12, evaluateEvery: 5 }));
  expect(uneven).toContain('its curve has an evaluation more, at update 7');
  const set = { optimizer: { learningRate: { initial: 1e-4, final: 1e-6, period: 5 } } };
  expect(longerNote(7, planOf('x', { updates: 12, evaluateEvery: 7, set }))).toContain(
    'has ended its schedule of 5 updates and stays at 0.000001',
  );
});
