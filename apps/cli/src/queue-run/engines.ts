/** Serving engines by address, and the tokens of the model they serve. */
import { GymError } from '@vlgym/core';
import type { Engine } from '@vlgym/queue/engines';
import { loadQueue } from '../load-queue.js';

/** Bearer token of the servers; never sent to an address that came from the network. */
export const samplerKey = (): string | undefined => process.env.VLGYM_SAMPLER_KEY;

export async function enginesOf(
  kind: 'vllm' | 'sglang',
  urls: readonly string[],
  apiKey: string | undefined,
): Promise<Engine[]> {
  const { SglangEngine, VllmEngine } = await loadQueue();
  return urls.map((url) => (kind === 'vllm' ? new VllmEngine({ url, apiKey }) : new SglangEngine({ url, apiKey })));
}

/** Two processes would make other ids of the same text. */
export class TokenizerDiffersError extends GymError {
  constructor(found: string, expected: string) {
    super('The tokenizer of this worker is not that of the run.', {
      code: 'TOKENIZER_DIFFERS',
      value: found,
      expected,
      hint: 'give the model folder that the learner trains, with --model FOLDER, and the same version of vlgym',
    });
  }
}
