/**
 * `vlgym verify alfworld`: households of our generator in our engine and in the Python package of the original, with random
 * commands, some invalid, and then the expert's plan.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import type { Verification, VerificationExtent, VerificationReport } from '@vlgym/core/registry';
import { Tally } from '@vlgym/core/verification';
import { AlfredTextEnv } from './env/alfworld.js';
import { TASK_TYPES } from './games/task.js';
import { writeHousehold } from './generator/files.js';
import { generateHousehold } from './generator/household.js';
import { AlfredPythonEnv } from './python/python-env.js';
import { originalPython } from './python/python-place.js';
import { setupPython } from './python/setup-python.js';

/** Random commands before the expert's plan. */
const WANDER = 8;
/** Invalid commands, as people mistype them; both engines must give the same answer. */
const INVALID = ['dance', '', 'go to', 'take mug 99 from nowhere 1', 'Look;"\n'];

export const households: Verification = {
  missing: () => (originalPython() === undefined ? 'a Python with alfworld' : undefined),
  async setup({ python, onProgress, signal }) {
    await setupPython({ python, onProgress, signal });
  },
  compare,
};

async function compare({ episodes, seed, signal }: VerificationExtent): Promise<VerificationReport> {
  const tally = new Tally(['texts', 'rewards', 'ends', 'admissible commands']);
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-verify-'));
  try {
    for (let episode = 0; episode < episodes && !signal?.aborted; episode += 1) {
      const taskType = TASK_TYPES[episode % TASK_TYPES.length]!;
      const household = generateHousehold({ split: 'train', taskType, seed: seed + episode });
      const game = await writeHousehold(folder, household);
      await playBoth(tally, household.id, game, new Generator(seed + episode), signal);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { agreements: tally.agreements };
}

async function playBoth(
  tally: Tally,
  id: string,
  game: string,
  random: Generator,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [ours, theirs] = [
    new AlfredTextEnv({ games: [game] }),
    new AlfredPythonEnv({ games: [game], python: originalPython() }),
  ];
  try {
    let [left, right] = [ours.reset(), await theirs.reset()];
    for (let step = 0; ; step += 1) {
      const place = `${id}, step ${step}`;
      tally.equal('texts', place, left.observation, right.observation);
      tally.equal('admissible commands', place, left.info.admissibleCommands, right.info.admissibleCommands);
      const { admissibleCommands } = left.info;
      const wandered = step % 4 === 3 ? pick(INVALID, random) : pick(admissibleCommands, random);
      const action = step >= WANDER ? ours.oracle() : wandered;
      if (action === undefined || signal?.aborted) return;
      const [one, other] = [ours.step(action), await theirs.step(action)];
      const where = `${place}: ${action}`;
      tally.equal('rewards', where, one.reward, other.reward);
      tally.equal('ends', where, [one.terminated, one.truncated], [other.terminated, other.truncated]);
      [left, right] = [one, other];
      if (one.terminated || one.truncated || other.terminated || other.truncated) {
        tally.equal('texts', where, one.observation, other.observation);
        return;
      }
    }
  } finally {
    await theirs.close();
    await ours.close();
  }
}

const pick = (items: readonly string[], random: Generator): string => items[random.integers(items.length)]!;
