/** An episode as JSON data, and the checks that such data has to pass before it becomes an episode again. */
import { generatorState, savedCount } from '@vlgym/core';
import { z } from 'zod';
import { SnapshotError } from '../world/errors.js';

/** Meters, and radians: beyond these a world is damaged, and sums lose their meaning. */
const FARTHEST = 1e6;
/** Most entities of a world that is restored. */
const MAX_ENTITIES = 100_000;

const place = z.number().min(-FARTHEST).max(FARTHEST);
/** An entity in a snapshot: `built` is its place in the list as the world was built. */
const savedEntity = z.strictObject({
  built: savedCount,
  x: place,
  y: place,
  z: place,
  direction: place,
  own: z.unknown(),
});

export type SavedEntity = z.output<typeof savedEntity>;

export const SAVED_EPISODE = z.strictObject({
  /** What the world is made from beside the generator: options of the task, parameters, the limit of steps. */
  options: z.record(z.string(), z.unknown()),
  /** Before the world was built: building again gives the same rooms and entities. */
  start: generatorState,
  now: generatorState,
  stepCount: savedCount,
  entities: z.array(savedEntity).max(MAX_ENTITIES),
  carrying: savedCount.nullable(),
  rules: z.record(z.string(), z.unknown()).nullable(),
});

export type SavedEpisode = z.output<typeof SAVED_EPISODE>;

/**
 * Refuses an episode of a world that was made otherwise.
 *
 * @param options  Options of the world that the episode is to go on in.
 * @throws {SnapshotError}
 */
export function checkMadeAlike(made: SavedEpisode['options'], options: SavedEpisode['options']): void {
  for (const name of new Set([...Object.keys(options), ...Object.keys(made)])) {
    if (JSON.stringify(made[name]) === JSON.stringify(options[name])) continue;
    throw new SnapshotError(
      `The snapshot is of a world with another \`${name}\`.`,
      made[name],
      `${JSON.stringify(options[name])}, as here`,
      'restore into an environment made with the same options',
    );
  }
}

/**
 * What a task keeps of its own has no schema: it must look like what the world just built keeps, name by name.
 *
 * @throws {SnapshotError}
 */
export function checkLike(built: unknown, saved: unknown, path: string): void {
  const refuse = (expected: string): never => {
    throw new SnapshotError(`The snapshot has an unsound part: ${path}.`, saved, expected);
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
