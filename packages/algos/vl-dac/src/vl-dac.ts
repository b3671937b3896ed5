/**
 * VL-DAC: token ratios with a step-level critic.
 *
 * Every response token is trained with the advantage of its environment step and clipped on its own; the critic reads
 * the prompt and never moves the backbone; it is warmed up first; a KL term limits drift.
 * Source: "Enhancing Vision-Language Model Training with Reinforcement Learning in Synthetic Worlds for Real-World
 * Success"; `docs/specs/algorithms.md`, section 8. Its losses are pinned by `test/golden/algos/vldac.json`.
 */
import {
  type Algorithm,
  type AlgorithmOverrides,
  estimateTargets,
  optimize,
  type PresetOptions,
  policyLoss,
  presetConfig,
  type RolloutBuffer,
  type Run,
  regularize,
  rescore,
  valueLoss,
} from '@vlgym/rl';

/**
 * Recommended choices: those of the published launch scripts (closer to what produced the paper than the YAML files),
 * sampling and training at one temperature, no value clip, truncation bootstrapped.
 */
const RECOMMENDED: AlgorithmOverrides = {
  advantage: { gamma: 0.995, lambda: 0.99 },
  loss: { level: 'token', aggregation: 'seq_mean_token_mean', clipLow: 0.1, clipHigh: 0.1 },
  // the published 0.25 multiplies the square without ½
  value: { coefficient: 0.5, stopGradient: true, warmupUpdates: 2 },
  // the published k3 has a gradient of 1 − exp(−x): one sampled token that the update made e^-10 as likely outweighs a
  // buffer. That of k2 is x, and the same in expectation on the agent's own samples.
  regularizer: { kl: 'k2', klTo: 'reference', klCoefficient: 0.05 },
  optimizer: {
    epochs: 2,
    batch: 16,
    learningRate: { initial: 1e-5, final: 1e-7, period: 100 },
    maxGradNorm: 1,
  },
};

/** Where the published code differs (`docs/specs/algorithms.md` 8.2 and 8.4, MiniWorld column). */
const REPLICATION: AlgorithmOverrides = {
  rollout: { temperature: 0.2, topK: 1, topP: 0.001, maxNewTokens: 1024, fallbackLoss: 'keep' },
  reward: { formatValid: 0, formatInvalid: 0 },
  advantage: { estimator: 'storage-gae', gamma: 0.9, lambda: 0.95 },
  // the published 0.5 multiplies max((V − R)², clipped²) without ½; one norm bounds all gradients
  value: {
    coefficient: 1,
    clip: 0.1,
    learningRateFactor: 1,
    epochs: null,
    standardize: false,
    maxGradNorm: null,
  },
  regularizer: { kl: 'k3', klCoefficient: 0.04 },
  optimizer: { learningRate: { initial: 1e-6, final: 1e-8, beyond: 'periodic' }, maxGradNorm: 0.01 },
};

/**
 * @param overrides Any choices, laid over those of the preset.
 * @param options   `replicate: true` starts from the published code instead of the recommendations.
 */
export function vlDac(overrides: AlgorithmOverrides = {}, { replicate = false }: PresetOptions = {}): Algorithm {
  const config = presetConfig(
    { name: 'vl-dac', without: ['guidance', 'merge'] },
    RECOMMENDED,
    replicate ? REPLICATION : {},
    overrides,
  );
  return { name: 'vl-dac', config, update };
}

async function update(run: Run): Promise<RolloutBuffer> {
  const { policy, config, collector, metrics } = run;
  const buffer = await collector.collect(run.stepsPerEnvironment, run);
  await metrics.timed('score', () => rescore(policy, buffer, config));
  const targets = estimateTargets(buffer, config, metrics);
  await optimize(run, buffer, targets, {
    actor: (outputs, batch) => policyLoss(outputs, batch, config),
    critic: ({ values }, batch) =>
      valueLoss(values, batch, { clip: config.value.clip, totalSteps: batch.totals.steps }),
    regularizer: (outputs, batch) => regularize(outputs, batch, config),
  });
  return buffer;
}
