/** Phases of a run: training plays the environment with other options from an update on, evaluations with the same ones throughout. */
import { type AnyEnv, type Awaitable, InvalidOptionError, show } from '@vlgym/core';
import { mergeDeep } from '@vlgym/core/internal';
import { queueChoices } from '../queue-run/options.js';
import { runControl } from './controls/index.js';
import { environment, trainingEnvironment } from './evaluation/evaluate-policy.js';
import { type CompleteTask, completeTask } from './settings/settings.js';
import type { RunSpec } from './spec.js';
import { splitsOf } from './task-separation/splits.js';

interface Phase {
  /** Updates before it. */
  readonly after: number;
  readonly options: Readonly<Record<string, unknown>>;
}

/** In order; the first begins with the run. */
function phasesOf({ phases = {} }: CompleteTask): [Phase, ...Phase[]] {
  const named = Object.entries(phases)
    .map(([after, options]): Phase => ({ after: Number(after), options }))
    .sort((a, b) => a.after - b.after);
  const [first] = named;
  return first?.after === 0 ? [first, ...named.slice(1)] : [{ after: 0, options: {} }, ...named];
}

/** Environments of training by phase. */
const environmentsOf = (task: CompleteTask) =>
  phasesOf(task).map(({ options }) => {
    const phased = { ...task, envOptions: mergeDeep(task.envOptions ?? {}, options) };
    return { task: phased, side: splitsOf(phased).train };
  });

/**
 * Makes and closes the environment of each phase, so that a wrong option of a late one is found before the first update.
 *
 * @throws {GymError} `INVALID_OPTION` and what the environment throws.
 */
export async function checkPhases(run: Omit<RunSpec, 'resume'>, processes: number): Promise<void> {
  if (run.phases === undefined) return;
  const imitates = run.control !== undefined && runControl(run.control).kind === 'imitation';
  const by = imitates ? 'a control by imitation' : queueChoices(run) ? 'a queue' : processes > 1 && 'several processes';
  if (by) throw new InvalidOptionError('phases', run.phases, `no phases with ${by}`);
  const { updates } = completeTask(run);
  const late = Object.keys(run.phases).find((after) => Number(after) >= updates);
  if (late !== undefined) {
    throw new InvalidOptionError('phases', late, `phases that begin before the last of ${updates} updates`);
  }
  for (const { task, side } of environmentsOf(completeTask(run))) await (await environment(task, side)()).close();
}

export interface PhasedTraining {
  /** The option `phases` of `train`. */
  readonly phases: readonly number[];
  readonly makeEnv: (index: number, phase: number) => Awaitable<AnyEnv>;
  /** Which options training has from now on, where a phase begins after this update; else undefined. */
  noteAfter(update: number): string | undefined;
}

/** @param watching  Wraps what makes an environment. */
export function phasedTraining(
  task: CompleteTask,
  watching: (makeEnv: () => Awaitable<AnyEnv>) => () => Awaitable<AnyEnv>,
): PhasedTraining {
  const makers = environmentsOf(task).map((phase) => watching(trainingEnvironment(phase.task, phase.side)));
  const [, ...later] = phasesOf(task);
  return {
    phases: later.map(({ after }) => after),
    makeEnv: (_index, phase) => makers[phase]!(),
    noteAfter(update) {
      const next = later.find(({ after }) => after === update);
      return next && `from update ${update + 1} on, the environment of training has ${show(next.options)}`;
    },
  };
}
