/** The contents of `run.json`: the typed settings of a run, and all of its settings with their origins. */
import { departuresOf } from '@vlgym/rl';
import { runControl } from '../controls/index.js';
import { judgmentOf } from '../evaluation/judgment.js';
import { optimizerOf } from '../policy.js';
import { optionsOf } from '../run-options.js';
import type { RunPlan } from '../spec.js';
import { lessonsOf } from '../warm-start/lessons.js';
import { effectiveSettings } from './effective-settings.js';
import { completeTask, settingsOf } from './settings.js';

/** By option: on the command line, or in a config file. */
export const typedConfig = ({ given = {}, ...plan }: RunPlan) =>
  Object.fromEntries(Object.entries(plan).filter(([name]) => given[name] !== undefined));

export function effectiveConfig({ given, ...plan }: RunPlan) {
  const task = completeTask(plan);
  const plays = plan.control === undefined || runControl(plan.control).kind === 'algorithm';
  const resolved = plays ? optionsOf({ ...plan, given }) : undefined;
  const { options, fixed } = effectiveSettings({ ...plan, given });
  return {
    ...plan,
    ...task,
    maxNewTokens: settingsOf(task.env).maxNewTokens,
    warmStartPlan: lessonsOf({ ...plan, given }) ?? null,
    modelOptimizer: optimizerOf(task.model),
    evaluation: judgmentOf(plan),
    // of the algorithm: its own options, those of the model, of the task and of the user in one
    config: resolved?.algorithm.config ?? null,
    origins: Object.fromEntries(
      [...options, ...fixed, ...(resolved?.options ?? [])].map(({ name, origin }) => [name, origin]),
    ),
    departures: resolved ? departuresOf(resolved) : [],
  };
}
