/** Every setting in force in a run, typed or not: `run.json`. */
import { algorithmOf } from './algorithms.js';
import { runControl } from './controls/index.js';
import { judgmentOf } from './judgment.js';
import { OPTIMIZER } from './policy.js';
import type { RunPlan } from './run.js';
import { completeTask, settingsOf } from './settings.js';
import { lessons } from './warm-start.js';

export function inForce(plan: RunPlan) {
  const task = completeTask(plan);
  const plays = plan.control === undefined || runControl(plan.control).kind === 'algorithm';
  return {
    ...plan,
    ...task,
    maxNewTokens: settingsOf(task.env).maxNewTokens,
    warmStart: lessons(task) ?? null,
    modelOptimizer: OPTIMIZER,
    evaluation: judgmentOf(plan),
    // of the algorithm: options of the preset, of the task, of the model and of the user in one
    config: plays ? algorithmOf(plan).config : null,
  };
}
