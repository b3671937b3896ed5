import { readFileSync } from 'node:fs';
import { Generator } from '@vlgym/core';
import { nn, type Tensor, tensor, tidy } from '@vlgym/gpu';
import { describe, expect, it } from 'vitest';
import { logitOptions, processLogits } from './process-logits.js';

interface Case {
  name: string;
  params: { repetition_penalty: number; temperature: number; top_k: number; top_p: number };
  inputs: { logits: number[]; context_token_ids: number[] };
  expected: Record<
    'processed_logits' | 'behaviour_logp' | 'temperature_only_logp' | 'raw_logp',
    (number | '-inf')[]
  > & {
    kept_probability_mass_under_temperature_only: number;
  };
}
const golden = JSON.parse(
  readFileSync(new URL('../../../../test/golden/algos/sampler_logprobs.json', import.meta.url), 'utf8'),
) as { tolerance: { abs: number; rel: number }; cases: Case[] };

function readCase({ params, inputs }: Case) {
  const { logits, context_token_ids: context } = inputs;
  const seen = logits.map((_, id) => context.includes(id));
  const options = logitOptions({
    temperature: params.temperature,
    topK: params.top_k,
    topP: params.top_p,
    repetitionPenalty: params.repetition_penalty,
  });
  return { logits, seen, options };
}

function process(reference: Case) {
  const { params } = reference;
  const { logits, seen, options } = readCase(reference);
  return tidy(() => {
    const raw = tensor([logits], { dtype: 'float64' });
    const processed = processLogits(raw, options, tensor([seen]));
    return {
      processed_logits: processed.toNumbers(),
      behaviour_logp: processed.logSoftmax(-1).toNumbers(),
      temperature_only_logp: raw.div(params.temperature).logSoftmax(-1).toNumbers(),
      raw_logp: raw.logSoftmax(-1).toNumbers(),
    };
  });
}

describe('processed logits', () => {
  it.each(golden.cases)('agree with the reference: $name', (reference) => {
    const found = process(reference);
    for (const key of ['processed_logits', 'behaviour_logp', 'temperature_only_logp', 'raw_logp'] as const) {
      for (const [i, value] of reference.expected[key].entries()) {
        if (value === '-inf') expect(found[key][i]).toBe(Number.NEGATIVE_INFINITY);
        else
          expect(Math.abs(found[key][i]! - value)).toBeLessThan(
            golden.tolerance.abs + golden.tolerance.rel * Math.abs(value),
          );
      }
    }
    const kept = found.temperature_only_logp.filter((_, id) => Number.isFinite(found.behaviour_logp[id]));
    const mass = kept.reduce((sum, logp) => sum + Math.exp(logp), 0);
    expect(mass).toBeCloseTo(reference.expected.kept_probability_mass_under_temperature_only, 12);
  });

  it('refuse options outside their range by name', () => {
    for (const options of [
      { temperature: -1 },
      { topK: 1.5 },
      { topP: 0 },
      { repetitionPenalty: 0 },
      { temperature: Number.NaN },
    ]) {
      expect(() => logitOptions(options)).toThrow(Object.keys(options)[0]);
    }
  });
});

/** Ids drawn from scores. */
function drawTokens(scores: Tensor, uniforms: Tensor): Tensor {
  return nn.drawToken(scores, { ...logitOptions(), uniforms }).select(0, 0);
}

describe('drawn tokens', () => {
  // the 99.9 % quantile of chi-square with n degrees of freedom (Wilson and Hilferty 1931)
  const quantile = (n: number) => n * (1 - 2 / (9 * n) + 3.0902 * Math.sqrt(2 / (9 * n))) ** 3;

  it.each(golden.cases.filter(({ params }) => params.top_k > 0 || params.top_p < 1 || params.temperature === 1))(
    'follow the processed distribution over 100,000 draws: $name',
    (reference) => {
      const probabilities = reference.expected.behaviour_logp.map((logp) =>
        Math.exp(Number(logp === '-inf' ? -Infinity : logp)),
      );
      const draws = 100_000;
      const counts = new Array<number>(probabilities.length).fill(0);
      const rng = new Generator(11);
      const ids = tidy(() => {
        const row = tensor([process(reference).behaviour_logp], { dtype: 'float64' });
        return drawTokens(row.expand([draws, -1]), tensor(rng.random(draws))).toNumbers();
      });
      for (const id of ids) counts[id]! += 1;
      const possible = probabilities.flatMap((p, id) => (p > 0 ? [{ p, count: counts[id]! }] : []));
      expect(possible.reduce((sum, { count }) => sum + count, 0)).toBe(draws);
      // rare outcomes are pooled: the approximation wants five expected of each
      const common = possible.filter(({ p }) => p * draws >= 5);
      const rare = possible.filter(({ p }) => p * draws < 5);
      const cells =
        rare.length === 0
          ? common
          : [...common, { p: rare.reduce((s, { p }) => s + p, 0), count: rare.reduce((s, { count }) => s + count, 0) }];
      const chiSquare = cells.reduce(
        (sum, { p, count }) => sum + (p > 0 ? (count - p * draws) ** 2 / (p * draws) : 0),
        0,
      );
      if (cells.length > 1) expect(chiSquare).toBeLessThan(quantile(cells.length - 1));
    },
  );

  it.each(golden.cases.flatMap((each) => (['float32', 'float64'] as const).map((dtype) => ({ ...each, dtype }))))(
    'come with both log-probs of the reference: $name, $dtype',
    (reference) => {
      const { logits, seen, options } = readCase(reference);
      const uniforms = [0, 0.3, 0.7, 0.999];
      const [ids, trained, behavior] = tidy(() => {
        const [scores, known] = [tensor([logits], { dtype: reference.dtype }), tensor([seen])];
        const rows = [uniforms.length, -1] as const;
        const drawn = nn.drawToken(scores.expand(rows), {
          ...options,
          seen: known.expand(rows).clone(),
          uniforms: tensor(Float64Array.from(uniforms)),
        });
        return [0, 1, 2].map((row) => drawn.select(0, row).toNumbers());
      }) as [number[], number[], number[]];
      const { temperature_only_logp, behaviour_logp } = reference.expected;
      const digits = reference.dtype === 'float64' ? 12 : 5;
      for (const [i, id] of ids.entries()) {
        expect(trained[i]).toBeCloseTo(Number(temperature_only_logp[id]), digits);
        expect(behavior[i]).toBeCloseTo(Number(behaviour_logp[id]), digits);
        expect(Math.max(trained[i]!, behavior[i]!)).toBeLessThanOrEqual(0);
      }
    },
  );

  it('never fall on a removed entry, at either end of the unit interval', () => {
    const removed = Number.NEGATIVE_INFINITY;
    const scores = [removed, 0, removed, 0, removed];
    const ids = tidy(() =>
      drawTokens(
        tensor([scores, scores, scores, scores], { dtype: 'float64' }),
        tensor(Float64Array.of(0, 0.4999, 0.5, 1 - 2 ** -53)),
      ).toNumbers(),
    );
    expect(ids).toEqual([1, 1, 3, 3]);
  });
});
