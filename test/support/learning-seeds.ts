const { VLGYM_LEARNING_SEEDS } = process.env;
const count = Number(VLGYM_LEARNING_SEEDS ?? 1);
if (!(Number.isInteger(count) && count >= 1))
  throw new Error(`VLGYM_LEARNING_SEEDS is "${VLGYM_LEARNING_SEEDS}", not a number of seeds`);

/**
 * Seeds of a learning test. The suite takes one: 1 and 2 in turn, so that every algorithm meets both on its two tasks.
 * `VLGYM_LEARNING_SEEDS=5` takes the first five in each test.
 *
 * @param turn  The number of the test.
 */
export function learningSeeds(turn: number): readonly number[] {
  return VLGYM_LEARNING_SEEDS === undefined ? [1 + (turn % 2)] : Array.from({ length: count }, (_, i) => i + 1);
}
