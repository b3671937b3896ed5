/**
 * Sampling responses token by token: the inner loop of every rollout.
 *
 * One forward reads the prompts, then one per token reads the new column against the cache. Ended rows leave the batch
 * once they are a quarter of it, and waiting prompts take their places. Only the drawn tokens and their log-probs leave
 * the device. Draws are inverse-CDF with one `random()` per unfinished row and position, in the order of the rows
 * (`GenerateOptions.rng`): with one generator per row, a row depends on the others only through floating-point rounding.
 */
import type { BatchBuilder } from '../batch/batch-builder.js';
import type { TokenRow } from '../batch/token-rows.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { Decoding } from './decoding.js';
import type { Sampled, SamplingPlan } from './plan.js';

/**
 * The event loop gets a turn every N tokens, so that timers, signals and progress bars stay alive. Long forwards run
 * next to it (`SamplingPlan.asyncThreshold`).
 */
const TOKENS_PER_TURN = 8;

/**
 * One response per row.
 *
 * @throws {NonFiniteLogitsError}  The scores of the model are NaN or infinite.
 * @throws  The signal's reason, once it is aborted.
 */
export async function generate(
  model: ActorCritic,
  builder: BatchBuilder,
  rows: readonly TokenRow[],
  plan: SamplingPlan,
): Promise<Sampled[]> {
  if (rows.length === 0) return [];
  plan.signal?.throwIfAborted();
  const decoding = await Decoding.open(model, builder, rows, plan);
  try {
    for (let position = 0; ; position += 1) {
      decoding.draw();
      if (decoding.isDone && !decoding.canAdmit) break;
      if (position % TOKENS_PER_TURN === TOKENS_PER_TURN - 1) {
        await new Promise((resolve) => setImmediate(resolve));
        plan.signal?.throwIfAborted();
      }
      const reading = decoding.isDone ? undefined : decoding.read();
      if (reading) await reading;
      if (decoding.canAdmit) await decoding.admit();
    }
    return decoding.results();
  } finally {
    decoding.dispose();
  }
}
