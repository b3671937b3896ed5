/** How the policies of runs are judged: the settings come from what they were trained with (`evaluationSettings` of @vlgym/rl). */
import { isDeepStrictEqual } from 'node:util';
import type { Fallback } from '@vlgym/agents';
import { type EvaluationSettings, evaluationSettings } from '@vlgym/rl';
import { rolloutOptions } from '@vlgym/rl/config';
import { runControl } from '../controls/index.js';
import { algorithmOf } from '../run-options.js';
import { completeTask, settingsOf } from '../settings/settings.js';
import type { RunSpec, Task } from '../spec.js';

/** The settings of a run: those of its algorithm, or of its task for a control that does not play. */
export function judgmentOf(spec: RunSpec): EvaluationSettings {
  const plays = spec.control === undefined || runControl(spec.control).kind === 'algorithm';
  if (!plays) return judgmentOfTask(spec, spec.replicate);
  return evaluationSettings(algorithmOf(spec).config, choicesOf(spec, spec.replicate));
}

/** The settings of weights that no algorithm has trained, such as a warm start. */
export function judgmentOfTask(task: Task, replicate = false): EvaluationSettings {
  const { maxNewTokens } = settingsOf(task.env);
  const rollout = rolloutOptions.parse({ maxNewTokens, ...(task.constrain && { constrain: task.constrain }) });
  return evaluationSettings({ rollout }, choicesOf(task, replicate));
}

/** The settings of weights that runs start from: those of the runs, where all of them are judged alike. */
export function judgmentOfStart(task: Task, runs: readonly RunSpec[]): EvaluationSettings {
  const [first, ...others] = runs.map(judgmentOf);
  return first && others.every((other) => isDeepStrictEqual(other, first)) ? first : judgmentOfTask(task);
}

/** The user's choices, which override what is known about how weights are judged. */
export interface JudgmentChoices {
  readonly temperature?: number | undefined;
  readonly constrain?: EvaluationSettings['constrain'] | undefined;
  readonly maxNewTokens?: number | undefined;
}

/** The settings of weights away from any task: greedy, whatever they were trained with, as question sets are published. */
export function plainJudgment({ temperature = 0, ...choices }: JudgmentChoices): EvaluationSettings {
  const rollout = Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined));
  return evaluationSettings({ rollout: rolloutOptions.parse(rollout) }, { temperature });
}

function choicesOf(task: Task, replicate: boolean) {
  const { evaluationTemperature: temperature } = completeTask(task);
  return { temperature, fallback: fallbackOf(task, replicate) };
}

/** The published rule where published settings are replicated. */
const fallbackOf = (
  { evaluationFallback }: Pick<Task, 'evaluationFallback'>,
  replicate: boolean,
): Fallback | undefined => evaluationFallback ?? (replicate ? 'random' : undefined);

/** How answers were sampled, in words: `temperature 1, at most 64 tokens`. */
export function samplingWords(settings: Omit<EvaluationSettings, 'fallback'>): string {
  const { temperature, maxNewTokens, topK, topP, repetitionPenalty, constrain } = settings;
  return [
    temperature === 0 ? 'greedy' : `temperature ${temperature}`,
    `at most ${maxNewTokens} tokens`,
    ...(topK > 0 ? [`top-k ${topK}`] : []),
    ...(topP < 1 ? [`top-p ${topP}`] : []),
    ...(repetitionPenalty === 1 ? [] : [`repetition penalty ${repetitionPenalty}`]),
    ...(constrain === 'none' ? [] : [`constrained to ${constrain}`]),
  ].join(', ');
}
