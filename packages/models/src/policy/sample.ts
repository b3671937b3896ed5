/** Responses of a policy: one per input, in as few batches as their generators allow. */
import { type Completion, rowGenerators } from '@vlgym/agents';
import { InvalidOptionError } from '@vlgym/core';
import { tidy } from '@vlgym/gpu';
import type { ModelInput, Policy } from '@vlgym/rl';
import { generate } from '../sampling/generate.js';
import { logitOptions } from '../sampling/process-logits.js';
import type { PolicyParts } from './forward.js';

export type SampleOptions = Parameters<Policy['sample']>[1];
export type ValuedCompletion = Completion & { readonly value: number };

/** Rows that decode together when each has its own generator. */
const ROWS_PER_DECODING = 128;

/**
 * With one generator for all rows they decode as one batch; with a generator per row, in batches of 128.
 *
 * @throws {InvalidOptionError} `maxNewTokens` or an option of the distribution is out of range.
 */
export async function sampleResponses(
  { network, prompts, builder, sets, turns }: PolicyParts,
  inputs: readonly ModelInput[],
  options: SampleOptions,
): Promise<ValuedCompletion[]> {
  const { maxNewTokens = 256, rng, signal, weights = 'current' } = options;
  if (!(Number.isInteger(maxNewTokens) && maxNewTokens >= 1)) {
    throw new InvalidOptionError('maxNewTokens', maxNewTokens, 'a whole number of at least 1');
  }
  const logits = logitOptions(options);
  const generators = rowGenerators(rng, inputs.length);
  const rowsAtOnce = new Set(generators).size === generators.length ? ROWS_PER_DECODING : inputs.length;
  const run = <T>(compute: () => T): T => sets.use(weights, () => tidy(compute));
  const completions: ValuedCompletion[] = [];
  for (let start = 0; start < inputs.length; start += rowsAtOnce) {
    const rows = inputs.slice(start, start + rowsAtOnce);
    const plan = {
      logits,
      maxNewTokens,
      endTokens: prompts.endTokens,
      generators: generators.slice(start, start + rowsAtOnce),
      signal,
      run,
    };
    const sampled = await turns.run(() => sets.holding(weights, () => generate(network, builder, rows, plan)));
    for (const [i, response] of sampled.entries()) {
      const { promptIds } = rows[i]!;
      completions.push({ ...response, ...prompts.decode(response.tokenIds), promptTokenIds: promptIds });
    }
  }
  return completions;
}
