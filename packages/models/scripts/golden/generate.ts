/** Decoding with a cache, log-probabilities and entropies of responses, and cut distributions. */
import { Generator as RandomGenerator } from '@vlgym/core';
import { noGrad, tensor, tidy } from '@vlgym/gpu';
import type { BatchBuilder } from '../../src/batch/batch-builder.js';
import { narrowPositions } from '../../src/batch/positions.js';
import type { TokenRow } from '../../src/batch/token-rows.js';
import type { ActorCritic } from '../../src/layers/actor-critic.js';
import { finished } from '../../src/layers/steps.js';
import type { PromptEncoder } from '../../src/policy/prompt-encoder.js';
import { ResponseBatch } from '../../src/policy/scoring/response-batch.js';
import { generate } from '../../src/sampling/generate.js';
import type { SamplingPlan } from '../../src/sampling/plan.js';
import { logitOptions, processLogits } from '../../src/sampling/process-logits.js';
import type { Arrays, Fixture, GoldenModel } from './fixture.js';
import type { Greedy, Precision } from './precision.js';
import type { Report } from './report.js';

interface Parts {
  readonly precision: Precision;
  readonly model: GoldenModel;
  readonly network: ActorCritic;
  readonly builder: BatchBuilder;
  readonly encoder: PromptEncoder;
}

const LOG_PROB_TOLERANCE = 1e-4;
const FLOAT64_TOLERANCE = 1e-8;

export async function compareGenerate(fixture: Fixture, parts: Parts, report: Report): Promise<void> {
  const arrays = fixture.arrays('generate');
  const { greedy, greedy_eos: eos, greedy_penalty: penalty } = fixture.cases.generate;
  const rows = greedy.prompts.map((name) => parts.encoder.encode(fixture.messages(name)));
  const { data: tokens, shape } = arrays.get('greedy/tokens');
  const steps = shape[1]!;
  const pad = eos.pad_token_id;

  const { precision } = parts;
  const greedyOf: Greedy = {
    logits: arrays.get('greedy/logits').data,
    rows: rows.length,
    vocabulary: parts.model.config.vocabSize,
  };
  compareSteps(rows, steps, parts, arrays, greedyOf, report);
  precision.compareTokens(report, 'greedy/tokens sampled', await decode(rows, steps, parts), tokens, greedyOf);

  const ended = arrays.get('greedy_eos/tokens');
  const endTokens = new Set(eos.eos_token_id);
  const found = await decode(rows, ended.shape[1]!, parts, { endTokens }, pad);
  precision.compareTokens(report, 'greedy_eos/tokens', found, ended.data, greedyOf);

  const longest = Math.max(...rows.map(({ promptIds }) => promptIds.length));
  // the published penalty covers padding, which rows here do not have
  const penalizedIds = rows.map(({ promptIds }) => (promptIds.length < longest ? [pad] : []));
  const penalized = arrays.get('greedy_penalty/tokens');
  const logits = logitOptions({ temperature: 0, repetitionPenalty: penalty.repetition_penalty });
  // the reference has no scores with the penalty that would say how close a decision was
  if (!precision.isHalf) {
    report.equal(
      'greedy_penalty/tokens',
      await decode(rows, penalized.shape[1]!, parts, { logits, penalizedIds }),
      penalized.data,
    );
  }
  compareResponses(fixture, parts, arrays, report);
}

/** Tokens [rows * steps] of the sampler. */
async function decode(
  rows: readonly TokenRow[],
  steps: number,
  { network, builder }: Parts,
  change: Partial<SamplingPlan> = {},
  pad = -1,
): Promise<number[]> {
  const sampled = await generate(network, builder, rows, {
    logits: logitOptions({ temperature: 0 }),
    maxNewTokens: steps,
    endTokens: new Set(),
    generators: rows.map(() => new RandomGenerator(0)),
    use: noGrad,
    // the way of large models
    asyncThreshold: 1,
    ...change,
  });
  return sampled.flatMap(({ tokenIds }) => [...tokenIds, ...new Array<number>(steps - tokenIds.length).fill(pad)]);
}

