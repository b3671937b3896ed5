/** The likeliest tokens at each place of a response, beside the one that was written. `alternatives.test.ts` pins them. */
import { setImmediate } from 'node:timers/promises';
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { tidy } from '@vlgym/gpu';
import type { Sequence } from '@vlgym/rl';
import type { PolicyParts } from '../policy-parts.js';
import { assertResponses, assertTemperature } from './forward.js';
import { forwarded } from './score.js';

export interface AlternativesOptions {
  /** Tokens of each place, the likeliest first; default 8. */
  readonly count?: number | undefined;
  /** Divides the logits; default 1. */
  readonly temperature?: number | undefined;
}

const ALTERNATIVES_OPTIONS = names<AlternativesOptions>({ count: 0, temperature: 0 });

/** One place of a response. */
export interface TokenPlace {
  /** log-softmax(logits / temperature) of the token that was written. */
  readonly logProb: number;
  /** Tokens that are likelier than it. */
  readonly rank: number;
  readonly top: readonly {
    readonly id: number;
    /** Decoded alone; empty for special tokens. */
    readonly text: string;
    readonly logProb: number;
  }[];
}

/** Scores that are in memory at once, 16 MB in float32. */
const SCORES = 2 ** 22;

/** @throws {EmptyResponseError} The sequence has no response. */
export function alternativesOf(
  parts: PolicyParts,
  sequence: Sequence,
  options: AlternativesOptions,
): Promise<TokenPlace[]> {
  checkNames('options', options, ALTERNATIVES_OPTIONS);
  const { count = 8, temperature = 1 } = options;
  assertResponses([sequence]);
  assertTemperature(temperature);
  const { vocabSize } = parts.network.language.config;
  if (!(Number.isInteger(count) && count >= 1 && count <= vocabSize)) {
    throw new InvalidOptionError('count', count, `a whole number from 1 to ${vocabSize}`);
  }
  const { responseIds } = sequence;
  const textOf = (id: number) => parts.prompts.decode(Int32Array.of(id)).text;
  const together = Math.max(1, Math.floor(SCORES / vocabSize));
  const find = () =>
    forwarded(parts, 'current', [sequence], async (batch, { states }) => {
      const places: TokenPlace[] = [];
      for (let from = 0; from < responseIds.length; from += together) {
        const ids = responseIds.subarray(from, from + together);
        const compute = () => {
          const scores = batch.logSoftmaxOf(states, temperature, from, ids.length);
          const { values, indices } = scores.topk(count, 1);
          const written = scores.gather(1, parts.builder.ints(ids, [ids.length, 1]));
          const rank = scores.gt(written).to('float32').sum(1);
          return [values, indices, written, rank].map((tensor) => tensor.toNumbers());
        };
        const rows = parts.sets.use('current', () => tidy(compute));
        const [values, indices, written, ranks] = rows as [number[], number[], number[], number[]];
        for (const place of ids.keys()) {
          const top = Array.from({ length: count }, (_, at) => {
            const id = indices[place * count + at]!;
            return { id, text: textOf(id), logProb: values[place * count + at]! };
          });
          places.push({ logProb: written[place]!, rank: ranks[place]!, top });
        }
        await setImmediate();
      }
      return places;
    });
  return parts.serialQueue.run(() => parts.sets.holding('current', find));
}
