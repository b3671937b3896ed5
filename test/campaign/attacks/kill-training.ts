/** Training runs killed at every change of their files and at random moments: resumed, they end bit for bit like others. */
import { join } from 'node:path';
import type { Attack } from '../attack.js';
import { describeKill, planKills, runKilled } from '../support/kill-plan.js';
import { resumedTraining, UPDATES, undisturbedTraining } from '../support/training-check.js';

export const killTraining: Attack = {
  name: 'kill-training',
  about: 'training of a stub policy killed at each change of its files and at random moments, then resumed',
  weight: 3,
  async run({ index, rng, folder }) {
    const { changes, milliseconds } = await undisturbedTraining();
    const run = join(folder, 'run');
    const kills = planKills(rng, index, changes, milliseconds);
    let killed = 0;
    for (const kill of kills) {
      const { signal } = await runKilled('train', run, [run, UPDATES], kill);
      if (signal === 'SIGKILL') killed += 1;
    }
    const findings = await resumedTraining(run, `killed ${kills.map(describeKill).join(', then ')}`);
    return { counts: { kills: killed, runs: 1 }, findings };
  },
};
