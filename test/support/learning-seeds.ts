const { VLGYM_LEARNING_SEEDS = '2' } = process.env;

/** Seeds of each learning test: 1, 2, ... The suite takes two; `VLGYM_LEARNING_SEEDS=5` takes five. */
export const LEARNING_SEEDS: readonly number[] = Array.from({ length: Number(VLGYM_LEARNING_SEEDS) }, (_, i) => i + 1);
if (LEARNING_SEEDS.length === 0)
  throw new Error(`VLGYM_LEARNING_SEEDS is "${VLGYM_LEARNING_SEEDS}", not a number of seeds`);
