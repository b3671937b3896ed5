/**
 * The training run that `algos-resume.long.test.ts` breaks off and continues: in the process of the test, or in one of its own
 * that is killed (`algos-resume-child.ts`).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { archer, epo, ppoToken } from '@vlgym/baselines';
import { gtrTurboKl, gtrTurboSft } from '@vlgym/gtr-turbo';
import { type AlgorithmOverrides, type Presets, train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { CorridorEnv, colorPicture, smallPolicy, teachLetters } from './algos-tasks.js';

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

function overridesOf(preset: string): AlgorithmOverrides {
  const overrides: AlgorithmOverrides = {
    rollout: { maxNewTokens: 3 },
    ...(own[preset] ?? { value: { warmupUpdates: 1 } }),
    optimizer: { epochs: 2, batch: 8, microBatch: 4, learningRate: { initial: 1e-3 } },
  };
  if (!preset.startsWith('gtr-turbo')) return overrides;
  const tries: AlgorithmOverrides = preset === 'gtr-turbo-sft' ? { guidance: { teacherTries: 2 } } : {};
  return { ...overrides, merge: { method: 'dare-ties', capacity: 2 }, ...tries };
}

/**
 * Begins in `folder`, or continues what is there, up to update `updates`.
 *
 * @param say  Told `working` at every step, so inside an update and in the middle of an episode, and `update <n>` after update n.
 */
export async function trainResumable(
  preset: string,
  folder: string,
  updates: number,
  say: (line: string) => void = () => {},
): Promise<void> {
  class WatchedEnv extends CorridorEnv {
    override step(action: number) {
      const result = super.step(action);
      say('working');
      return result;
    }
  }
  const policy = await smallPolicy({ seed: 1, train: { lora: { r: 4, alpha: 8 } } });
  try {
    if (!existsSync(join(folder, 'latest'))) {
      const env = new CorridorEnv({ picture: colorPicture });
      await teachLetters(policy, { env, contexts: 5, actions: 2, right: () => 1, hint: 0, steps: 30 });
    }
    await train({
      policy,
      algorithm: presets[preset]!(overridesOf(preset)),
      makeEnv: () => new WatchedEnv({ picture: colorPicture }),
      updates,
      stepsPerUpdate: 16,
      numEnvs: 4,
      seed: 5,
      folder,
      resume: true,
      evaluation: { seeds: [1, 2], every: 2, maxSteps: 5 },
      onMetrics: ({ update }) => say(`update ${update}`),
    });
  } finally {
    policy.close();
  }
}
