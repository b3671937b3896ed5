/** Two processes on one folder at once: one is refused with a typed error or both agree, and nothing is there twice. */
import { join } from 'node:path';
import type { Attack, Finding } from '../attack.js';
import { runChild } from '../support/child.js';
import { EPISODES, resumedEvaluation } from '../support/evaluation-check.js';
import { resumedTraining, UPDATES } from '../support/training-check.js';
import { untyped } from './full-disk.js';

export const twoProcesses: Attack = {
  name: 'two-processes',
  about: 'two processes that evaluate or train in one folder at once, some killed, then resumed',
  async run({ index, rng, folder }) {
    const run = join(folder, 'run');
    const [child, length] = index % 2 === 0 ? (['evaluate', EPISODES] as const) : (['train', UPDATES] as const);
    const delay = rng.integers(0, 600);
    const kill = rng.random() < 0.3 ? { killAfter: rng.integers(200, 1500) } : {};
    const [first, second] = await Promise.all([
      runChild(child, { args: [run, length], ...kill }),
      new Promise((resolve) => setTimeout(resolve, delay)).then(() => runChild(child, { args: [run, length] })),
    ]);
    const story = `two processes ${child} in one folder, the second ${delay} ms later`;
    const findings: Finding[] = [...(first.signal ? [] : untyped(first, story)), ...untyped(second, story)];
    if (first.code !== 0 && second.code !== 0 && first.signal === null) {
      findings.push({
        title: 'both of two processes are refused',
        detail: `${story}\n${first.stderr}\n${second.stderr}`,
      });
    }
    findings.push(...(await (child === 'evaluate' ? resumedEvaluation : resumedTraining)(run, story)));
    return { counts: { pairs: 1 }, findings };
  },
};
