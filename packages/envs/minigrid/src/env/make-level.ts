/** Makes an environment of the suite without wrappers and without the registry. */
import { GymError } from '@vlgym/core';
import { closest } from '@vlgym/core/registry';
import { LEVELS, type LevelId } from '../suite.js';
import { MiniGridEnv } from './minigrid-env.js';
import type { ObservationOfKind } from './observations.js';
import type { MiniGridOptions, ObservationKind } from './options.js';

/**
 * @example
 * const env = createMiniGrid('MiniGrid-DoorKey-8x8-v0', { observation: 'image', tileSize: 16 });
 *
 * @throws {GymError}  `UNKNOWN_LEVEL`.
 */
export function createMiniGrid<const Kind extends ObservationKind = 'symbolic'>(
  id: LevelId,
  options: MiniGridOptions & { readonly observation?: Kind | undefined } = {},
): MiniGridEnv<ObservationOfKind<Kind>> {
  if (!Object.hasOwn(LEVELS, id)) {
    const near = closest(String(id), Object.keys(LEVELS));
    throw new GymError(`Unknown level "${String(id)}".`, {
      code: 'UNKNOWN_LEVEL',
      value: id,
      expected: 'an id of MiniGrid or BabyAI, such as "MiniGrid-DoorKey-8x8-v0"',
      hint: near ? `did you mean "${near}"?` : undefined,
    });
  }
  return new MiniGridEnv<ObservationOfKind<Kind>>(id, LEVELS[id](), options);
}
