/** An environment is a function of its seed and actions. The claims follow `gymnasium/utils/env_checker.py`. */
import { differs, type EnvCheck, warning, whenNondeterministic, withEnv } from './env-check.js';
import { actionsOf, rollout, rolloutDifference } from './rollout.js';

export const seedChecks: readonly EnvCheck[] = [
  {
    name: 'repeats a reset exactly from its seed',
    skip: whenNondeterministic,
    run: async ({ env, seed }) => {
      const resets = async () => [{ result: await env.reset({ seed }) }, { result: await env.reset() }];
      const [a, b] = [await resets(), await resets()];
      return [
        ...differs('RESET_NOT_REPEATABLE', `two resets with seed ${seed} differ`, rolloutDifference([a[0]!], [b[0]!])),
        ...differs(
          'RESET_IGNORES_GENERATOR',
          `a reset without a seed after one with seed ${seed} differs: it must continue with the seeded generator`,
          rolloutDifference([a[1]!], [b[1]!]),
        ),
      ];
    },
  },
  {
    name: 'repeats an episode exactly from its seed and actions',
    skip: whenNondeterministic,
    run: async ({ env, create, seed, steps }) => {
      const moves = await rollout(env, { seed }, steps);
      const actions = actionsOf(moves);
      const again = await rollout(env, { seed }, steps, actions);
      const findings = differs(
        'EPISODE_NOT_REPEATABLE',
        'the same seed and actions gave another episode',
        rolloutDifference(moves, again),
      );
      if (!create || findings.length > 0) return findings;
      return withEnv(create, async (twin) =>
        differs(
          'EPISODE_NOT_REPEATABLE',
          'a second instance played another episode with the same seed and actions',
          rolloutDifference(moves, await rollout(twin, { seed }, steps, actions)),
        ),
      );
    },
  },
  {
    name: 'depends on the seed',
    skip: whenNondeterministic,
    run: async ({ env, seed, steps }) => {
      const moves = await rollout(env, { seed }, steps);
      const actions = actionsOf(moves);
      for (let other = seed + 1; other <= seed + 8; other += 1) {
        if (rolloutDifference(moves, await rollout(env, { seed: other }, steps, actions)) !== undefined) return [];
      }
      return [warning('SEED_WITHOUT_EFFECT', `seeds ${seed} to ${seed + 8} gave the same episodes`)];
    },
  },
];
