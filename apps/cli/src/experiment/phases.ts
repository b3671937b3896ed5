/** Phases of a run: training plays the environment with other options from an update on, evaluations with the same ones throughout. */
import { type AnyEnv, type Awaitable, InvalidOptionError, show } from '@vlgym/core';
import { environment, trainingEnvironment } from './evaluation/evaluate-policy.js';
import type { CompleteTask } from './settings/settings.js';
import { splitsOf } from './task-separation/splits.js';

interface Phase {
  /** Updates before it. */
  readonly after: number;
  readonly options: Readonly<Record<string, unknown>>;
}

/** In order; the first begins with the run. */
function phasesOf({ phases = {}, updates }: CompleteTask): [Phase, ...Phase[]] {
  const named = Object.entries(phases)
    .map(([after, options]): Phase => ({ after: Number(after), options }))
    .sort((a, b) => a.after - b.after);
  const late = named.find(({ after }) => after >= updates);
  if (late)
    throw new InvalidOptionError('phases', late.after, `phases that begin before the last of ${updates} updates`);
  const [first] = named;
  return first?.after === 0 ? [first, ...named.slice(1)] : [{ after: 0, options: {} }, ...named];
}

export interface PhasedEnvironment {
  /** `phases` of `train`. */
  readonly phases: readonly number[] | undefined;
  readonly makeEnv: (index: number, phase: number) => Awaitable<AnyEnv>;
  /** Which options training has from now on, where a phase begins after this update; else undefined. */
  noteAfter(update: number): string | undefined;
}

/**
 * Each phase's environment is made and closed once, so that a wrong option of a late one ends the run before its first update.
 *
 * @param watching  Wraps what makes an environment.
 */
export async function phasedEnvironment(
  task: CompleteTask,
  watching: (makeEnv: () => Awaitable<AnyEnv>) => () => Awaitable<AnyEnv>,
): Promise<PhasedEnvironment> {
  const phases = phasesOf(task);
  const makers = phases.map(({ options }) => {
    const phased = { ...task, envOptions: { ...task.envOptions, ...options } };
    const { train } = splitsOf(phased);
    return { make: watching(trainingEnvironment(phased, train)), tried: environment(phased, train) };
  });
  if (task.phases) for (const { tried } of makers) await (await tried()).close();
  const [, ...later] = phases;
  return {
    phases: later.length > 0 ? later.map(({ after }) => after) : undefined,
    makeEnv: (_index, phase) => makers[phase]!.make(),
    noteAfter(update) {
      const next = later.find(({ after }) => after === update);
      return next && `from update ${update + 1} on, the environment of training has ${show(next.options)}`;
    },
  };
}
