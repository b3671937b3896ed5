/**
 * Worker vectors of every kind of environment, the build included: masks are asked for before the first reset, as in the
 * example of `makeVec`.
 */
import { checkEnv, make, makeVec } from '@vlgym/core';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import { describe, expect, it } from 'vitest';

it.each(['gym_cards/Points24-v0', 'vlgym/Points24-v1', 'gym_cards/EZPoints-v0', 'vlgym/EZPoints-v1'] as const)(
  'threads of %s have no masks before the first reset (it was RESET_NEEDED), and have them after',
  async (id) => {
    const options = { size: { height: 28, width: 56 } };
    const envs = await makeVec(id, { numEnvs: 2, vectorization: 'worker', workers: 2, options });
    try {
      expect(envs.actionMasks()).toEqual([undefined, undefined]);
      await envs.reset({ seed: 7 });
      const masks = envs.actionMasks();
      expect(masks.every((mask) => mask instanceof Uint8Array)).toBe(true);
      const { rewards } = await envs.step(masks.map((mask) => envs.singleActionSpace.sample({ mask })));
      expect(rewards).toHaveLength(2);
    } finally {
      await envs.close();
    }
  },
);

describe('the check of environments', () => {
  it.each(['vlgym/Points24-v1', 'MiniWorld-Hallway-v0', 'vlgym/ALFWorld-v1'] as const)(
    'plays %s in threads where it is asked to',
    async (id) => {
      const report = await checkEnv(() => make(id), { steps: 4, workers: true });
      expect(report.findings).toEqual([]);
      expect(report.passed).toContain('plays in worker threads');
    },
  );
});
