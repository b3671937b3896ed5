/** A draw that led nowhere. BabyAI's levels draw again; the others report it, as the original does. */
import { GymError } from '@vlgym/core';

/** No free place, no way to connect rooms, or a mission that the level refuses. */
export class GenerationError extends GymError {
  constructor(reason: string) {
    super(`The world could not be generated: ${reason}.`, {
      code: 'GENERATION_FAILED',
      value: reason,
      expected: 'a free place for everything within the number of tries of the original',
      hint: 'reset again without a seed, or with another seed',
    });
  }
}
