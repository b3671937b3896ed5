/**
 * The learner's own policy as a serving engine, for workers of a run that has no other: `/inference/v1/generate` of vLLM, as
 * far as `VllmEngine` uses it.
 *
 * It serves the newest weights under every name, and names them in `weight_versions`.
 */
import { Generator, GymError, type Image } from '@vlgym/core';
import { type HttpAnswer, type HttpRequest, json, Listener, RefusedRequest } from '@vlgym/core/http';
import { decodePng } from '@vlgym/core/images';
import { checkNames, names, PictureBudget } from '@vlgym/core/internal';
import type { ModelInput } from '@vlgym/rl';
import type { RolloutSampler } from '@vlgym/rl/rollout';
import { z } from 'zod';
import { BatchingSampler } from './batching-sampler.js';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** A thousand workers with a request each. */
const MAX_CONNECTIONS = 1024;

const count = z.number().int().nonnegative();
const PNG = 'data:image/png;base64,';

const requestSchema = z.object({
  request_id: z.string().max(200),
  model: z.string().max(200),
  /** One image token per picture. */
  token_ids: z.array(count).min(1).max(1_000_000),
  content_parts: z
    .array(z.object({ type: z.literal('image_url'), url: z.string().startsWith(PNG) }))
    .max(256)
    .default([]),
  sampling_params: z.object({
    max_tokens: z.number().int().min(1).max(100_000),
    temperature: z.number().nonnegative(),
    top_p: z.number().gt(0).max(1),
    top_k: z.number().int().min(-1),
    repetition_penalty: z.literal(1),
    seed: count,
    logprobs: z.literal(0),
    structured_outputs: z.never({ error: 'constraints are not supported' }).optional(),
  }),
});

/** Facts about the model's tokens that the server needs; `openTokenCodec` of `@vlgym/models` provides them. */
export interface ImageTokens {
  readonly imageToken: number;
  /** Tokens of a picture of this size. */
  imageTokens(image: Image): number;
}

export interface SamplingServerOptions {
  /** The policy; requests of all workers become batches. */
  readonly policy: RolloutSampler;
  readonly tokens: ImageTokens;
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** Clients send it as `Authorization: Bearer …`; needed beyond loopback, 16 or more characters. */
  readonly token?: string | undefined;
}

const SAMPLING_SERVER_START_OPTIONS = names<SamplingServerOptions>({
  policy: 0,
  tokens: 0,
  host: 0,
  port: 0,
  token: 0,
});

export class SamplingServer {
  private constructor(
    readonly host: string,
    readonly listener: Listener,
  ) {}

  /** @throws {GymError} `TOKEN_NEEDED`, `INVALID_OPTION`, `PORT_TAKEN` */
  static async start(options: SamplingServerOptions): Promise<SamplingServer> {
    checkNames('options', options, SAMPLING_SERVER_START_OPTIONS);
    const { policy, tokens, host = '127.0.0.1', port, token } = options;
    const sampler = policy instanceof BatchingSampler ? policy : new BatchingSampler(policy);
    const listener = new Listener({
      ...{ host, port, token },
      tokenHint: 'set VLGYM_SAMPLER_KEY here and for the workers, e.g. to `openssl rand -hex 16`',
      open: (path) => path === '/health',
      maxConnections: MAX_CONNECTIONS,
      maxBodyBytes: MAX_BODY_BYTES,
      answer: (request) => answer(request, { sampler, tokens }),
      failure,
    });
    await listener.listen();
    return new SamplingServer(host, listener);
  }

  /**
   * E.g. `http://127.0.0.1:41231`.
   * @param host  The name under which others reach this machine: `0.0.0.0` is for listening only.
   */
  urlFor(host = this.host): string {
    const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
    return `http://${name}:${this.listener.port}`;
  }

  close(): Promise<void> {
    return this.listener.close();
  }
}

interface Context {
  readonly sampler: BatchingSampler;
  readonly tokens: ImageTokens;
}

async function answer(request: HttpRequest, context: Context): Promise<HttpAnswer> {
  switch (`${request.method} ${request.url.pathname}`) {
    case 'GET /health':
      return json({});
    case 'GET /v1/models':
      return json({ object: 'list', data: [{ id: 'policy', root: null, parent: null }] });
    case 'POST /inference/v1/generate':
      return generate(request, context);
    default:
      throw new RefusedRequest(404, 'not found');
  }
}

/** Errors are `{ "error": …, "code": … }`, which the engines of the workers report. */
function failure(error: unknown): HttpAnswer {
  const status = error instanceof RefusedRequest ? error.status : GymError.isInstance(error) ? 400 : 500;
  const code = GymError.isInstance(error) ? { code: error.code } : {};
  return json({ error: error instanceof Error ? error.message : String(error), ...code }, status);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new RefusedRequest(400, 'the body is not JSON');
  }
}

async function generate({ body, signal }: HttpRequest, { sampler, tokens }: Context): Promise<HttpAnswer> {
  const request = requestSchema.safeParse(parsed(body));
  if (!request.success) throw new RefusedRequest(400, z.prettifyError(request.error).slice(0, 1000));
  const { request_id: id, model, token_ids: ids, content_parts: parts, sampling_params: sampling } = request.data;
  const budget = new PictureBudget();
  const files = parts.map(({ url }) => Buffer.from(url.slice(PNG.length), 'base64'));
  for (const file of files) budget.spend(file);
  const images = files.map((file) => decodePng(file));
  const input = expanded(ids, images, tokens);
  const [response] = await sampler.sample([input], {
    maxNewTokens: sampling.max_tokens,
    temperature: sampling.temperature,
    topP: sampling.top_p,
    topK: Math.max(0, sampling.top_k),
    rng: [new Generator(sampling.seed)],
    signal,
  });
  const { tokenIds, behaviorLogProbs, finishReason, versions } = response!;
  return json({
    request_id: id,
    model,
    prompt_token_ids: Array.from(input.promptIds),
    choices: [
      {
        index: 0,
        token_ids: Array.from(tokenIds),
        finish_reason: finishReason,
        logprobs: {
          content: Array.from(tokenIds, (token, i) => ({ token_id: token, logprob: behaviorLogProbs[i] })),
        },
        weight_versions: versions,
      },
    ],
  });
}

/** As the processors of the Qwen-VL family: the n-th image token becomes as many as the n-th picture has. */
function expanded(
  ids: readonly number[],
  images: readonly Image[],
  { imageToken, imageTokens }: ImageTokens,
): ModelInput {
  const places = ids.filter((id) => id === imageToken).length;
  if (places !== images.length) {
    throw new GymError(`The prompt has ${places} image placeholders but ${images.length} images.`, {
      code: 'IMAGE_MISSING',
      value: images.length,
      expected: `${places} pictures`,
    });
  }
  let next = 0;
  const promptIds = ids.flatMap((id) =>
    id === imageToken ? new Array<number>(imageTokens(images[next++]!)).fill(id) : [id],
  );
  return { promptIds: Int32Array.from(promptIds), images };
}
