/**
 * One update of GTR-Turbo, from top to bottom: merge the teacher, collect, guide, learn, remember the checkpoint.
 *
 * Order as in `algorithms.md`, sections 5 and 18: before the first merge the teacher is θ_0; the teacher is frozen
 * while it guides.
 */
import {
  accumulate,
  cosine,
  estimateTargets,
  labelByTeacher,
  type MicroBatch,
  mergeIntoTeacher,
  miniBatches,
  type PolicyOutputs,
  penaliseTeacherKl,
  policyLoss,
  type RolloutBuffer,
  type Run,
  recordLosses,
  regularise,
  rescore,
  supervise,
  valueLoss,
} from '@vlgym/rl';

export async function update(run: Run): Promise<RolloutBuffer> {
  const { policy, config, collector, checkpoints, dagger, rng, metrics, signal } = run;
  const { optimiser, value, guidance, merge } = config;
  const learningRate = cosine(run.update, optimiser.learningRate);
  const onlyValue = run.update < value.warmupUpdates;

  if (checkpoints.size > 0) {
    const merged = await metrics.timed('merge', async () =>
      mergeIntoTeacher(policy, checkpoints.weights, { ...merge, rng }),
    );
    metrics.setAll({
      'merge/norm-ratio': merged.normRatio,
      'merge/conflict-share': merged.conflictShare,
      'merge/unanimous-share': merged.unanimousShare,
      'merge/cosine-to-latest': merged.cosineToLatest,
    });
  }

  const buffer = await collector.collect(run.stepsPerEnvironment, run);
  await metrics.timed('score', () => rescore(policy, buffer, config));
  if (guidance.kind === 'teacher-kl') {
    await metrics.timed('teacher', () => penaliseTeacherKl(policy, buffer, config, metrics));
  }
  if (guidance.kind === 'teacher-sft') {
    const parse = collector.dialogue.parse.bind(collector.dialogue);
    const options = { config, parse, rng, metrics, ...(signal && { signal }) };
    await metrics.timed('teacher', () => labelByTeacher(policy, buffer, dagger, options));
  }
  const targets = estimateTargets(buffer, config, metrics);

  const updateStart = performance.now();
  for (let epoch = 0; epoch < optimiser.epochs; epoch++) {
    dagger.shuffle(rng);
    for (const { microBatches } of miniBatches(buffer, targets, config, rng)) {
      for (const batch of microBatches) {
        await accumulate(run, batch.sequences, (outputs) => ppoLoss(run, batch, outputs, onlyValue), {
          temperature: config.loss.temperature,
          stopGradient: value.stopGradient || onlyValue,
        });
      }
      if (guidance.kind === 'teacher-sft' && !onlyValue) {
        const drawn = dagger.draw(
          microBatches.reduce((sum, { rows }) => sum + rows, 0),
          rng,
        );
        await supervise(run, drawn, { coefficient: guidance.sftCoefficient, microBatch: optimiser.microBatch });
      }
      const { gradNorm } = await policy.step({
        learningRate,
        valueLearningRate: learningRate * value.learningRateFactor,
        maxGradNorm: optimiser.maxGradNorm,
        onlyValue,
      });
      metrics.mean('optimiser/grad-norm', gradNorm);
    }
    if (merge.every === 'epoch' && !onlyValue) checkpoints.append();
  }
  if (merge.every === 'update' && !onlyValue) checkpoints.append();

  metrics.setAll({
    'time/update': (performance.now() - updateStart) / 1000,
    'optimiser/learning-rate': learningRate,
    'optimiser/only-value': onlyValue ? 1 : 0,
    'merge/checkpoints': checkpoints.size,
  });
  return buffer;
}

function ppoLoss(run: Run, batch: MicroBatch, outputs: PolicyOutputs, onlyValue: boolean) {
  const { value } = run.config;
  const critic = valueLoss(outputs.values, batch, { clip: value.clip, totalSteps: batch.totals.steps });
  if (onlyValue) return recordLosses(run, batch, { critic }, critic.mul(value.coefficient));

  const actor = policyLoss(outputs, batch, run.config);
  const regulariser = regularise(outputs, batch, run.config);
  const total = actor.loss.add(critic.mul(value.coefficient)).add(regulariser.loss);
  return recordLosses(run, batch, { actor, critic, regulariser }, total);
}
