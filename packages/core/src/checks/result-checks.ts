/** Checks that the values an environment returns can be stored and sent. */
import { copyValue } from '../wrappers/copy-value.js';
import { firstDifference } from './difference.js';
import { differs, type EnvCheck, error, throughJson } from './env-check.js';
import type { Finding } from './finding.js';
import { drawAction, type Move, rollout } from './rollout.js';

export const resultChecks: readonly EnvCheck[] = [
  {
    name: 'returns fresh objects that it never changes later',
    run: async ({ env, seed, steps }) => {
      const kept: { readonly move: Move; readonly copy: unknown }[] = [];
      env.actionSpace.seed(seed);
      const keep = (move: Move) => kept.push({ move, copy: copyValue(move.result) });
      keep({ result: await env.reset({ seed }) });
      for (let step = 0; step < steps; step += 1) {
        const result = await env.step(drawAction(env));
        keep({ result });
        if (result.terminated || result.truncated) keep({ result: await env.reset() });
      }
      const findings: Finding[] = [];
      for (const [index, { move, copy }] of kept.entries()) {
        findings.push(
          ...differs(
            'OBJECT_REUSED',
            'a result was changed after it had been returned',
            firstDifference(copy, move.result, `move ${index}`),
          ),
        );
        for (const key of ['observation', 'info'] as const) {
          const value = move.result[key];
          if (typeof value === 'object' && value !== null && value === kept[index - 1]?.move.result[key]) {
            findings.push(error('OBJECT_REUSED', `move ${index} returned the same ${key} object as the move before`));
          }
        }
      }
      return findings;
    },
  },
  {
    name: 'speaks JSON: observations and infos survive a round trip',
    run: async ({ env, seed, steps }) => {
      const findings: Finding[] = [];
      const space = env.observationSpace;
      for (const [index, { result }] of (await rollout(env, { seed }, steps)).entries()) {
        const observation = space.decode(throughJson(space.encode(result.observation)));
        findings.push(
          ...differs(
            'OBSERVATION_NOT_JSON',
            'an observation changes on its way through JSON',
            firstDifference(result.observation, observation, `move ${index}`),
          ),
          ...differs(
            'INFO_NOT_JSON',
            'an info changes on its way through JSON',
            firstDifference(result.info, throughJson(result.info), `move ${index}.info`),
          ),
        );
      }
      return findings;
    },
  },
];
