/** Evaluations killed at every change of their files and at random moments: resumed, they say what an undisturbed one says. */
import { join } from 'node:path';
import type { Attack } from '../attack.js';
import { EPISODES, resumedEvaluation, undisturbedEvaluation } from '../support/evaluation-check.js';
import { describeKill, planKills, runKilled } from '../support/kill-plan.js';

export const killEvaluation: Attack = {
  name: 'kill-evaluation',
  about: 'evaluations killed at each change of their files and at random moments, then resumed',
  weight: 3,
  async run({ index, rng, folder }) {
    const { changes, milliseconds } = await undisturbedEvaluation();
    const run = join(folder, 'run');
    const kills = planKills(rng, index, changes, milliseconds);
    let killed = 0;
    for (const kill of kills) {
      const { signal } = await runKilled('evaluate', run, [run, EPISODES], kill);
      if (signal === 'SIGKILL') killed += 1;
    }
    const findings = await resumedEvaluation(run, `killed ${kills.map(describeKill).join(', then ')}`);
    return { counts: { kills: killed, evaluations: 1 }, findings };
  },
};
