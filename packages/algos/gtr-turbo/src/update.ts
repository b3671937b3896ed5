/**
 * One update of GTR-Turbo, from top to bottom: merge the teacher, collect, guide, learn, remember the checkpoint.
 *
 * Order as in `docs/specs/algorithms.md`, sections 5 and 18: before the first merge the teacher is θ_0; the teacher is frozen
 * while it guides.
 */
import {
  estimateTargets,
  isWarmup,
  labelByTeacher,
  measureTeacher,
  mergeIntoTeacher,
  optimize,
  penalizeTeacherKl,
  policyLoss,
  type RolloutBuffer,
  type Run,
  regularize,
  rescore,
  supervise,
  valueLoss,
} from '@vlgym/rl';

export async function update(run: Run): Promise<RolloutBuffer> {
  const { policy, config, collector, checkpoints, dagger, rng, metrics } = run;
  const { guidance, merge, value } = config;
  if (checkpoints.size > 0) {
    await metrics.timed('merge', async () => mergeTeacher(run));
    if (guidance.measureEvery > 0 && run.update % guidance.measureEvery === 0) await measureTeacher(run);
  }

  const buffer = await collector.collect(run.stepsPerEnvironment, run);
  await metrics.timed('score', () => rescore(policy, buffer, config));
  if (guidance.kind === 'teacher-kl') penalizeTeacherKl(buffer, config, run);
  if (guidance.kind === 'teacher-sft') await metrics.timed('teacher', () => label(run, buffer));
  const targets = estimateTargets(buffer, config, metrics);

  const remember = () => checkpoints.append();
  await optimize(
    run,
    buffer,
    targets,
    {
      actor: (outputs, batch) => policyLoss(outputs, batch, config),
      critic: ({ values }, batch) => valueLoss(values, batch, { clip: value.clip, totalSteps: batch.totals.steps }),
      regularizer: (outputs, batch) => regularize(outputs, batch, config),
    },
    {
      beforeEpoch: () => dagger.shuffle(rng),
      ...(guidance.kind === 'teacher-sft' && {
        beforeStep: async (microBatches) => {
          const steps = microBatches.reduce((sum, { rows }) => sum + rows, 0);
          const { microBatch } = config.optimizer;
          await supervise(run, dagger.draw(steps, rng), { coefficient: guidance.sftCoefficient, microBatch });
        },
      }),
      ...(merge.every === 'epoch' && { afterEpoch: remember }),
    },
  );
  if (merge.every === 'update' && !isWarmup(run)) remember();
  metrics.set('merge/checkpoints', checkpoints.size);
  return buffer;
}

function mergeTeacher({ policy, checkpoints, config, rng, metrics }: Run): void {
  const merged = mergeIntoTeacher(policy, checkpoints.weights, { ...config.merge, rng });
  metrics.setAll({
    'merge/norm-ratio': merged.normRatio,
    'merge/conflict-share': merged.conflictShare,
    'merge/unanimous-share': merged.unanimousShare,
    'merge/cosine-to-latest': merged.cosineToLatest,
  });
}

function label({ policy, collector, config, dagger, rng, metrics, signal }: Run, buffer: RolloutBuffer): Promise<void> {
  const parse = collector.dialogue.parse.bind(collector.dialogue);
  return labelByTeacher(policy, buffer, dagger, { config, parse, rng, metrics, ...(signal && { signal }) });
}
