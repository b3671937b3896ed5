/**
 * RL4VLM: PPO with one ratio per environment step, thoughts scaled by λ.
 *
 * Source: "Fine-Tuning Large Vision-Language Models as Decision-Making Agents via Reinforcement Learning";
 * `algorithms.md`, section 3. Its losses are pinned by `test/golden/algos/rl4vlm_step.json`.
 */
import {
  type Algorithm,
  type AlgorithmOverrides,
  accumulate,
  algorithmConfig,
  cosine,
  estimateTargets,
  miniBatches,
  type PolicyOutputs,
  type PresetOptions,
  policyLoss,
  type RolloutBuffer,
  type Run,
  recordLosses,
  regularise,
  rescore,
  valueLoss,
} from '@vlgym/rl';

/** The paper's algorithm with the corrections of `algorithms.md`, section 17. */
const RECOMMENDED: AlgorithmOverrides = {
  advantage: { gamma: 0.9, lambda: 0.95 },
  loss: { level: 'step', thoughtCoefficient: 0.5, clipLow: 0.1, clipHigh: 0.1 },
  value: { coefficient: 0.5 },
  optimiser: { epochs: 4, batch: 128, learningRate: { initial: 1e-5, final: 1e-9, period: 25 } },
};

/** Where the published code differs: temperature, value clip, ratio guard, time limits as ends, no format reward. */
const REPLICATION: AlgorithmOverrides = {
  rollout: { temperature: 0.2, fallbackLoss: 'keep' },
  reward: { formatValid: 0, formatInvalid: 0 },
  advantage: { truncationIsTerminal: true, eps: 1e-5 },
  loss: { temperature: 0.2, span: 'skip-first-two', ratioGuard: 10 },
  value: { clip: 0.1, stopGradient: false, warmupUpdates: 0, learningRateFactor: 1 },
  optimiser: { microBatch: 1, maxGradNorm: 0.01, learningRate: { beyond: 'periodic' } },
};

/**
 * @param overrides Any choices, laid over those of the preset.
 * @param options   `replicate: true` starts from the published code instead of the recommendations.
 */
export function rl4vlm(overrides: AlgorithmOverrides = {}, { replicate = false }: PresetOptions = {}): Algorithm {
  const config = algorithmConfig(RECOMMENDED, replicate ? REPLICATION : {}, overrides);
  return { name: 'rl4vlm', config, update };
}

async function update(run: Run): Promise<RolloutBuffer> {
  const { policy, config, collector, rng, metrics } = run;
  const { optimiser, value } = config;
  const learningRate = cosine(run.update, optimiser.learningRate);
  const onlyValue = run.update < value.warmupUpdates;

  const buffer = await collector.collect(run.stepsPerEnvironment, run);
  await metrics.timed('score', () => rescore(policy, buffer, config));
  const targets = estimateTargets(buffer, config, metrics);

  await metrics.timed('update', async () => {
    for (let epoch = 0; epoch < optimiser.epochs; epoch++) {
      for (const { microBatches } of miniBatches(buffer, targets, config, rng)) {
        for (const batch of microBatches) {
          const loss = (outputs: PolicyOutputs) => {
            const critic = valueLoss(outputs.values, batch, { clip: value.clip, totalSteps: batch.totals.steps });
            if (onlyValue) return recordLosses(run, batch, { critic }, critic.mul(value.coefficient));

            const actor = policyLoss(outputs, batch, config);
            const regulariser = regularise(outputs, batch, config);
            const total = actor.loss.add(critic.mul(value.coefficient)).add(regulariser.loss);
            return recordLosses(run, batch, { actor, critic, regulariser }, total);
          };
          await accumulate(run, batch.sequences, loss, {
            temperature: config.loss.temperature,
            stopGradient: value.stopGradient || onlyValue,
          });
        }
        const { gradNorm } = await policy.step({
          learningRate,
          valueLearningRate: learningRate * value.learningRateFactor,
          maxGradNorm: optimiser.maxGradNorm,
          onlyValue,
        });
        metrics.mean('optimiser/grad-norm', gradNorm);
      }
    }
  });
  metrics.setAll({ 'optimiser/learning-rate': learningRate, 'optimiser/only-value': onlyValue ? 1 : 0 });
  return buffer;
}
