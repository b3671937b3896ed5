/** A sampler of two words, drawn from the generators that it is given: equal orders give equal episodes everywhere. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type GenerateOptions, rowGenerators } from '@vlgym/agents/model';
import { type ChatMessage, messageText } from '@vlgym/core';
import { composeConfig, type ModelInput } from '@vlgym/rl';
import { type CommonConfig, commonOptions } from '@vlgym/rl/config';
import type { RolloutSampler } from '@vlgym/rl/rollout';
import { z } from 'zod';

/** Probability of the word that brings CountingEnv closer to its end. */
const SHARE = 0.7;

const codes = (text: string) => Int32Array.from(text, (letter) => letter.charCodeAt(0));

export class WordSampler implements RolloutSampler {
  version = 0;

  /** @param delayMs  How long a response takes, as if a server answered. */
  constructor(readonly delayMs = 0) {}

  encode(messages: readonly ChatMessage[]): ModelInput {
    return { promptIds: codes(messages.map(messageText).join('\n')), images: [] };
  }

  async sample(inputs: readonly ModelInput[], { rng, signal }: GenerateOptions) {
    if (this.delayMs > 0) await sleep(this.delayMs, undefined, signal ? { signal } : {});
    const generators = rowGenerators(rng, inputs.length);
    return inputs.map(({ promptIds }, row) => {
      const isCount = generators[row]!.random() < SHARE;
      const text = isCount ? 'count' : 'stay';
      const behaviorLogProbs = new Float32Array(text.length);
      behaviorLogProbs[0] = Math.log(isCount ? SHARE : 1 - SHARE);
      return {
        text,
        tokenIds: codes(text),
        behaviorLogProbs,
        tokenEnds: Int32Array.from(text, (_, index) => index + 1),
        finishReason: 'stop' as const,
        promptTokenIds: promptIds,
      };
    });
  }
}

export const config: Pick<CommonConfig, 'rollout' | 'reward'> = composeConfig(z.strictObject(commonOptions), {});
