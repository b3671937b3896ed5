/** Creates an environment of the suite: the task takes its own options, the environment takes the rest. */
import { GymError } from '@vlgym/core';
import { SUITE, TASK_OPTIONS, type TaskName, type TaskOptions } from '../tasks/suite.js';
import type { Task } from '../tasks/task.js';
import { MiniWorldEnv } from './miniworld-env.js';
import type { ViewOfKind } from './observations.js';
import { checkedOptions, type MiniWorldOptions, type ObservationKind, optionsObject } from './options.js';

export type SuiteOptions<Name extends TaskName> = MiniWorldOptions & TaskOptions<Name>;

/** The observation of a task's environment: a picture, unless the option `observation` selects a different kind. */
export type ObservationOfTask<Name extends TaskName, Kind extends ObservationKind = 'rgb'> = Name extends 'Sign'
  ? { readonly obs: ViewOfKind<Kind>; readonly goal: number }
  : ViewOfKind<Kind>;

/** The options with the kind of observation that they select. */
export type OptionsOfKind<Name extends TaskName, Kind extends ObservationKind> = SuiteOptions<Name> & {
  readonly observation?: Kind | undefined;
};

/**
 * Creates an environment of the suite without wrappers and without the registry.
 *
 * @example
 * const env = createMiniWorld('Maze', { numRows: 3, numCols: 3, obsWidth: 160, obsHeight: 120 });
 */
export function createMiniWorld<Name extends TaskName, const Kind extends ObservationKind = 'rgb'>(
  name: Name,
  options: OptionsOfKind<Name, Kind> = {} as OptionsOfKind<Name, Kind>,
): MiniWorldEnv<ObservationOfTask<Name, Kind>> {
  if (!Object.hasOwn(SUITE, name)) {
    throw new GymError(`Unknown world "${String(name)}".`, {
      code: 'UNKNOWN_WORLD',
      value: name,
      expected: Object.keys(SUITE).join(', '),
    });
  }
  const names = TASK_OPTIONS[name];
  const taskOptions: Record<string, unknown> = {};
  const envOptions: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(optionsObject(options))) {
    (names.includes(key) ? taskOptions : envOptions)[key] = value;
  }
  checkedOptions(envOptions, names); // before the task's checks, because the error for an unknown name lists all names
  const build = SUITE[name] as (options: Record<string, unknown>) => Task;
  return new MiniWorldEnv<ObservationOfTask<Name, Kind>>(build(taskOptions), envOptions);
}
