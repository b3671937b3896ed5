/** A model of 30,000 weights and inputs with pictures, prompts and responses of unequal size, for tests. */
import { type ChatMessage, Generator, type Image } from '@vlgym/core';
import { setNumThreads, type Tensor } from '@vlgym/gpu';
import type { PolicyOutputs } from '@vlgym/rl';
import { parseTinyConfig, type TinyConfig } from '../models/tiny/config.js';
import { tinyConfig } from '../models/tiny/presets.js';
import { type CreatePolicyOptions, createPolicy } from './create-policy.js';
import type { VlmPolicy } from './vlm-policy.js';

setNumThreads(1);

export const smallConfig: TinyConfig = parseTinyConfig({
  ...tinyConfig,
  hiddenSize: 16,
  numHiddenLayers: 2,
  numAttentionHeads: 4,
  numKeyValueHeads: 2,
  headDim: 8,
  intermediateSize: 24,
  // far from uniform distributions, so that a wrong one shows
  initializerRange: 0.3,
  valueHead: [12],
  vision: {
    ...tinyConfig.vision,
    depth: 2,
    hiddenSize: 16,
    numHeads: 2,
    intermediateSize: 24,
    numPositionEmbeddings: 9,
  },
});

export function smallPolicy(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  return createPolicy({ config: smallConfig, seed: 1, ...options });
}

/** A picture of noise. */
export function picture(seed: number, height = 28, width = 56): Image {
  const rng = new Generator(seed);
  return { data: Uint8Array.from({ length: height * width * 3 }, () => rng.integers(256)), height, width, channels: 3 };
}

/** Prompts of unequal length: one picture, two of unequal size, none, and one picture again. */
export function prompts(): ChatMessage[][] {
  const image = (seed: number, height?: number, width?: number) =>
    ({ type: 'image', image: picture(seed, height, width) }) as const;
  const text = (words: string) => ({ type: 'text', text: words }) as const;
  return [
    [{ role: 'user', content: [image(1), text('Make 12. Formula: "4+".')] }],
    [{ role: 'user', content: [image(2), text('and then'), image(3, 56, 56), text('Which action do you take next?')] }],
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go on.' },
    ],
    [{ role: 'user', content: [image(4), text('?')] }],
  ];
}

export const responses = ['{"action": "8"}', 'I turn left 😀.', '=', '{"cards": [10, 2], "action": "10"}'];

/** Prompts and responses as sequences of one policy. */
export function sequencesOf(policy: VlmPolicy) {
  return prompts().map((messages, i) => ({
    input: policy.encode(messages),
    responseIds: policy.encodeResponse(responses[i]!).ids,
  }));
}

/** All parameters as bytes, by name. */
export function snapshot(policy: VlmPolicy): Map<string, string> {
  return new Map([...policy.model.namedParameters()].map(([name, parameter]) => [name, bytes(parameter)]));
}

export function bytes(tensor: Tensor): string {
  const { buffer, byteOffset, byteLength } = tensor.toArray();
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...Array.from(a, (value, i) => Math.abs(value - b[i]!)));
}

export const lora = { lora: { r: 2, alpha: 4 } } as const;

/** A loss that asks for log-probs, entropies and values. */
export const everything = ({ logProbs, entropies, values }: PolicyOutputs) =>
  logProbs.sum().add(entropies.sum()).add(values.mul(values).sum());

/** One optimizer step. */
export async function update(policy: VlmPolicy, learningRate = 1e-2): Promise<void> {
  await policy.accumulate(sequencesOf(policy), everything);
  await policy.step({ learningRate, maxGradNorm: 1 });
}

/** Log-probs that a forward with gradients sees, by sequence. */
export async function trainingLogProbs(policy: VlmPolicy, temperature: number): Promise<Float32Array[]> {
  const sequences = sequencesOf(policy);
  let seen: Float32Array[] = [];
  await policy.accumulate(
    sequences,
    ({ logProbs }) => {
      const all = logProbs.toArray() as Float32Array;
      const longest = logProbs.shape[1]!;
      seen = sequences.map(({ responseIds }, i) => all.slice(i * longest, i * longest + responseIds.length));
      return logProbs.sum();
    },
    { temperature },
  );
  return seen;
}
