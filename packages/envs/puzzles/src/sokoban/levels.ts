/** Sizes of the levels, and their generators. */
import { PythonRandom, RandomState } from '@vlgym/core/random';
import type { Generators, RoomSize } from './generate.js';

const TWO_32 = 2 ** 32;

/** Both generators from one seed, as `random.seed` and `np.random.seed`. */
export const generatorsOf = (seed: number): Generators => ({
  python: new PythonRandom(seed),
  numpy: new RandomState(seed % TWO_32),
});

const medium = { rows: 10, columns: 10 } as const;
const small = { rows: 7, columns: 7, maxSteps: 200 } as const;
const large = { rows: 13, columns: 11, walk: 43, maxSteps: 300 } as const;

/** The sizes of mpSchrader/gym-sokoban, `gym_sokoban/envs/sokoban_env_variations.py`. */
export const SOKOBAN_LEVELS = {
  'Sokoban-v0': { ...medium, boxes: 3, maxSteps: 200 },
  'Sokoban-v1': { ...medium, boxes: 4, maxSteps: 120 },
  'Sokoban-v2': { ...medium, boxes: 5, walk: 40, maxSteps: 200 },
  'Sokoban-small-v0': { ...small, boxes: 2 },
  'Sokoban-small-v1': { ...small, boxes: 3 },
  'Sokoban-large-v0': { ...large, boxes: 3 },
} as const satisfies Readonly<Record<string, RoomSize & { readonly maxSteps: number }>>;
