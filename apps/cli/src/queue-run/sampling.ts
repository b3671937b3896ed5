/** Who samples for a run whose episodes come from a queue: serving engines, or the learner's own model. */
import { join, resolve } from 'node:path';
import type { make } from '@vlgym/core';
import { type ModelTokenCodec, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import type { Engine } from '@vlgym/queue';
import type { RolloutSampler } from '@vlgym/rl';
import { isModelFolder } from '../experiment/policy.js';
import type { CompleteTask } from '../experiment/settings.js';
import { loadQueue } from '../load-queue.js';
import { UsageError } from '../usage-error.js';
import { enginesOf, samplerKey } from './engines.js';
import type { QueueChoices } from './options.js';

export interface Sampling {
  /** Sampler of this process, for the queue without a server. */
  readonly sampler: RolloutSampler;
  /** Where workers find it. */
  readonly urls: readonly string[];
  readonly engine: 'vllm' | 'sglang';
  readonly codec: ModelTokenCodec;
  /** Hands the weights of a version to the engines. */
  publish(version: number): Promise<void>;
  close(): Promise<void>;
}

interface SamplingParts {
  readonly task: CompleteTask;
  readonly policy: VlmPolicy;
  readonly folder: string;
  readonly choices: QueueChoices;
  readonly makeEnv: () => ReturnType<typeof make>;
}

const codecOfModel = (model: string): Promise<ModelTokenCodec> =>
  openTokenCodec(isModelFolder(model) ? { model } : { preset: model });

export async function openSampling(parts: SamplingParts): Promise<Sampling> {
  const codec = await codecOfModel(parts.task.model);
  return parts.choices.sampler ? servedSampling(parts, codec, parts.choices.sampler) : ownSampling(parts, codec);
}

/** The model of the learner, in this process or over HTTP. */
async function ownSampling({ policy, choices }: SamplingParts, codec: ModelTokenCodec): Promise<Sampling> {
  const { BatchingSampler, SamplingServer } = await loadQueue();
  // this process alone answers, whatever the others of the run do meanwhile
  const sampler = new BatchingSampler(policy.own ?? policy);
  const common = { sampler, engine: 'vllm' as const, codec, publish: async () => {} };
  if (choices.redis === undefined) return { ...common, urls: [], close: async () => {} };
  const { host, port } = addressOf(choices.listen);
  const server = await SamplingServer.start({ policy: sampler, tokens: codec, host, port, token: samplerKey() });
  // workers elsewhere are told the address by --sampler: only they know the name under which they reach this machine
  const isOpen = host === '0.0.0.0' || host === '::';
  return { ...common, urls: [server.urlFor(isOpen ? '127.0.0.1' : host)], close: () => server.close() };
}

/** Serving engines, which get the adapter of every version under a new name. */
async function servedSampling(
  parts: SamplingParts,
  codec: ModelTokenCodec,
  urls: readonly string[],
): Promise<Sampling> {
  const { AdapterPublisher, adapterName, RemoteSampler, Replicas } = await loadQueue();
  const { task, policy, choices, folder } = parts;
  if (!isModelFolder(task.model)) {
    throw new UsageError(`--sampler goes with a model folder, and --model is ${task.model}.`, {
      hint: 'serve the folder with vLLM and give it here with --model FOLDER; a preset is sampled by the learner itself',
    });
  }
  const engine = choices.engine ?? 'vllm';
  const engines = await enginesOf(engine, urls, samplerKey());
  const replicas = new Replicas(engines);
  const keep = (choices.maxStaleness ?? 0) + 2;
  const publisher = new AdapterPublisher({
    replicas,
    folder: resolve(choices.adapters ?? join(folder, 'adapters')),
    keep,
  });
  let newest: number | undefined;
  const publish = async (version: number) => {
    if (version === newest) return;
    const isFirst = newest === undefined;
    await publisher.publish(version, (path) => policy.saveAdapter(path));
    newest = version;
    if (isFirst) await shakeHands(parts, { engines, codec, version });
  };
  const model = () => adapterName(newest ?? 0);
  const sampler = new RemoteSampler({ replicas, codec, model, name: 'learner' });
  return { sampler, urls, engine, codec, publish, close: async () => {} };
}

interface Handshake {
  readonly engines: readonly Engine[];
  readonly codec: ModelTokenCodec;
  readonly version: number;
}

/** With the first prompt of the environment, before any episode. */
async function shakeHands({ makeEnv, choices, folder }: SamplingParts, { engines, codec, version }: Handshake) {
  const { adapterName, handshake } = await loadQueue();
  const env = await makeEnv();
  try {
    const { observation, info } = await env.reset({ seed: 0 });
    const input = codec.encode(env.dialogue!.prompt({ observation, info, history: [] }));
    const model = adapterName(version);
    const adapterPath = join(resolve(choices.adapters ?? join(folder, 'adapters')), model);
    for (const engine of engines) await handshake(engine, { codec, input, model, adapterPath });
  } finally {
    await env.close();
  }
}

/** `0.0.0.0:8100` → host and port. */
function addressOf(listen = '127.0.0.1:0'): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(\[?[\w.:-]+?\]?)(?::(\d{1,5}))?$/.exec(listen) ?? [];
  if (host === undefined) throw new UsageError(`Invalid listen: ${listen}.`, { expected: 'HOST or HOST:PORT' });
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? 0) };
}
