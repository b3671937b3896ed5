import type { Tensor } from '@vlgym/gpu';
import type { LanguageModel } from '../language-model.js';
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
