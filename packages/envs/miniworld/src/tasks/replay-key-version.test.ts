/** Recordings from before version 2 of the key: a split of `OneRoom*` held other tasks then. */
import { make } from '@vlgym/core';
import { recordEpisode, replay, type Trajectory } from '@vlgym/core/trajectory';
import { describe, expect, it } from 'vitest';
import '../index.js';

/** As it was written when `keyVersion` was no option. */
async function recordedThen(seed: number): Promise<Trajectory> {
  const env = await make('MiniWorld-OneRoom-v0', { options: { split: 'test', keyVersion: 1 } });
  const recorder = await recordEpisode({ env, first: await env.reset({ seed }), seed });
  await recorder.step({ action: 2, result: await env.step(2) });
  const trajectory = await recorder.end();
  await env.close();
  const { keyVersion: _, ...options } = trajectory.env!.options as Readonly<Record<string, unknown>>;
  return { ...trajectory, env: { ...trajectory.env!, options } } as Trajectory;
}

describe('a recording of OneRoom with a split, of key version 1', () => {
  it('is replayed with `envOptions: { keyVersion: 1 }`, and without it the report says so', async () => {
    let others = 0;
    for (let seed = 0; seed < 6; seed += 1) {
      const old = await recordedThen(seed);
      expect(await replay(old, { envOptions: { keyVersion: 1 } })).toMatchObject({ ok: true, steps: 1 });
      const report = await replay(old);
      if (report.ok) continue;
      others += 1;
      expect(report.mismatch).toMatchObject({ at: 'reset', field: 'observation' });
      expect(report.hint).toContain('envOptions: { keyVersion: 1 }');
      expect(report.hint).toContain('--env-options');
    }
    expect(others).toBeGreaterThan(0);
  });
});
