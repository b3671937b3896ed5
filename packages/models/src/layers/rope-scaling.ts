/**
 * Frequencies of rotary positions that are changed for long contexts, as transformers computes them: in float32, one rounding
 * per operation.
 */
import { z } from 'zod';
import { publishedFrequencies } from './rotary.js';

const factor = z.number().positive();

/** How frequencies differ from `base^(-2i / width)`. */
export const ropeScalingSchema = z.discriminatedUnion('type', [
  /** All are divided (arXiv 2306.15595). */
  z.object({ type: z.literal('linear'), factor }),
  /** Llama 3.1: slow ones are divided, fast ones stay, and between them the two are mixed. */
  z
    .object({
      type: z.literal('llama3'),
      factor,
      lowFreqFactor: factor,
      highFreqFactor: factor,
      originalMaxPositionEmbeddings: factor,
    })
    .refine(({ lowFreqFactor, highFreqFactor }) => lowFreqFactor !== highFreqFactor, {
      path: ['highFreqFactor'],
      error: 'must differ from lowFreqFactor',
    }),
]);

export type RopeScaling = z.output<typeof ropeScalingSchema>;

type Llama3Scaling = Extract<RopeScaling, { type: 'llama3' }>;

/** Angular frequencies of a head of this width, [width / 2]. */
export function scaledFrequencies(width: number, base: number, scaling: RopeScaling | null): Float64Array {
  const speeds = publishedFrequencies(width, base);
  if (scaling === null) return speeds;
  const { fround } = Math;
  const divisor = fround(scaling.factor);
  if (scaling.type === 'linear') return speeds.map((speed) => fround(speed / divisor));
  return speeds.map((speed) => llama3Speed(speed, scaling));
}

function llama3Speed(speed: number, scaling: Llama3Scaling): number {
  const { fround } = Math;
  const { lowFreqFactor: low, highFreqFactor: high, originalMaxPositionEmbeddings: context } = scaling;
  const divisor = fround(scaling.factor);
  // a number over a tensor is the reciprocal times the number in PyTorch
  const over = (numerator: number, value: number) => fround(fround(1 / value) * fround(numerator));
  const length = over(2 * Math.PI, speed);
  const isSlow = length > fround(context / low);
  const isFast = length < fround(context / high);
  if (isSlow) return fround(speed / divisor);
  if (isFast) return speed;
  const mix = fround(fround(over(context, length) - fround(low)) / fround(high - low));
  const slow = fround(fround(fround(1 - mix) * speed) / divisor);
  return fround(slow + fround(mix * speed));
}
