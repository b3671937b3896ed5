/**
 * A training run in a process of its own: `tsx algos-resume-child.ts <preset> <folder> <updates> [<signal> <line> <times>]`.
 * Says `update <n>` after update n, `working` from inside an update, `done` at the end. Sends itself the signal as soon as it
 * has printed the line that often: one from outside could come too late.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { archer, epo, ppoToken } from '@vlgym/baselines';
import { gtrTurboKl, gtrTurboSft } from '@vlgym/gtr-turbo';
import { type AlgorithmOverrides, type Presets, train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { CorridorEnv, colorPicture, smallPolicy, teachLetters } from './algos-tasks.js';

const [preset, folder, updates, signal, last, times] = process.argv.slice(2) as [string, string, string, ...string[]];

let left = Number(times);
function say(line: string): void {
  process.stdout.write(`${line}\n`);
  if (line !== last) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, signal as NodeJS.Signals);
}

const presets: Presets = {
  'vl-dac': vlDac,
  'gtr-turbo-kl': gtrTurboKl,
  'gtr-turbo-sft': gtrTurboSft,
  'ppo-token': ppoToken,
  epo,
  archer,
};
/** In place of the options of a critic that warms up. */
const own: Readonly<Record<string, AlgorithmOverrides>> = {
  epo: { group: { size: 2 } },
  archer: { replay: { states: 8 }, critic: { steps: 5, batch: 8, width: 8, warmupUpdates: 1 } },
};
const make = presets[preset]!;
const overrides: AlgorithmOverrides = {
  rollout: { maxNewTokens: 3 },
  ...(own[preset] ?? { value: { warmupUpdates: 1 } }),
  optimizer: { epochs: 2, batch: 8, microBatch: 4, learningRate: { initial: 1e-3 } },
};

/** Says when a checkpoint is there, and that an update is under way, in the middle of an episode. */
class WatchedEnv extends CorridorEnv {
  override step(action: number) {
    const result = super.step(action);
    say('working');
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
  algorithm: make(preset.startsWith('gtr-turbo') ? guided : overrides),
  makeEnv: () => new WatchedEnv({ picture: colorPicture }),
  updates: Number(updates),
  stepsPerUpdate: 16,
  numEnvs: 4,
  seed: 5,
  folder,
  resume: true,
  evaluation: { seeds: [1, 2], every: 2, maxSteps: 5 },
  onMetrics: ({ update }) => say(`update ${update}`),
});
say('done');
