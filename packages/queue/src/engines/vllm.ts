/**
 * vLLM, by ids: `POST /inference/v1/generate` of a server started with `--enable-scale-out`.
 *
 * Every sampling parameter is sent: what is left out is filled from the model's `generation_config.json`, silently. Facts
 * are those of vLLM 0.33.0; `test/engines.test.ts` pins the shapes.
 */
import type { TokenVersions } from '@vlgym/agents/model';
import { encodePng, hashImage } from '@vlgym/core/images';
import { checkNames, names } from '@vlgym/core/internal';
import { z } from 'zod';
import type { Engine, EngineRequest, EngineResponse } from './engine.js';
import { EngineAnswerError } from './errors.js';
import { HttpClient, type HttpOptions } from './http.js';
import { collapseImages } from './prompt-ids.js';

const count = z.number().int().nonnegative();
const answerSchema = z.object({
  prompt_token_ids: z.array(count).nullish(),
  choices: z
    .array(
      z.object({
        token_ids: z.array(count),
        finish_reason: z.enum(['stop', 'length']),
        logprobs: z.object({
          content: z.array(
            z.object({
              token_id: count.optional(),
              logprob: z.number(),
              top_logprobs: z.array(z.object({ logprob: z.number() })).nullish(),
            }),
          ),
        }),
        weight_versions: z.array(z.object({ version: z.string(), start: count, end: count })).nullish(),
      }),
    )
    .length(1),
});
const modelsSchema = z.object({
  data: z.array(z.object({ id: z.string(), root: z.string().nullish(), parent: z.string().nullish() })),
});

/** Label of base weights that nobody has updated. */
const UNLABELED = 'default';

const VLLM_ENGINE_OPTIONS = names<HttpOptions>({ url: 0, apiKey: 0, limitMs: 0 });

export class VllmEngine implements Engine {
  readonly name: string;
  readonly canTrain = true;
  readonly #http: HttpClient;

  constructor(options: HttpOptions) {
    checkNames('options', options, VLLM_ENGINE_OPTIONS);
    this.name = `vllm ${options.url}`;
    this.#http = new HttpClient(this.name, options);
  }

  async generate(request: EngineRequest, signal: AbortSignal): Promise<EngineResponse> {
    const answer = await this.#http.json('POST', '/inference/v1/generate', vllmBody(request), signal);
    const parsed = answerSchema.safeParse(answer);
    if (!parsed.success) throw new EngineAnswerError(this.name, z.prettifyError(parsed.error).split('\n')[0]!);
    const [choice] = parsed.data.choices;
    const { token_ids: ids, finish_reason: finishReason, logprobs, weight_versions: spans } = choice!;
    const { content } = logprobs;
    if (ids.length === 0) throw new EngineAnswerError(this.name, 'a response without tokens');
    if (
      content.length !== ids.length ||
      content.some(({ token_id }, i) => token_id !== undefined && token_id !== ids[i])
    )
      throw new EngineAnswerError(this.name, 'log-probs of tokens that were not sampled');
    const promptIds = parsed.data.prompt_token_ids;
    const alternatives = content.map(({ top_logprobs: top }) => (top ?? []).map(({ logprob }) => logprob));
    return {
      tokenIds: Int32Array.from(ids),
      behaviorLogProbs: Float32Array.from(content, ({ logprob }) => logprob),
      finishReason,
      versions: versionsOf(request.model, spans ?? undefined, ids.length),
      ...(promptIds && { promptIds: Int32Array.from(promptIds) }),
      ...(request.alternatives && { alternatives }),
    };
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.#http.text('GET', '/health', undefined, signal);
  }

  async models(signal: AbortSignal) {
    const parsed = modelsSchema.safeParse(await this.#http.json('GET', '/v1/models', undefined, signal));
    if (!parsed.success) throw new EngineAnswerError(this.name, 'an invalid list of models');
    return parsed.data.data.map(({ id, root, parent }) => ({ name: id, ...(parent && root && { path: root }) }));
  }

  async loadAdapter(name: string, path: string, signal: AbortSignal): Promise<void> {
    // never in place: the prefix cache is kept by name and path, and would give answers of the old weights
    await this.#http.text('POST', '/v1/load_lora_adapter', { lora_name: name, lora_path: path }, signal);
  }

  async unloadAdapter(name: string, signal: AbortSignal): Promise<void> {
    await this.#http.text('POST', '/v1/unload_lora_adapter', { lora_name: name }, signal);
  }
}

function vllmBody(request: EngineRequest): unknown {
  const { requestId, model, promptIds, images, imageToken, choice, alternatives = 0 } = request;
  return {
    request_id: requestId,
    model,
    token_ids: collapseImages(promptIds, imageToken, images.length),
    ...(images.length > 0 && {
      content_parts: images.map((image) => ({
        type: 'image_url',
        url: `data:image/png;base64,${Buffer.from(encodePng(image)).toString('base64')}`,
        uuid: hashImage(image),
      })),
    }),
    sampling_params: {
      max_tokens: request.maxNewTokens,
      temperature: request.temperature,
      top_p: request.topP,
      top_k: request.topK === 0 ? -1 : request.topK,
      min_p: 0,
      repetition_penalty: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      seed: request.seed,
      logprobs: alternatives,
      stop_token_ids: request.stopTokenIds,
      // `guided_choice` and its kin are accepted and ignored (vllm-project/vllm#53975)
      ...(choice && { structured_outputs: { choice } }),
    },
    return_token_ids: true,
    stream: false,
  };
}

/** The name of an adapter is its version; a label names base weights that were updated while the server ran. */
export function versionsOf(
  model: string,
  spans: readonly TokenVersions[] | undefined,
  length: number,
): readonly TokenVersions[] {
  if (!spans || spans.length === 0) return [{ version: model, start: 0, end: length }];
  return spans.map(({ version, start, end }) => ({
    version: version === UNLABELED ? model : `${model}@${version}`,
    start,
    end,
  }));
}
