/** Any server that speaks the chat protocol of OpenAI (vLLM, SGLang, Ollama, llama.cpp, gateways) as an agent. */
import type { Info } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { boundedFetch } from './bounded-fetch.js';
import { importOptional } from './import-optional.js';
import {
  headerSecrets,
  lazyModelAgent,
  MODEL_AGENT_NAMES,
  type ModelAgent,
  type ModelAgentOptions,
} from './model-agent.js';

export interface OpenAICompatibleOptions extends ModelAgentOptions {
  /** The part before `/chat/completions`, e.g. `http://localhost:8000/v1`. */
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests; default: `fetch` of this process. Replace it to use proxies or your own certificates. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const OPENAI_NAMES = [
  ...names<Omit<OpenAICompatibleOptions, keyof ModelAgentOptions>>({
    ...{ baseURL: 0, model: 0, apiKey: 0, headers: 0, fetch: 0 },
  }),
  ...MODEL_AGENT_NAMES,
];

/**
 * Needs the packages `ai` and `@ai-sdk/openai-compatible`; both are loaded at the first turn.
 *
 * @example
 * const agent = openAICompatibleAgent({ baseURL: 'http://localhost:8000/v1', model: 'Qwen/Qwen2.5-VL-7B-Instruct' });
 */
export function openAICompatibleAgent<O = unknown, A = unknown, I extends Info = Info>(
  given: OpenAICompatibleOptions,
): ModelAgent<O, A, I> {
  checkNames('options', given, OPENAI_NAMES);
  const { baseURL, model, apiKey, headers, fetch = globalThis.fetch, ...options } = given;
  const load = async () => {
    const { createOpenAICompatible } = await importOptional(
      '@ai-sdk/openai-compatible',
      () => import('@ai-sdk/openai-compatible'),
    );
    const provider = createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(headers && { headers: { ...headers } }),
      fetch: boundedFetch(fetch),
    });
    return provider.chatModel(model);
  };
  let loading: ReturnType<typeof load> | undefined;
  return lazyModelAgent(
    () => {
      loading ??= load();
      return loading;
    },
    model,
    { name: model, ...options },
    [...(apiKey === undefined ? [] : [apiKey]), ...headerSecrets(headers)],
    `start an OpenAI-compatible server at ${baseURL} first, for example \`vllm serve ${model}\` or \`ollama serve\``,
  );
}
