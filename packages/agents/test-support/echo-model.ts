/** A token model without weights: one token per character, a random choice between two responses. */
import { type ChatMessage, messageText } from '@vlgym/core';
import { type Completion, type GenerateOptions, rowGenerators, type TokenModel } from '../src/model/index.js';

export interface EchoModel extends TokenModel {
  /** Rows of each call of `generate`. */
  readonly batches: number[];
  readonly prompts: (readonly ChatMessage[])[];
}

export function echoModel(): EchoModel {
  const batches: number[] = [];
  const prompts: (readonly ChatMessage[])[] = [];
  return {
    name: 'echo',
    version: 7,
    batches,
    prompts,
    async generate(asked: readonly (readonly ChatMessage[])[], { rng }: GenerateOptions): Promise<Completion[]> {
      batches.push(asked.length);
      prompts.push(...asked);
      const generators = rowGenerators(rng, asked.length);
      return asked.map((messages, row) => {
        const action = generators[row]!.random() < 0.7 ? 'right' : 'left';
        return completion(`{"thoughts": "${messages.length} messages", "action": "${action}"}`, messages);
      });
    },
  };
}

function completion(text: string, messages: readonly ChatMessage[]): Completion {
  const length = text.length + 1;
  return {
    text,
    tokenIds: Int32Array.from([...text, '\0'], (character) => character.codePointAt(0)!),
    logProbs: new Float32Array(length),
    behaviorLogProbs: new Float32Array(length),
    tokenEnds: Int32Array.from({ length }, (_, index) => Math.min(index + 1, text.length)),
    finishReason: 'stop',
    promptTokenIds: new Int32Array(messages.map(messageText).join('').length),
    value: 0.5,
  };
}
