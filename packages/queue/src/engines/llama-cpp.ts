/**
 * llama.cpp's server, for evaluation on small machines: `POST /completion`.
 *
 * Pictures are taken with text prompts only, and adapters cannot be changed while it runs, so it does not serve training.
 * Its defaults are not neutral (temperature 0.8, top-k 40, top-p 0.95): everything is sent.
 *
 * It gives no probability for a token after which a character is unfinished (one of several tokens, as emoji are): `tokens`
 * has them all, `completion_probabilities` leaves those out.
 */
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { z } from 'zod';
import type { Engine, EngineRequest, EngineResponse } from './engine.js';
import { EngineAnswerError } from './errors.js';
import { HttpClient, type HttpOptions } from './http.js';

const answerSchema = z.object({
  tokens: z.array(z.number().int().nonnegative()),
  stop_type: z.enum(['eos', 'word', 'limit', 'none']).optional(),
  completion_probabilities: z
    .array(
      z.object({ id: z.number(), prob: z.number(), top_probs: z.array(z.object({ prob: z.number() })).optional() }),
    )
    .optional(),
});
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

const LLAMA_CPP_ENGINE_OPTIONS = names<HttpOptions>({ url: 0, apiKey: 0, limitMs: 0 });

export class LlamaCppEngine implements Engine {
  readonly name: string;
  readonly canTrain = false;
  readonly #http: HttpClient;

  constructor(options: HttpOptions) {
    checkNames('options', options, LLAMA_CPP_ENGINE_OPTIONS);
    this.name = `llama.cpp ${options.url}`;
    this.#http = new HttpClient(this.name, options);
  }

  async generate(request: EngineRequest, signal: AbortSignal): Promise<EngineResponse> {
    const parsed = answerSchema.safeParse(await this.#http.json('POST', '/completion', llamaBody(request), signal));
    if (!parsed.success) throw new EngineAnswerError(this.name, z.prettifyError(parsed.error).split('\n')[0]!);
    const { tokens: all, stop_type: stopped, completion_probabilities: given = [] } = parsed.data;
    if (all.length === 0) throw new EngineAnswerError(this.name, 'a response without tokens');
    const placed = placeProbabilities(all, given);
    if (!placed) throw new EngineAnswerError(this.name, 'probabilities of tokens that were not sampled');
    // the server stops at the ends that its model file names, which may be fewer than those of the request
    const end = all.findIndex((id) => request.stopTokenIds.includes(id)) + 1;
    const tokens = end > 0 ? all.slice(0, end) : all;
    return {
      tokenIds: Int32Array.from(tokens),
      behaviorLogProbs: Float32Array.from(tokens, (_, index) => Math.log(placed[index]?.prob ?? Number.NaN)),
      finishReason: end === 0 && stopped === 'limit' ? 'length' : 'stop',
      versions: [{ version: request.model, start: 0, end: tokens.length }],
      ...(request.alternatives && {
        alternatives: tokens.map((_, index) => (placed[index]?.top_probs ?? []).map(({ prob }) => Math.log(prob))),
      }),
    };
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.#http.text('GET', '/health', undefined, signal);
  }

  async models(signal: AbortSignal) {
    const parsed = modelsSchema.safeParse(await this.#http.json('GET', '/v1/models', undefined, signal));
    if (!parsed.success) throw new EngineAnswerError(this.name, 'an invalid list of models');
    return parsed.data.data.map(({ id }) => ({ name: id }));
  }
}

/**
 * The probability of every token that has one; undefined if they are of other tokens.
 *
 * From the end: of the tokens of one character it is the last that has a probability.
 */
function placeProbabilities<P extends { readonly id: number }>(
  tokens: readonly number[],
  given: readonly P[],
): (P | undefined)[] | undefined {
  let next = given.length - 1;
  const placed = tokens.toReversed().map((id) => (given[next]?.id === id ? given[next--] : undefined));
  return next < 0 ? placed.toReversed() : undefined;
}

function llamaBody(request: EngineRequest): unknown {
  const { promptIds, images, maxNewTokens, temperature, topK, topP, seed, choice, alternatives = 0 } = request;
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
    n_probs: Math.max(1, alternatives),
    post_sampling_probs: true,
    return_tokens: true,
    // a cached prefix changes the numbers with the history of the server
    cache_prompt: false,
    ...(choice && { grammar: `root ::= ${choice.map(grammarText).join(' | ')}` }),
  };
}

/** A text as a terminal of GBNF, the grammars that llama.cpp reads. */
function grammarText(text: string): string {
  const escaped = (character: string) => {
    const code = character.codePointAt(0)!;
    if (character === '"' || character === '\\') return `\\${character}`;
    return code < 0x20 ? `\\x${code.toString(16).padStart(2, '0')}` : character;
  };
  return `"${Array.from(text, escaped).join('')}"`;
}
