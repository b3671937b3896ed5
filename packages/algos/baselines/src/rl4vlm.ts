/**
 * RL4VLM: PPO with one ratio per environment step, thoughts scaled by λ.
 *
 * Source: "Fine-Tuning Large Vision-Language Models as Decision-Making Agents via Reinforcement Learning";
 * `docs/specs/algorithms.md`, section 3. Its losses are pinned by `test/golden/algos/rl4vlm_step.json`.
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

/** These algorithms have no teacher. */
const UNGUIDED = ['guidance', 'merge'] as const;

/**
 * The published algorithm: critic and policy share backbone, learning rate and gradient norm from the first update on,
 * the value loss reaches the backbone and is clipped around the old value. Corrected are errors, not choices: the
 * prompt that a ratio is evaluated on, evaluation mode, and one temperature for sampling and loss.
 */
const PUBLISHED: AlgorithmOverrides = {
  advantage: { gamma: 0.9, lambda: 0.95 },
  loss: { level: 'step', thoughtCoefficient: 0.5, clipLow: 0.1, clipHigh: 0.1 },
  value: {
    coefficient: 0.5,
    clip: 0.1,
    stopGradient: false,
    warmupUpdates: 0,
    learningRateFactor: 1,
    epochs: null,
    standardize: false,
    maxGradNorm: null,
  },
  optimizer: { epochs: 4, batch: 128, learningRate: { initial: 1e-5, final: 1e-9, period: 25 } },
};

/** VL-DAC's stabilizers, and a critic that is fitted apart with its own rate; what GTR-Turbo with β = 0 is. */
const STABILIZED: AlgorithmOverrides = {
  value: {
    clip: null,
    stopGradient: true,
    warmupUpdates: 2,
    learningRateFactor: 10,
    epochs: 8,
    standardize: true,
    maxGradNorm: 1,
  },
};

/** Where the published code differs: temperature, spans, ratio guard, time limits as ends, no format reward. */
const REPLICATION: AlgorithmOverrides = {
  rollout: { temperature: 0.2, fallbackLoss: 'keep' },
  reward: { formatValid: 0, formatInvalid: 0 },
  advantage: { estimator: 'storage-gae', truncationIsTerminal: true, eps: 1e-5 },
  loss: { temperature: 0.2, span: 'skip-first-two', ratioGuard: 10 },
  optimizer: { microBatch: 1, maxGradNorm: 0.01, learningRate: { beyond: 'periodic' } },
};

/**
 * @param overrides Any choices, laid over those of the preset.
 * @param options   `replicate: true` starts from the published code's settings.
 */
export function rl4vlm(overrides: AlgorithmOverrides = {}, { replicate = false }: PresetOptions = {}): Algorithm {
  const config = presetConfig(
    { name: 'rl4vlm', without: UNGUIDED },
    PUBLISHED,
    replicate ? REPLICATION : {},
    overrides,
  );
  return { name: 'rl4vlm', config, update };
}

/** RL4VLM's loss with VL-DAC's critic: gradient stopped, value warm-up, its own learning rate and gradient norm. */
export function rl4vlmStabilized(
  overrides: AlgorithmOverrides = {},
  { replicate = false }: PresetOptions = {},
): Algorithm {
  const name = 'rl4vlm-stabilized';
  const config = presetConfig(
    { name, without: UNGUIDED },
    PUBLISHED,
    replicate ? REPLICATION : {},
    STABILIZED,
    overrides,
  );
  return { name, config, update };
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
