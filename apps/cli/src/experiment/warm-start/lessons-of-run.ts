/** Which lessons a run takes: none where its weights are given, unless it is a control that imitates. */
import type { Given } from '../../command-line/given.js';
import { runControl } from '../controls/index.js';
import { completeTask } from '../settings/settings.js';
import type { RunSpec } from '../spec.js';
import { lessons, type WarmStartPlan } from './warm-start.js';

type Run = RunSpec & { readonly given?: Given | undefined };

/** It learns from the labels of a warm start, or from those of a control by imitation. */
export const isTaught = ({ given, control }: Run): boolean =>
  given?.start === undefined || (control !== undefined && runControl(control).kind === 'imitation');

export const lessonsOf = (run: Run): WarmStartPlan | undefined =>
  isTaught(run) ? lessons(completeTask(run)) : undefined;
