/** An episode as JSON data, and the checks of such data before it is restored. */
import { generatorState, savedCount } from '@vlgym/core';
import { z } from 'zod';
import { SnapshotError } from '../world/errors.js';
import { MAX_SPAWNED } from '../world/world.js';

/** Maximum coordinate in meters and maximum direction in radians; larger values mean damaged data. */
const MAX_COORDINATE = 1e6;
/** Maximum number of entities of a restored world. */
const MAX_ENTITIES = 100_000;

const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
/** An entity in a snapshot. `built` is its index in the list of entities when the world was built,
 * continued by the spawned ones. */
const savedEntity = z.strictObject({
  built: savedCount,
  x: coordinate,
  y: coordinate,
  z: coordinate,
  direction: coordinate,
  own: z.unknown(),
});

export type SavedEntity = z.output<typeof savedEntity>;

export const SAVED_EPISODE = z.strictObject({
  /** Everything that the world depends on besides the generator: options of the task, parameters, the step limit. */
  options: z.record(z.string(), z.unknown()),
  /** The generator before the world was built, from which building again gives the same rooms and entities. */
  start: generatorState,
  now: generatorState,
  stepCount: savedCount,
  /** Entities added during the episode, in order; their indices follow those of the built entities. */
  spawned: z
    .array(z.strictObject({ kind: z.string(), data: z.unknown() }))
    .max(MAX_SPAWNED)
    .optional(),
  entities: z.array(savedEntity).max(MAX_ENTITIES),
  carrying: savedCount.nullable(),
  rules: z.record(z.string(), z.unknown()).nullable(),
});

export type SavedEpisode = z.output<typeof SAVED_EPISODE>;

/**
 * Refuses an episode of a world with other options.
 *
 * @param options  Options of the world into which the episode is restored.
 * @throws {SnapshotError}
 */
export function checkSameOptions(saved: SavedEpisode['options'], options: SavedEpisode['options']): void {
  for (const name of new Set([...Object.keys(options), ...Object.keys(saved)])) {
    if (JSON.stringify(saved[name]) === JSON.stringify(options[name])) continue;
    throw new SnapshotError(
      `The snapshot's world has a different \`${name}\`.`,
      saved[name],
      `${JSON.stringify(options[name])}, the value of this environment`,
      'restore into an environment created with the same options',
    );
  }
}

/**
 * The state of a task's rules has no schema, so its structure is compared with that of a newly built world.
 *
 * @throws {SnapshotError}
 */
export function checkLike(built: unknown, saved: unknown, path: string): void {
  const refuse = (expected: string): never => {
    throw new SnapshotError(`Invalid ${path} in the snapshot.`, saved, expected);
  };
  if (typeof built === 'number') {
    if (!(typeof saved === 'number' && Math.abs(saved) <= MAX_NUMBER)) refuse(`a number of at most ${MAX_NUMBER}`);
  } else if (Array.isArray(built)) {
    if (!Array.isArray(saved)) refuse('a list');
    if (built.length > 0) for (const part of saved as unknown[]) checkLike(built[0], part, path);
  } else if (typeof built === 'object' && built !== null) {
    const isObject = typeof saved === 'object' && saved !== null && !Array.isArray(saved);
    const names = Object.keys(built).sort();
    if (!isObject || Object.keys(saved).sort().join() !== names.join()) refuse(`an object with ${names.join(', ')}`);
    for (const name of names)
      checkLike(Reflect.get(built, name), Reflect.get(saved as object, name), `${path}.${name}`);
  } else if (built !== null && built !== undefined && typeof saved !== typeof built) {
    refuse(`a ${typeof built}`);
  }
}

const MAX_NUMBER = 1e9;
