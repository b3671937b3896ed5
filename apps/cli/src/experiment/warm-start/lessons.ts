/** Which lessons precede training: the warm start that the environment declares, with the run's own choices applied. */
import type { Given } from '../../command-line/given.js';
import { runControl } from '../controls/index.js';
import { isModelFolder } from '../policy.js';
import { type CompleteTask, completeTask, settingsOf } from '../settings/settings.js';
import type { RunSpec } from '../spec.js';

export interface WarmStartPlan {
  /** Labels; the last batch may be smaller than the others. */
  readonly examples: number;
  readonly mistakes: number;
  /** Distinct episodes; every one is new when left out. */
  readonly episodes: number | undefined;
  readonly learningRate: number;
  /** Labels per optimizer step. */
  readonly batch: number;
}

/** Environments declare the rate of a small model that knows nothing yet; adapters of a pretrained one take smaller steps. */
const ADAPTER_RATE = 2e-4;

/** `undefined` if training starts from the weights of the model. */
export function lessons(task: CompleteTask): WarmStartPlan | undefined {
  const { warmStart } = settingsOf(task.env);
  if (warmStart.teacher === 'none' || task.warmStart === 'none') return undefined;
  const examples = task.warmStartExamples ?? warmStart.examples;
  if (examples === 0) return undefined;
  return {
    examples,
    mistakes: task.warmStartMistakes ?? warmStart.mistakes,
    episodes: warmStart.episodes === undefined ? undefined : Math.min(warmStart.episodes, examples),
    learningRate: task.warmStartLearningRate ?? (isModelFolder(task.model) ? ADAPTER_RATE : warmStart.learningRate),
    batch: task.warmStartBatch ?? warmStart.batch,
  };
}

type Run = RunSpec & { readonly given?: Given | undefined };

/** The origin of a start that a command has taught once for all of its runs. */
export const COMMON_START = 'warm start';

/** It learns from the labels of a warm start, or from those of a control by imitation. */
export const isTaught = ({ given, control }: Run): boolean =>
  given?.start === undefined ||
  given.start === COMMON_START ||
  (control !== undefined && runControl(control).kind === 'imitation');

/** Those of a run: none where its weights are given, unless it is a control that imitates. */
export const lessonsOf = (run: Run): WarmStartPlan | undefined =>
  isTaught(run) ? lessons(completeTask(run)) : undefined;
