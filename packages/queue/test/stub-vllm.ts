/**
 * A server with the routes and shapes of vLLM 0.33.0, as far as a rollout uses them, and with its mistakes: raw log-probs,
 * ignored constraints, pauses, adapters that are read when they are asked for.
 *
 * Its tokens are characters; a picture is one token per cell of 28 × 28 pixels.
 */
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Image } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';

export const CELL = 28;
export const IMAGE_TOKEN = 7;
export const END_TOKEN = 3;
export const codes = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

interface GenerateBody {
  readonly request_id: string;
  readonly model: string;
  readonly token_ids: number[];
  readonly content_parts?: { readonly url: string }[];
  readonly sampling_params: {
    readonly max_tokens?: number;
    readonly temperature?: number;
    readonly top_k?: number;
    readonly logprobs?: number;
    readonly structured_outputs?: { readonly choice?: string[] };
  };
}

/** The weights that the server computes with. */
export interface Served {
  /** Folder of the adapter; undefined for the base. */
  readonly path: string | undefined;
  readonly promptIds: Int32Array;
  readonly images: readonly Image[];
  readonly tokenIds: Int32Array;
}

export class StubVllm {
  logprobsMode: 'processed' | 'raw' = 'processed';
  obeysConstraints = true;
  isPaused = false;
  /** Refuses to load adapters. */
  refusesAdapters = false;
  /** How many answers to the loading of adapters get lost. */
  losesAnswers = 0;
  /** Answers 400 to whatever is to be sampled. */
  refusesRequests = false;
  /** Ends the connection in the middle of a response. */
  diesInResponse = false;
  /** Label spans of base weights; default none. */
  weightVersions: { version: string; start: number; end: number }[] | undefined;
  answer = 'count';
  /** Log-probs of its tokens; default: each has probability 0.75. */
  score: ((served: Served) => Promise<ArrayLike<number>>) | undefined;
  /** Token that stands for a picture. */
  imageToken = IMAGE_TOKEN;
  readonly adapters = new Map<string, string>();
  readonly bodies: GenerateBody[] = [];
  readonly routes: string[] = [];

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(listenPort = 0): Promise<StubVllm> {
    const server = createServer((request, response) => void stub.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(listenPort, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    let isOpen = true;
    const stub = new StubVllm(`http://127.0.0.1:${port}`, async () => {
      if (!isOpen) return;
      isOpen = false;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return stub;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const body = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString('utf8')) : undefined;
    this.routes.push(request.url!);
    const [status, answer] = await this.#answer(request.url!, body);
    if (request.url === '/v1/load_lora_adapter' && this.losesAnswers > 0) {
      this.losesAnswers -= 1;
      response.destroy();
      return;
    }
    if (this.diesInResponse && request.url === '/inference/v1/generate') {
      response.writeHead(200, { 'content-length': 1000 }).write('{"choices": [');
      setImmediate(() => response.destroy());
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #answer(route: string, body: unknown): Promise<[status: number, answer: unknown]> {
    switch (route) {
      case '/health':
        return [200, {}];
      case '/v1/models':
        return [200, this.#models()];
      case '/v1/load_lora_adapter':
        return this.#load(body as { lora_name: string; lora_path: string });
      case '/v1/unload_lora_adapter':
        return [this.adapters.delete((body as { lora_name: string }).lora_name) ? 200 : 404, {}];
      case '/inference/v1/generate':
        return this.isPaused ? [503, { error: 'paused' }] : this.#generate(body as GenerateBody);
      default:
        return [404, { error: 'not found' }];
    }
  }

  #models() {
    const adapters = [...this.adapters].map(([id, root]) => ({ id, root, parent: 'base-0' }));
    return { object: 'list', data: [{ id: 'base-0', root: '/models/base', parent: null }, ...adapters] };
  }

  #load({ lora_name: name, lora_path: path }: { lora_name: string; lora_path: string }): [number, unknown] {
    if (this.refusesAdapters) return [500, { error: 'bad adapter' }];
    if (this.adapters.has(name)) return [400, { error: 'already loaded' }];
    if (!existsSync(join(path, 'adapter_config.json'))) return [404, { error: 'no adapter there' }];
    this.adapters.set(name, path);
    return [200, 'ok'];
  }

  async #generate(body: GenerateBody): Promise<[number, unknown]> {
    this.bodies.push(body);
    if (this.refusesRequests) return [400, { error: 'a prompt without end' }];
    const { model, token_ids: ids, content_parts: pictures = [], sampling_params: sampling } = body;
    const path = this.adapters.get(model);
    if (model !== 'base-0' && path === undefined) return [404, { error: `no model ${model}` }];
    // an evicted adapter is read again: a folder that is gone ends the server
    if (path !== undefined && !existsSync(join(path, 'adapter_config.json')))
      return [500, { error: 'adapter is gone' }];
    const { choice } = sampling.structured_outputs ?? {};
    const text = choice && this.obeysConstraints ? choice[0]! : this.answer;
    const tokens = [...codes(text), END_TOKEN].slice(0, sampling.max_tokens ?? 16);
    const isCut = tokens.length <= text.length;
    const kept = this.logprobsMode === 'processed' ? 1 : 0.6;
    const alternatives = sampling.logprobs ?? 0;
    const promptIds = this.#expand(ids, pictures);
    const images = pictures.map(({ url }) => pictureOf(url));
    const tokenIds = Int32Array.from(tokens);
    const scores = await this.score?.({ path, images, promptIds: Int32Array.from(promptIds), tokenIds });
    return [
      200,
      {
        request_id: body.request_id,
        model,
        prompt_token_ids: promptIds,
        choices: [
          {
            index: 0,
            token_ids: tokens,
            finish_reason: isCut ? 'length' : 'stop',
            logprobs: {
              content: tokens.map((token, index) => ({
                token_id: token,
                logprob: scores?.[index] ?? Math.log(0.75 * kept),
                rank: 1,
                top_logprobs: [0.75, 0.25].slice(0, alternatives).map((p) => ({ logprob: Math.log(p * kept) })),
              })),
            },
            ...(this.weightVersions && { weight_versions: this.weightVersions }),
          },
        ],
        usage: { prompt_tokens: ids.length, completion_tokens: tokens.length },
      },
    ];
  }

  /** As the processor of Qwen-VL: the n-th image token becomes as many as the n-th picture has; others stay. */
  #expand(ids: readonly number[], pictures: readonly { readonly url: string }[]): number[] {
    let next = 0;
    return ids.flatMap((id) => {
      const picture = id === this.imageToken ? pictures[next++] : undefined;
      if (!picture) return [id];
      const { height, width } = pictureOf(picture.url);
      return new Array<number>(Math.round(height / CELL) * Math.round(width / CELL)).fill(id);
    });
  }
}

const pictureOf = (url: string) => decodePng(Buffer.from(url.split(',')[1]!, 'base64'));
