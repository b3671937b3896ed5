/**
 * SGLang, by ids: `POST /generate` with `input_ids` and `image_data`.
 *
 * Its log-probs are those at the sampling temperature before cuts, so top-k and top-p are refused here: the cut
 * distribution would be unknown. Facts are those of SGLang 0.5.23; `test/engines.test.ts` pins the shapes.
 */
import { GymError } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { checkNames, names } from '@vlgym/core/internal';
import { z } from 'zod';
import type { Engine, EngineRequest, EngineResponse } from './engine.js';
import { EngineAnswerError } from './errors.js';
import { HttpClient, type HttpOptions } from './http.js';
import { collapseImages } from './prompt-ids.js';
import { versionsOf } from './vllm.js';

const count = z.number().int().nonnegative();
const answerSchema = z.object({
  output_ids: z.array(count),
  prompt_token_ids: z.array(count).nullish(),
  meta_info: z.object({
    finish_reason: z.object({ type: z.enum(['stop', 'length']) }),
    output_token_logprobs: z.array(z.tuple([z.number(), count]).rest(z.unknown())),
    output_top_logprobs: z.array(z.array(z.tuple([z.number(), count]).rest(z.unknown()))).nullish(),
    weight_version: z.string().nullish(),
    weight_versions: z.array(z.object({ version: z.string(), start: count, end: count })).nullish(),
    prompt_token_ids: z.array(count).nullish(),
  }),
});
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string(), root: z.string().nullish() })) });

const SGLANG_ENGINE_OPTIONS = names<HttpOptions>({ url: 0, apiKey: 0, limitMs: 0 });

export class SglangEngine implements Engine {
  readonly name: string;
  readonly canTrain = true;
  readonly #http: HttpClient;

  constructor(options: HttpOptions) {
    checkNames('options', options, SGLANG_ENGINE_OPTIONS);
    this.name = `sglang ${options.url}`;
    this.#http = new HttpClient(this.name, options);
  }

  async generate(request: EngineRequest, signal: AbortSignal): Promise<EngineResponse> {
    const parsed = answerSchema.safeParse(await this.#http.json('POST', '/generate', sglangBody(request), signal));
    if (!parsed.success) throw new EngineAnswerError(this.name, z.prettifyError(parsed.error).split('\n')[0]!);
    const { output_ids: ids, meta_info: meta, prompt_token_ids: outer } = parsed.data;
    const logProbs = meta.output_token_logprobs;
    if (ids.length === 0) throw new EngineAnswerError(this.name, 'a response without tokens');
    if (logProbs.length !== ids.length || logProbs.some(([, id], index) => id !== ids[index]))
      throw new EngineAnswerError(this.name, 'log-probs of tokens that were not sampled');
    const label = meta.weight_version;
    const whole = label ? [{ version: label, start: 0, end: ids.length }] : undefined;
    const promptIds = meta.prompt_token_ids ?? outer;
    return {
      tokenIds: Int32Array.from(ids),
      behaviorLogProbs: Float32Array.from(logProbs, ([logProb]) => logProb),
      finishReason: meta.finish_reason.type,
      versions: versionsOf(request.model, meta.weight_versions ?? whole, ids.length),
      ...(promptIds && { promptIds: Int32Array.from(promptIds) }),
      ...(request.alternatives && {
        alternatives: (meta.output_top_logprobs ?? []).map((top) => top.map(([logProb]) => logProb)),
      }),
    };
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.#http.text('GET', '/health', undefined, signal);
  }

  async models(signal: AbortSignal) {
    const parsed = modelsSchema.safeParse(await this.#http.json('GET', '/v1/models', undefined, signal));
    if (!parsed.success) throw new EngineAnswerError(this.name, 'an invalid list of models');
    return parsed.data.data.map(({ id, root }) => ({ name: id, ...(root && { path: root }) }));
  }

  async loadAdapter(name: string, path: string, signal: AbortSignal): Promise<void> {
    await this.#http.text('POST', '/load_lora_adapter', { lora_name: name, lora_path: path }, signal);
  }

  async unloadAdapter(name: string, signal: AbortSignal): Promise<void> {
    await this.#http.text('POST', '/unload_lora_adapter', { lora_name: name }, signal);
  }
}

function sglangBody(request: EngineRequest): unknown {
  const { requestId, model, promptIds, images, imageToken, topK, topP, choice, alternatives = 0 } = request;
  if (topK !== 0 || topP !== 1) {
    throw new GymError('SGLang gives log-probs before top-k and top-p.', {
      code: 'INVALID_OPTION',
      value: { topK, topP },
      expected: 'topK 0 and topP 1',
      hint: 'sample without cuts, or from vLLM with --logprobs-mode processed_logprobs',
    });
  }
  return {
    rid: requestId,
    input_ids: collapseImages(promptIds, imageToken, images.length),
    ...(images.length > 0 && { image_data: images.map((image) => Buffer.from(encodePng(image)).toString('base64')) }),
    sampling_params: {
      max_new_tokens: request.maxNewTokens,
      temperature: request.temperature,
      top_p: topP,
      top_k: -1,
      min_p: 0,
      repetition_penalty: 1,
      stop_token_ids: request.stopTokenIds,
      sampling_seed: request.seed,
      ...(choice && { regex: `(${choice.map(escapeRegExp).join('|')})` }),
    },
    return_logprob: true,
    logprob_start_len: -1,
    top_logprobs_num: alternatives,
    return_prompt_token_ids: true,
    lora_path: model,
    stream: false,
  };
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
