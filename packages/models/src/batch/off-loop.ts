/** Parts of a forward that leave the event loop free. */
import type { Tensor } from '@vlgym/gpu';
import type { ForwardContext, LanguageModel } from '../language-model.js';
import { inTurns } from '../layers/steps.js';
import type { TokenBatch } from './batch-builder.js';

/**
 * `model.embed`, with turns of the event loop between its steps.
 *
 * @param within  Puts weights in place for the time of one call.
 */
export function embedInTurns(
  model: LanguageModel,
  { ids, images }: Pick<TokenBatch, 'ids' | 'images'>,
  within: <T>(compute: () => T) => T,
): Promise<Tensor> {
  return inTurns(model.embed(ids, images), within);
}

/** `model.forward`, on the native thread where the family can; weights and recording of gradients are those at the call. */
export async function forwardOffLoop(
  model: LanguageModel,
  embeddings: Tensor,
  context: ForwardContext,
): Promise<Tensor> {
  return model.forwardAsync?.(embeddings, context) ?? model.forward(embeddings, context);
}
