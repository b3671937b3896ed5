/**
 * GTR-Turbo's two presets: the merged checkpoints teach by KL, or by answers to imitate.
 *
 * Source: "GTR-Turbo: Merged Checkpoint is Secretly a Free Teacher for Agentic VLM Training"; `docs/specs/algorithms.md`,
 * sections 5 to 7. Where text and published code differ, the text is followed; `replicate: true` goes back to
 * the code where it can be repeated without its mistakes (blind teacher, unshifted logits, frozen merge: 6.4 and 7.5).
 */
import { type Algorithm, type AlgorithmOverrides, type Preset, type PresetOptions, presetConfig } from '@vlgym/rl';
import { update } from './update.js';

/**
 * Shared by both: RL4VLM's step ratio with a critic that leaves the backbone alone, so that without guidance this is
 * `rl4vlm-stabilized`. Early ends at illegal actions are left to the caller: they change the task.
 */
const SHARED: AlgorithmOverrides = {
  advantage: { gamma: 0.9, lambda: 0.95 },
  loss: { level: 'step', thoughtCoefficient: 0.5, clipLow: 0.1, clipHigh: 0.1 },
  value: { coefficient: 0.5 },
  merge: { method: 'ties', density: 0.8, weighting: 'sma', every: 'update' },
  optimizer: { epochs: 4, batch: 128, learningRate: { initial: 1e-5, final: 1e-9, period: 25 } },
};

/** The published code on Points24: rewards of that game, temperature 0.2, repetition penalty, top-k, return shift. */
const REPLICATION: AlgorithmOverrides = {
  rollout: {
    temperature: 0.2,
    repetitionPenalty: 1.2,
    topK: 5,
    fallbackLoss: 'keep',
    earlyTruncation: { rewards: [-1] },
  },
  reward: { formatValid: 3, formatInvalid: -2, formatEntry: 'return-shift' },
  advantage: { estimator: 'storage-gae', truncationIsTerminal: true, eps: 1e-5 },
  loss: { temperature: 0.2, span: 'skip-first-two', ratioGuard: 10 },
  value: {
    clip: 0.1,
    stopGradient: false,
    warmupUpdates: 0,
    learningRateFactor: 1,
    epochs: null,
    standardize: false,
    maxGradNorm: null,
  },
  guidance: { klEstimator: 'clipped', klEntry: 'return-shift', klUnparsable: 100 },
  merge: { every: 'epoch' },
  optimizer: { microBatch: 1, maxGradNorm: 0.01, learningRate: { beyond: 'periodic' } },
};

/**
 * The teacher's KL on the thought tokens is taken off the advantage (equation 6).
 *
 * @param overrides Any choices, laid over those of the preset.
 * @param options   `replicate: true` starts from the published code instead of the recommendations.
 */
export function gtrTurboKl(overrides: AlgorithmOverrides = {}, { replicate = false }: PresetOptions = {}): Algorithm {
  const own: AlgorithmOverrides = { guidance: { kind: 'teacher-kl' } };
  const config = presetConfig({ name: 'gtr-turbo-kl' }, SHARED, own, replicate ? REPLICATION : {}, overrides);
  return { name: 'gtr-turbo-kl', config, update };
}

/** The teacher answers every well-formed step; its thoughts join a growing set of labels that is imitated beside PPO. */
export function gtrTurboSft(overrides: AlgorithmOverrides = {}, { replicate = false }: PresetOptions = {}): Algorithm {
  const own: AlgorithmOverrides = { guidance: { kind: 'teacher-sft' } };
  const config = presetConfig({ name: 'gtr-turbo-sft' }, SHARED, own, replicate ? REPLICATION : {}, overrides);
  return { name: 'gtr-turbo-sft', config, update };
}

/** Presets of this package by name. */
export const presets: Readonly<Record<string, Preset>> = {
  'gtr-turbo-kl': gtrTurboKl,
  'gtr-turbo-sft': gtrTurboSft,
};
