/** Evaluations and trainings under a clock that jumps back and forth by months, killed once: the results do not know of it. */
import { join } from 'node:path';
import type { Attack, Finding } from '../attack.js';
import { childPath } from '../support/bundle.js';
import { runChild } from '../support/child.js';
import { EPISODES, resumedEvaluation } from '../support/evaluation-check.js';
import { resumedTraining, UPDATES } from '../support/training-check.js';

export const clockJumps: Attack = {
  name: 'clock-jumps',
  about: 'evaluations and trainings while the clock jumps by months, killed once, then resumed',
  async run({ seed, index, rng, folder }) {
    const run = join(folder, 'run');
    const preload = [await childPath('clock-jumps')];
    const env = { VLGYM_CLOCK_SEED: String(seed) };
    const killAfter = rng.integers(100, 1500);
    const [child, length] = index % 2 === 0 ? (['evaluate', EPISODES] as const) : (['train', UPDATES] as const);
    const findings: Finding[] = [];
    await runChild(child, { args: [run, length], preload, env, killAfter });
    const whole = await runChild(child, { args: [run, length], preload, env });
    const story = `${child} under a jumping clock (seed ${seed}), killed after ${killAfter} ms`;
    if (whole.code !== 0)
      findings.push({ title: `a jumping clock ends ${child}`, detail: `${story}\n${whole.stderr}` });
    else findings.push(...(await (child === 'evaluate' ? resumedEvaluation : resumedTraining)(run, story)));
    return { counts: { runs: 1 }, findings };
  },
};
