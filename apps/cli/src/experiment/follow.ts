/**
 * A rank other than the first: plays and computes its share of the run and writes nothing. Where episodes come from a queue, the
 * first rank alone speaks to it.
 */
import { setNumThreads } from '@vlgym/gpu';
import type { ProcessGroup } from '@vlgym/gpu/distributed';
import { train } from '@vlgym/rl';
import { trainingEnvironment } from './evaluation/evaluate-policy.js';
import { newPolicy } from './policy.js';
import { algorithmOf } from './run-options.js';
import { completeTask } from './settings/settings.js';
import type { RunPlan } from './spec.js';
import { splitsOf } from './task-separation/splits.js';
import { weightsOf } from './warm-start/warm-start.js';

export async function followTraining(plan: RunPlan, group: ProcessGroup, signal: AbortSignal): Promise<void> {
  const task = completeTask(plan);
  if (plan.threads !== undefined) setNumThreads(plan.threads);
  const policy = await newPolicy(task, plan.seed, group, plan.shardOptimizer);
  try {
    await policy.load(weightsOf(plan.start), { weightsOnly: true });
    await train({
      policy,
      algorithm: algorithmOf(plan),
      makeEnv: trainingEnvironment(task, splitsOf(task).train),
      updates: task.updates,
      stepsPerUpdate: task.stepsPerUpdate,
      numEnvs: task.numEnvs,
      seed: plan.seed,
      folder: plan.folder,
      resume: plan.resume,
      ranks: group,
      signal,
    });
  } finally {
    policy.close();
  }
}
