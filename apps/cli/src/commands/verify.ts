/**
 * `vlgym verify`: fresh random episodes in an environment of ours and in the original, step by step.
 *
 * The original runs in its own Python; where it is not installed the check is skipped and says how to install it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  AlfredPythonEnv,
  AlfredTextEnv,
  generateHousehold,
  originalPython,
  TASK_TYPES,
  writeHousehold,
} from '@vlgym/alfworld';
import { Generator } from '@vlgym/core';
import { z } from 'zod';
import { defineCommand } from '../command.js';
import { table } from '../terminal/style.js';

/** How many of what agreed. */
interface Agreement {
  readonly what: string;
  agreed: number;
  compared: number;
  /** Where the first did not agree. */
  first?: string;
}

interface Extent {
  readonly episodes: number;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Random commands before the expert's plan. */
const WANDER = 8;
/** What people type by mistake; both engines must answer alike. */
const INVALID = ['dance', '', 'go to', 'take mug 99 from nowhere 1', 'Look;"\n'];

export const verify = defineCommand({
  name: 'verify',
  summary: 'play fresh random episodes beside the original and compare every step',
  description:
    'ALFWorld: households of our generator are played in our engine and in the Python package of the original, with random commands, some invalid, and then the expert’s plan. Texts, rewards, ends and admissible commands must be equal. Needs the Python that `vlgym alfworld setup-python` makes; without it the check is skipped. The exit code is 1 if anything differs.',
  positional: 'environment',
  options: z.object({
    environment: z.enum(['alfworld']).default('alfworld').describe('what to compare'),
    episodes: z.number().int().min(1).max(100_000).default(20).describe('how many episodes'),
    seed: z.number().int().min(0).default(0).describe('seed of the first episode'),
  }),
  examples: [{ command: 'vlgym verify alfworld --episodes 100', does: 'a hundred households, six kinds of tasks' }],
  async run({ episodes, seed }, { stdout, signal }) {
    const python = originalPython();
    if (python === undefined) {
      stdout.write('skipped: no Python with alfworld\n  hint: run `vlgym alfworld setup-python`\n');
      return 0;
    }
    const found = await compareHouseholds(python, { episodes, seed, signal });
    stdout.write(`${table(rowsOf(found))}\n`);
    const different = found.filter(({ agreed, compared }) => agreed < compared);
    for (const { what, first } of different) stdout.write(`first difference in ${what}: ${first}\n`);
    return different.length === 0 ? 0 : 1;
  },
});

async function compareHouseholds(python: string, { episodes, seed, signal }: Extent): Promise<Agreement[]> {
  const [texts, rewards, ends, commands] = ['texts', 'rewards', 'ends', 'admissible commands'].map(
    (what): Agreement => ({ what, agreed: 0, compared: 0 }),
  ) as [Agreement, Agreement, Agreement, Agreement];
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-verify-'));
  try {
    for (let episode = 0; episode < episodes && !signal.aborted; episode += 1) {
      const taskType = TASK_TYPES[episode % TASK_TYPES.length]!;
      const household = generateHousehold({ split: 'train', taskType, seed: seed + episode });
      const games = [await writeHousehold(folder, household)];
      const [ours, theirs] = [new AlfredTextEnv({ games }), new AlfredPythonEnv({ games, python })];
      const random = new Generator(seed + episode);
      try {
        let [left, right] = [ours.reset(), await theirs.reset()];
        for (let step = 0; ; step += 1) {
          const place = `${household.id}, step ${step}`;
          note(texts, place, left.observation, right.observation);
          note(commands, place, left.info.admissibleCommands, right.info.admissibleCommands);
          const action =
            step >= WANDER
              ? ours.oracle()
              : step % 4 === 3
                ? random.choice(INVALID)
                : random.choice(left.info.admissibleCommands);
          if (action === undefined || signal.aborted) break;
          const [one, other] = [ours.step(action), await theirs.step(action)];
          note(rewards, `${place}: ${action}`, one.reward, other.reward);
          note(ends, `${place}: ${action}`, [one.terminated, one.truncated], [other.terminated, other.truncated]);
          [left, right] = [one, other];
          if (one.terminated || one.truncated || other.terminated || other.truncated) {
            note(texts, place, one.observation, other.observation);
            break;
          }
        }
      } finally {
        await theirs.close();
        await ours.close();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return [texts, rewards, ends, commands];
}

function note(agreement: Agreement, place: string, ours: unknown, theirs: unknown): void {
  agreement.compared += 1;
  if (isDeepStrictEqual(ours, theirs)) agreement.agreed += 1;
  else agreement.first ??= `${place}: ours ${JSON.stringify(ours)}, the original's ${JSON.stringify(theirs)}`;
}

const rowsOf = (found: readonly Agreement[]) => [
  ['compared', 'equal', 'of'],
  ...found.map(({ what, agreed, compared }) => [what, String(agreed), String(compared)]),
];
