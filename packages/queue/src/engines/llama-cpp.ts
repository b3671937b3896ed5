/**
 * llama.cpp's server, for evaluation on small machines: `POST /completion`.
 *
 * Pictures are taken with text prompts only, and adapters cannot be changed while it runs, so it does not serve training.
 * Its defaults are not neutral (temperature 0.8, top-k 40, top-p 0.95): everything is sent.
 */
import { GymError } from '@vlgym/core';
import { z } from 'zod';
import type { Engine, EngineRequest, EngineResponse } from './engine.js';
import { EngineAnswerError } from './errors.js';
import { HttpClient, type HttpOptions } from './http.js';

const answerSchema = z.object({
  tokens: z.array(z.number().int().nonnegative()),
  stop_type: z.enum(['eos', 'word', 'limit', 'none']).optional(),
  completion_probabilities: z.array(z.object({ id: z.number(), prob: z.number() })).optional(),
});
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

export class LlamaCppEngine implements Engine {
  readonly name: string;
  readonly canTrain = false;
  readonly #http: HttpClient;

  constructor(options: HttpOptions) {
    this.name = `llama.cpp ${options.url}`;
    this.#http = new HttpClient(this.name, options);
  }

  async generate(request: EngineRequest, signal: AbortSignal): Promise<EngineResponse> {
    const parsed = answerSchema.safeParse(await this.#http.json('POST', '/completion', llamaBody(request), signal));
    if (!parsed.success) throw new EngineAnswerError(this.name, z.prettifyError(parsed.error).split('\n')[0]!);
    const { tokens, stop_type: stopped, completion_probabilities: probabilities = [] } = parsed.data;
    if (tokens.length === 0) throw new EngineAnswerError(this.name, 'a response without tokens');
    if (probabilities.length !== tokens.length || probabilities.some(({ id }, index) => id !== tokens[index]))
      throw new EngineAnswerError(this.name, 'probabilities of other tokens than those sampled');
    return {
      tokenIds: Int32Array.from(tokens),
      behaviorLogProbs: Float32Array.from(probabilities, ({ prob }) => Math.log(prob)),
      finishReason: stopped === 'limit' ? 'length' : 'stop',
      versions: [{ version: request.model, start: 0, end: tokens.length }],
    };
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.#http.text('GET', '/health', undefined, signal);
  }

  async models(signal: AbortSignal) {
    const parsed = modelsSchema.safeParse(await this.#http.json('GET', '/v1/models', undefined, signal));
    if (!parsed.success) throw new EngineAnswerError(this.name, 'a list of models of another shape');
    return parsed.data.data.map(({ id }) => ({ name: id }));
  }
}

function llamaBody({ promptIds, images, maxNewTokens, temperature, topK, topP, seed }: EngineRequest): unknown {
  if (images.length > 0) {
    throw new GymError('llama.cpp takes pictures with text prompts only.', {
      code: 'INVALID_OPTION',
      value: images.length,
      expected: 'a prompt without pictures',
      hint: 'use vLLM or SGLang for pictures',
    });
  }
  return {
    prompt: Array.from(promptIds),
    n_predict: maxNewTokens,
    temperature,
    top_k: topK,
    top_p: topP,
    min_p: 0,
    repeat_penalty: 1,
    seed,
    n_probs: 1,
    post_sampling_probs: true,
    return_tokens: true,
    // a cached prefix changes the numbers with the history of the server
    cache_prompt: false,
  };
}