/** Greedy decoding step by step, to see the logits. In half precision each step is given the token of the reference. */
function compareSteps(
  rows: readonly TokenRow[],
  steps: number,
  { model, builder, precision }: Parts,
  arrays: Arrays,
  greedy: Greedy,
  report: Report,
): void {
  noGrad(() =>
    tidy(() => {
      const batch = builder.tokens(rows, 0);
      const columns = batch.promptLength + steps;
      const positions = model.positions(batch, columns);
      const keyMask = builder.keyMask(batch, columns);
      const cache = model.newCache(rows.length, columns);
      let states = model.forward(finished(model.embed(batch.ids, batch.images as never)), {
        positions: narrowPositions(positions, 0, batch.promptLength) as typeof positions,
        mask: builder.causalMask(batch, batch.promptLength),
        cache,
      });
      const wanted = arrays.get('greedy/tokens').data;
      const logits: number[][] = [];
      const tokens: number[][] = [];
      for (let step = 0; step < steps; step += 1) {
        const scores = model.logits(states.select(1, states.size(1) - 1));
        const next = scores.argmax(-1);
        logits.push(scores.toNumbers());
        tokens.push(next.toNumbers());
        const { length } = cache;
        if (step === steps - 1) break;
        const given = precision.isHalf ? next.newTensor(rows.map((_, row) => wanted[row * steps + step]!)) : next;
        states = model.forward(finished(model.embed(given.unsqueeze(1), null)), {
          positions: narrowPositions(positions, length, 1) as typeof positions,
          mask: keyMask?.narrow(3, 0, length + 1) ?? null,
          cache,
        });
      }
      cache.dispose();
      const vocabulary = model.config.vocabSize;
      const byRow = rows.flatMap((_, row) =>
        logits.flatMap((scores) => scores.slice(row * vocabulary, (row + 1) * vocabulary)),
      );
      const chosen = rows.flatMap((_, row) => tokens.map((step) => step[row]!));
      precision.compareTokens(report, 'greedy/tokens', chosen, wanted, { ...greedy, isFed: true });
      precision.compare('states', report, 'greedy/logits', byRow, greedy.logits, arrays.tolerance('greedy/logits'));
    }),
  );
}

function compareResponses(fixture: Fixture, parts: Parts, arrays: Arrays, report: Report): void {
  const { network, builder, encoder, model, precision } = parts;
  const { prompts, logprobs_float64: wide } = fixture.cases.generate.response;
  const rows = prompts.map((name) => ({
    ...encoder.encode(fixture.messages(name)),
    responseIds: Int32Array.from(fixture.text.prompts[name]!.response_ids),
  }));
  const labels = arrays.get('response/labels');
  const columns = labels.shape[1]!;
  // where the logits stand that a label is predicted by, row by row
  const places = rows.map((_, row) =>
    Array.from({ length: columns - 1 }, (__, t) => t).filter((t) => labels.data[row * columns + t + 1] !== -100),
  );
  noGrad(() =>
    tidy(() => {
      const batch = new ResponseBatch(network, builder, rows);
      const { states } = batch.forward();
      const width = batch.mask.size(1);
      const perRow = (numbers: number[]) =>
        rows.map(({ responseIds }, row) => numbers.slice(row * width, row * width + responseIds.length));
      for (const temperature of [1, 0.7]) {
        const key = (kind: string) => `response/${kind}_t${temperature}`;
        const wanted = (kind: string) => {
          const { data } = arrays.get(key(kind));
          return places.flatMap((ts, row) => ts.map((t) => data[row * (columns - 1) + t]!));
        };
        const distribution = batch.logSoftmax(states, temperature);
        const logProbs = perRow(distribution.gather(2, batch.responseIds.unsqueeze(2)).squeeze(2).toNumbers());
        const entropies = perRow(distribution.exp().mul(distribution).sum(-1).neg().toNumbers());
        report.close(
          key('logprobs'),
          logProbs.flat(),
          wanted('logprobs'),
          precision.bound('logProbs', LOG_PROB_TOLERANCE),
        );
        report.close(
          key('entropy'),
          entropies.flat(),
          wanted('entropy'),
          precision.bound('logProbs', LOG_PROB_TOLERANCE),
        );
        const sums = wide?.[`t${temperature}`]?.sum_per_row;
        if (sums && precision.isDouble) {
          const found = logProbs.map((row) => row.reduce((sum, value) => sum + value, 0));
          report.close(`${key('logprobs')} float64 sums`, found, sums, precision.widened(FLOAT64_TOLERANCE));
        }
      }
      const { data, shape } = arrays.get('warped/logits');
      const last = rows.flatMap(({ responseIds }, row) =>
        model.logits(states.select(0, row).select(0, responseIds.length - 1)).toNumbers(),
      );
      precision.compare('states', report, 'warped/logits', last, data, arrays.tolerance('warped/logits', 1e-4));
      const options = logitOptions({ temperature: 0.7, topK: 20, topP: 0.8 });
      // the scores of the reference, as drawing a token takes them: in float32 or wider
      const dtype = precision.isDouble ? 'float64' : 'float32';
      const cut = processLogits(tensor(data, { shape, dtype, device: model.device }), options, null).softmax(-1);
      report.close('warped/probabilities', cut.toNumbers(), arrays.get('warped/probabilities').data, 2e-5);
    }),
  );
}
