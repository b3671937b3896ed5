/** An episode as JSON data, and the checks that such data has to pass before it becomes an episode again. */
import type { GeneratorState } from '@vlgym/core';
import { SnapshotError } from '../world/errors.js';

/** An entity in a snapshot: `built` is its place in the list as the world was built. */
export interface SavedEntity {
  readonly built: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly direction: number;
  readonly own: unknown;
}

export interface SavedEpisode {
  /** What the world is made from beside the generator: options of the task, parameters, the limit of steps. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Before the world was built: building again gives the same rooms and entities. */
  readonly start: GeneratorState;
  readonly now: GeneratorState;
  readonly stepCount: number;
  readonly entities: readonly SavedEntity[];
  readonly carrying: number | null;
  readonly rules: Readonly<Record<string, unknown>> | null;
}

/**
 * Checks all that needs no world; generators check their own states.
 *
 * @param options  Of the world that the episode is to go on in.
 * @throws {SnapshotError}
 */
export function checkedEpisode(saved: unknown, options: SavedEpisode['options']): SavedEpisode {
  const episode = record('episode', saved);
  const made = record('options', episode.options);
  for (const name of new Set([...Object.keys(options), ...Object.keys(made)])) {
    if (JSON.stringify(made[name]) === JSON.stringify(options[name])) continue;
    throw new SnapshotError(
      `The snapshot is of a world with another \`${name}\`.`,
      made[name],
      `${JSON.stringify(options[name])}, as here`,
      'restore into an environment made with the same options',
    );
  }
  const { stepCount, entities, carrying, rules } = episode;
  check('stepCount', stepCount, isIndex(stepCount), 'a whole number');
  check('entities', entities, Array.isArray(entities), 'a list');
  for (const entity of entities as unknown[]) {
    const { built, x, y, z, direction } = record('entity', entity);
    check('entity', entity, isIndex(built), 'its place in the list as `built`');
    check('entity', entity, [x, y, z, direction].every(Number.isFinite), 'finite x, y, z and direction');
  }
  check('carrying', carrying, carrying === null || isIndex(carrying), 'null, or a place in the list of entities');
  if (rules !== null) record('rules', rules);
  return episode as unknown as SavedEpisode;
}

/** @throws {SnapshotError} It is no object. */
export function record(part: string, value: unknown): Record<string, unknown> {
  check(part, value, typeof value === 'object' && value !== null && !Array.isArray(value), 'an object');
  return value as Record<string, unknown>;
}

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function check(part: string, value: unknown, sound: boolean, expected: string): void {
  if (!sound) throw new SnapshotError(`The snapshot has an unsound part: ${part}.`, value, expected);
}
