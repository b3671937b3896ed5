import type { Tensor } from '@vlgym/gpu';
import type { LanguageModel } from '../language-model.js';
import { inTurns } from '../layers/steps.js';
import type { TokenBatch } from './batch-builder.js';

/**
 * `model.embed`, with turns of the event loop between the layers of the vision encoder where the family can.
 *
 * @param within  Puts weights in place for the time of one call.
 */
export async function embedInTurns(
  model: LanguageModel,
  { ids, images }: Pick<TokenBatch, 'ids' | 'images'>,
  within: <T>(compute: () => T) => T,
): Promise<Tensor> {
  if (!model.embedSteps) return within(() => model.embed(ids, images));
  return inTurns(model.embedSteps(ids, images), within);
}
