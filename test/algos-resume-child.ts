/**
 * A training run in a process of its own, to be killed: `tsx algos-resume-child.ts <preset> <folder> <updates>`.
 * Says `checkpoint <n>` when checkpoint n is complete, `working` from inside an update, `done` at the end.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gtrTurboKl, gtrTurboSft } from '@vlgym/gtr-turbo';
import { type AlgorithmOverrides, type Presets, train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { CorridorEnv, colorPicture, smallPolicy, teachLetters } from './algos-tasks.js';

const [preset, folder, updates] = process.argv.slice(2) as [string, string, string];
const presets: Presets = { 'vl-dac': vlDac, 'gtr-turbo-kl': gtrTurboKl, 'gtr-turbo-sft': gtrTurboSft };
const make = presets[preset]!;
const overrides: AlgorithmOverrides = {
  rollout: { maxNewTokens: 3 },
  value: { warmupUpdates: 1 },
  optimizer: { epochs: 2, batch: 8, microBatch: 4, learningRate: { initial: 1e-3 } },
};

/** Says when a checkpoint is there, and that an update is under way, in the middle of an episode. */
class WatchedEnv extends CorridorEnv {
  override step(action: number) {
    const result = super.step(action);
    process.stdout.write('working\n');
    return result;
  }
}

const guided: AlgorithmOverrides = {
  ...overrides,
  merge: { method: 'dare-ties', capacity: 2 },
  ...(preset === 'gtr-turbo-sft' && { guidance: { teacherTries: 2 } }),
};

const policy = await smallPolicy({ seed: 1, train: { lora: { r: 4, alpha: 8 } } });
if (!existsSync(join(folder, 'latest'))) {
  const env = new CorridorEnv({ picture: colorPicture });
  await teachLetters(policy, { env, contexts: 5, actions: 2, right: () => 1, hint: 0, steps: 30 });
}
await train({
  policy,
  algorithm: make(preset === 'vl-dac' ? overrides : guided),
  makeEnv: () => new WatchedEnv({ picture: colorPicture }),
  updates: Number(updates),
  stepsPerUpdate: 16,
  numEnvs: 4,
  seed: 5,
  folder,
  resume: true,
  evaluation: { seeds: [1, 2], every: 2, maxSteps: 5 },
  onMetrics: ({ update }) => process.stdout.write(`update ${update}\n`),
});
process.stdout.write('done\n');
