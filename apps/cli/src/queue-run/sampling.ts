/** Sampling for a run whose episodes come from a queue: by serving engines, or by the learner's own model. */
import { join, resolve } from 'node:path';
import type { make } from '@vlgym/core';
import { type ModelTokenCodec, openTokenCodec, type VlmPolicy } from '@vlgym/models';
import type { ModelInput, Sequence } from '@vlgym/rl';
import type { RolloutSampler } from '@vlgym/rl/rollout';
import { UsageError } from '../command-line/usage-error.js';
import { isModelFolder } from '../experiment/policy.js';
import type { CompleteTask } from '../experiment/settings/settings.js';
import { loadQueue } from '../load-queue.js';
import { enginesOf, samplerKey } from './engines.js';
import type { QueueChoices } from './options.js';

export interface Sampling {
  /** Sampler of this process, for the queue without a server. */
  readonly sampler: RolloutSampler;
  /** Addresses for workers. */
  readonly urls: readonly string[];
  readonly engine: 'vllm' | 'sglang';
  readonly codec: ModelTokenCodec;
  /** Sends the weights of a version to the engines, and checks that they use them. @returns The measurements. */
  publish(version: number): Promise<Readonly<Record<string, number>> | undefined>;
  close(): Promise<void>;
}

interface SamplingParts {
  readonly task: CompleteTask;
  readonly policy: VlmPolicy;
  readonly folder: string;
  readonly choices: QueueChoices;
  readonly makeEnv: () => ReturnType<typeof make>;
  readonly say: (line: string) => void;
}

/** Prompts of a probe. */
const PROBES = 4;

/**
 * Largest k3 per token between a server and the learner. Two programs differ by about 1e-7 in float32 and by 1e-4 to 1e-3 in
 * half precision, more where only one of them rounds; a warm start that the server lacks makes 0.1.
 */
const TOLERANCE = { half: 1e-2, full: 1e-3 } as const;

/** How long servers that are started again are waited for. */
const ABSENT_MS = 10 * 60_000;
/** How often servers are asked whether they lack weights. */
const RESTORE_MS = 5_000;

const codecOfModel = (model: string): Promise<ModelTokenCodec> =>
  openTokenCodec(isModelFolder(model) ? { model } : { preset: model });

export async function openSampling(parts: SamplingParts): Promise<Sampling> {
  const codec = await codecOfModel(parts.task.model);
  return parts.choices.sampler ? servedSampling(parts, codec, parts.choices.sampler) : ownSampling(parts, codec);
}

/** The model of the learner, in this process or over HTTP. */
async function ownSampling({ policy, choices }: SamplingParts, codec: ModelTokenCodec): Promise<Sampling> {
  const { BatchingSampler, SamplingServer } = await loadQueue();
  // only this process answers, independently of the run's other processes
  const sampler = new BatchingSampler(policy.localSampler ?? policy);
  const common = { sampler, engine: 'vllm' as const, codec, publish: async () => undefined };
  if (choices.redis === undefined) return { ...common, urls: [], close: async () => {} };
  const { host, port } = addressOf(choices.listen);
  const server = await SamplingServer.start({ policy: sampler, tokens: codec, host, port, token: samplerKey() });
  // workers elsewhere get the address from --sampler: only they know the name under which they reach this machine
  const isOpen = host === '0.0.0.0' || host === '::';
  return { ...common, urls: [server.urlFor(isOpen ? '127.0.0.1' : host)], close: () => server.close() };
}

/** Serving engines, which get the adapter of every version under a new name. */
async function servedSampling(
  parts: SamplingParts,
  codec: ModelTokenCodec,
  urls: readonly string[],
): Promise<Sampling> {
  const { AdapterPublisher, adapterName, handshake, probe, RemoteSampler, Replicas } = await loadQueue();
  const { task, policy, choices, folder, makeEnv, say } = parts;
  if (!isModelFolder(task.model)) {
    throw new UsageError(`--sampler needs a model folder, but --model is ${task.model}.`, {
      hint: 'serve the folder with vLLM and give it here with --model FOLDER; a preset is sampled by the learner itself',
    });
  }
  const engine = choices.engine ?? 'vllm';
  const engines = await enginesOf(engine, urls, samplerKey());
  const replicas = new Replicas(engines, {
    absentMs: ABSENT_MS,
    onAbsent: (problem) =>
      say(`no sampler answers; waiting for up to ${ABSENT_MS / 60_000} minutes: ${wordsOf(problem)}`),
  });
  const publisher = new AdapterPublisher({
    replicas,
    folder: resolve(choices.adapters ?? join(folder, 'adapters')),
    keep: (choices.maxStaleness ?? 0) + 2,
    absentMs: ABSENT_MS,
  });
  const inputs = await firstPrompts(makeEnv, codec);
  const isHalf = /16$/.test(policy.dtype);
  const tolerance = choices.probeTolerance ?? (isHalf ? TOLERANCE.half : TOLERANCE.full);
  // only this process asks, independently of the run's other processes
  const score = async (sequences: readonly Sequence[]) =>
    (await (policy.localSampler ?? policy).score(sequences)).logProbs;
  let newest: number | undefined;
  const publish = async (version: number) => {
    if (version === newest) return undefined;
    const isFirst = newest === undefined;
    const { name, path } = await publisher.publish(version, (empty) => policy.saveAdapter(empty));
    newest = version;
    let largest = 0;
    for (const each of engines) {
      if (isFirst) {
        await handshake(each, { codec, input: inputs[0]!, model: name, adapterPath: path });
      } else if (!replicas.isServing(each)) continue;
      const { k3, tokens } = await probe(each, { codec, inputs, model: name, score, tolerance });
      if (isFirst) say(`${each.name} computes the learner's policy: k3 ${k3.toPrecision(2)} over ${tokens} tokens`);
      largest = Math.max(largest, k3);
    }
    return { 'queue/probe-k3': largest };
  };
  const model = () => adapterName(newest ?? 0);
  const sampler = new RemoteSampler({ replicas, codec, model, name: 'learner' });
  const restoring = setInterval(() => void publisher.restore(), RESTORE_MS);
  restoring.unref();
  return { sampler, urls, engine, codec, publish, close: async () => clearInterval(restoring) };
}

const wordsOf = (problem: unknown): string =>
  String((problem as Error | undefined)?.message ?? problem).split('\n')[0]!;

/** Prompts of a few tasks, before any episode. */
async function firstPrompts(makeEnv: SamplingParts['makeEnv'], codec: ModelTokenCodec): Promise<ModelInput[]> {
  const env = await makeEnv();
  try {
    const inputs: ModelInput[] = [];
    for (let seed = 0; seed < PROBES; seed++) {
      const { observation, info } = await env.reset({ seed });
      inputs.push(codec.encode(env.dialogue!.prompt({ observation, info, history: [] })));
    }
    return inputs;
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
