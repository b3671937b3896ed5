/**
 * Losses, KL and merges on real tensors against the reference vectors, gradients by autograd: at the stated tolerance
 * in float64, within 1e-5 in float32 (`docs/specs/algorithms.md` 15.2 and 16).
 */
import { entropyBand, ppoTokenActor, rl4vlmActor } from '@vlgym/baselines';
import { noGrad, type Tensor, tensor, tidy } from '@vlgym/gpu';
import {
  concatenateFactors,
  dareDrop,
  electSign,
  linearMerge,
  loraDelta,
  mergeFactors,
  mergeWeights,
  tiesMerge,
  trim,
  trimWholeModel,
} from '@vlgym/gtr-turbo';
import type { LanguageModel } from '@vlgym/models';
import {
  clipStatistics,
  exactKlTensor,
  klEstimateTensor,
  sftLoss,
  spanWeights,
  stepLogProb,
  tokenDrift,
  valueLoss,
} from '@vlgym/rl/losses';
import { LossBatch, reduceCritic, reduceLoss } from '@vlgym/rl/update';
import { vlDacActor } from '@vlgym/vl-dac';
import { describe, expect, it } from 'vitest';
import { ChunkedScores } from '../packages/models/src/policy/scoring/chunked-scores.js';
import { expectAllRead, expectClose, flat, type Golden, type GoldenCase, golden } from './algos-golden-helper.js';
import { actorOf, microBatch, tokenLogProbs } from './algos-loss-helper.js';

type Precision = 'float64' | 'float32';

const precisions = ['float64', 'float32'] as const;

/** Runs every case of a file in both precisions, each in its own tidy. */
function inBothPrecisions(
  name: string,
  check: (data: GoldenCase, tolerance: Golden['tolerance'], dtype: Precision) => void,
) {
  const { cases, tolerance } = golden(name);
  describe.each(precisions)(`golden ${name} in %s`, (dtype) => {
    const allowed = dtype === 'float64' ? tolerance : { abs: 1e-5, rel: 1e-5 };
    it.each(cases)('$name', (data) => tidy(() => check(data, allowed, dtype)));
  });
}

const leaf = (data: unknown, dtype: Precision): Tensor => tensor(data as number[], { dtype, requiresGrad: true });
const constant = (data: unknown, dtype: Precision | 'int64'): Tensor => tensor(data as number[], { dtype });
const numbers = (value: { toArray(): ArrayLike<unknown> }) => Array.from(value.toArray(), Number);

/** [B*L] 1 on the first `lengths[b]` of L positions. */
function maskOf(lengths: readonly number[], length: number, from = lengths.map(() => 0)): Float64Array {
  return Float64Array.from({ length: lengths.length * length }, (_, i) => {
    const row = Math.floor(i / length);
    return i % length >= from[row]! && i % length < lengths[row]! ? 1 : 0;
  });
}

inBothPrecisions('token_ppo', ({ params, inputs, expected }, tolerance, dtype) => {
  const rows = inputs.logits.length;
  const mask = flat(inputs.mask);
  const options = {
    clipLow: params.clip_low,
    clipHigh: params.clip_high,
    dualClip: params.dual_clip,
  };
  const constantLength = params.constant_length;
  const batch = microBatch(rows, { oldLogProbs: flat(inputs.old_logp), advantages: flat(inputs.advantages), mask });
  const forward = () => {
    const logits = leaf(inputs.logits, dtype);
    const ids = constant(inputs.token_ids, 'int64');
    return { logits, ...tokenLogProbs(logits, ids, constant(inputs.mask, dtype), params.temperature) };
  };
  const masked = (values: unknown) => flat(values).map((value, i) => value * mask[i]!);

  for (const aggregation of [
    'token_mean',
    'seq_mean_token_mean',
    'seq_mean_token_sum',
    'seq_sum_over_constant',
  ] as const) {
    const { logits, logProbs } = forward();
    const { mean } = actorOf(ppoTokenActor, logProbs, batch, options, { aggregation, constantLength });
    expectClose(mean.item(), expected[`loss_${aggregation}`], tolerance, aggregation);
    mean.backward();
    expectClose(numbers(logits.grad!), expected[`grad_logits_${aggregation}`], tolerance, `gradient of ${aggregation}`);
  }

  const { logits, logProbs, entropies } = forward();
  const aggregation = 'token_mean' as const;
  const { loss, mean, ratio, clipped } = actorOf(ppoTokenActor, logProbs, batch, options, { aggregation });
  expectClose(numbers(logProbs), masked(expected.logp), tolerance, 'log-probs');
  expectClose(masked(numbers(ratio!)), masked(expected.ratio), tolerance, 'ratio');
  expectClose(masked(numbers(loss)), masked(expected.token_loss), tolerance, 'token loss');
  expectClose(numbers(entropies), masked(expected.entropy), tolerance, 'entropy');
  // the same by what a policy scores large vocabularies with
  const scored = noGrad(() => {
    const places = Int32Array.from(mask.keys()).filter((place) => mask[place] === 1);
    const language = { config: { vocabSize: inputs.logits[0][0].length }, logits: (states: Tensor) => states };
    return new ChunkedScores({
      language: language as unknown as LanguageModel,
      states: constant(inputs.logits, dtype),
      ids: constant(inputs.token_ids, 'int64'),
      places: tensor(places).to('int64'),
      temperature: params.temperature,
    });
  });
  expectClose(numbers(scored.entropies), masked(expected.entropy), tolerance, 'entropy of a policy');
  expectClose(numbers(scored.logProbs), masked(expected.logp), tolerance, 'log-probs of a policy');
  const tokens = mask.reduce((sum, bit) => sum + bit, 0);
  const withBonus = mean.sub(entropies.sum().mul(0.01 / tokens)) as Tensor;
  expectClose(withBonus.item(), expected['loss_token_mean_with_entropy_bonus_0.01'], tolerance, 'with entropy bonus');
  withBonus.backward();
  expectClose(
    numbers(logits.grad!),
    expected['grad_logits_token_mean_with_entropy_bonus_0.01'],
    tolerance,
    'its gradient',
  );

  const { low, high } = clipStatistics(numbers(ratio!), numbers(clipped!), batch.tokenAdvantages, mask);
  expectClose(low + high, expected.clip_fraction, tolerance, 'clip fraction');
  const drift = tokenDrift(numbers(logProbs), batch.oldLogProbs, mask);
  expectClose(drift.k1, expected.approx_kl_k1, tolerance, 'k1');
  expectClose(drift.k3, expected.approx_kl_k3, tolerance, 'k3');
  expect(rows).toBeGreaterThan(0);
});

inBothPrecisions('rl4vlm_step', ({ params, inputs, expected }, tolerance, dtype) => {
  const rows = inputs.logits.length;
  const length = inputs.logits[0].length;
  const responses = maskOf(inputs.lengths, length);
  const actionMask = maskOf(inputs.lengths, length, inputs.first_action_token);
  const spans = { thoughtMask: responses.map((bit, i) => bit - actionMask[i]!), actionMask };
  const options = {
    temperature: params.temperature,
    thoughtCoefficient: params.thought_coefficient,
    span: params.span_convention === 'all_tokens' ? ('all' as const) : ('skip-first-two' as const),
    clipLow: params.clip,
    clipHigh: params.clip,
  };
  const weights = spanWeights(spans, rows, options);
  // the old log-probability of a step on one of its tokens that count in full
  const oldLogProbs = new Float64Array(rows * length);
  for (const [row, first] of inputs.first_action_token.entries()) {
    oldLogProbs[row * length + first] = inputs.old_step_logp[row];
  }
  const batch = microBatch(rows, {
    mask: responses,
    ...spans,
    oldLogProbs,
    advantages: inputs.advantages,
    returns: inputs.returns,
    oldValues: inputs.old_values,
  });
  expectClose(weights, expected.token_weights, tolerance, 'token weights');

  for (const guard of [null, params.ratio_guard_threshold]) {
    const suffix = guard === null ? '' : '_with_ratio_guard';
    const logits = leaf(inputs.logits, dtype);
    const values = leaf(inputs.values, dtype);
    const mask = constant(responses, dtype).reshape([rows, length]);
    const { logProbs } = tokenLogProbs(logits, constant(inputs.token_ids, 'int64'), mask, params.temperature);
    const actor = actorOf(rl4vlmActor, logProbs, batch, { ...options, ratioGuard: guard });
    const critic = reduceCritic(valueLoss(values, new LossBatch(batch, logProbs), params.value_clip), batch);
    const total = actor.mean.add(critic.mul(params.value_coefficient) as Tensor);
    total.backward();

    expectClose(numbers(stepLogProb(logProbs, weights)), expected.step_logp, tolerance, 'step log-probs');
    const action = numbers(stepLogProb(logProbs, spanWeights(spans, rows, { ...options, thoughtCoefficient: 0 })));
    const both = numbers(stepLogProb(logProbs, spanWeights(spans, rows, { ...options, thoughtCoefficient: 1 })));
    expectClose(action, expected.action_logp, tolerance, 'log-probs of actions');
    expectClose(
      both.map((sum, row) => sum - action[row]!),
      expected.thought_logp,
      tolerance,
      'log-probs of thoughts',
    );
    expectClose(numbers(actor.ratio!), expected.ratio, tolerance, 'ratio');
    expectClose(actor.mean.item(), expected[`policy_loss${suffix}`], tolerance, `policy loss${suffix}`);
    expectClose(critic.item(), expected.value_loss_clipped, tolerance, 'clipped value loss');
    expectClose(total.item(), expected[`total_loss${suffix}`], tolerance, `total${suffix}`);
    expectClose(numbers(logits.grad!), expected[`grad_logits${suffix}`], tolerance, `gradient of logits${suffix}`);
    expectClose(numbers(values.grad!), expected.grad_values, tolerance, 'gradient of values');
    const plain = reduceCritic(valueLoss(values, new LossBatch(batch, logProbs)), batch);
    expectClose(plain.item(), expected.value_loss_plain, tolerance, 'plain value loss');
  }
});

inBothPrecisions('vldac', ({ params, inputs, expected }, tolerance, dtype) => {
  const rows = inputs.logits_new.length;
  const length = inputs.logits_new[0].length;
  const mask = maskOf(inputs.lengths, length);
  const ids = constant(inputs.token_ids, 'int64');
  const maskTensor = constant(mask, dtype).reshape([rows, length]);
  const beta = params.kl_coefficient_beta;
  const alpha = params.value_coefficient_alpha;
  const sampled = (logits: unknown) => numbers(tokenLogProbs(constant(logits, dtype), ids, maskTensor).logProbs);
  const old = sampled(inputs.logits_old);
  const reference = sampled(inputs.logits_reference);
  const batch = microBatch(rows, {
    mask,
    oldLogProbs: old,
    advantages: inputs.step_advantages,
    returns: inputs.step_returns,
    oldValues: inputs.old_values,
  });
  const averaged = (perToken: { mul(other: Tensor): { sum(): unknown } }) => {
    const weights = mask.map((bit, i) => bit / inputs.lengths[Math.floor(i / length)] / rows);
    return perToken.mul(constant(weights, dtype).reshape([rows, length])).sum() as Tensor;
  };

  const forward = (stopGradient: boolean) => {
    const logits = leaf(inputs.logits_new, dtype);
    const hidden = leaf(inputs.hidden_at_last_prompt_token, dtype);
    const head = Object.fromEntries(Object.entries(inputs.value_head).map(([name, data]) => [name, leaf(data, dtype)]));
    const { w1, b1, w2, b2, w3, b3 } = head as Record<string, Tensor>;
    const linear = (x: Tensor, w: Tensor, b: Tensor) => x.matmul(w.transpose(0, 1)).add(b);
    const state = stopGradient ? hidden.detach() : hidden;
    const inner = linear(linear(state, w1!, b1!).clamp(0), w2!, b2!).clamp(0);
    const values = linear(inner, w3!, b3!).squeeze(1);
    const { logProbs } = tokenLogProbs(logits, ids, maskTensor);
    const actor = actorOf(vlDacActor, logProbs, batch, { clipLow: params.clip, clipHigh: params.clip });
    const critic = reduceCritic(valueLoss(values, new LossBatch(batch, logProbs), params.value_clip), batch);
    return { logits, hidden, head, values, logProbs, actor, critic };
  };

  const kls = {
    exact_kl_to_old: ({ logits }: { logits: Tensor }) =>
      averaged(exactKlTensor(logits.logSoftmax(-1), constant(inputs.logits_old, dtype).logSoftmax(-1)) as Tensor),
    k3_to_reference: ({ logProbs }: { logProbs: { sub(other: Tensor): unknown } }) =>
      averaged(
        klEstimateTensor(logProbs.sub(constant(reference, dtype).reshape([rows, length])) as Tensor, 'k3') as Tensor,
      ),
    k3_to_old: ({ logProbs }: { logProbs: { sub(other: Tensor): unknown } }) =>
      averaged(klEstimateTensor(logProbs.sub(constant(old, dtype).reshape([rows, length])) as Tensor, 'k3') as Tensor),
  };
  const klNames = {
    exact_kl_to_old: 'kl_exact_new_to_old',
    k3_to_reference: 'kl_k3_to_reference',
    k3_to_old: 'kl_k3_to_old',
  };
  for (const [name, klOf] of Object.entries(kls)) {
    const run = forward(true);
    const kl = klOf(run as never);
    const total = run.actor.mean.add(kl.mul(beta)).add(run.critic.mul(alpha) as Tensor);
    total.backward();
    expectClose(kl.item(), expected[klNames[name as keyof typeof klNames]], tolerance, name);
    expectClose(total.item(), expected[`total_${name}`], tolerance, `total ${name}`);
    expectClose(numbers(run.logits.grad!), expected[`grad_logits_${name}`], tolerance, `gradient ${name}`);
    for (const [parameter, want] of Object.entries(expected.grad_value_head)) {
      expectClose(numbers(run.head[parameter]!.grad!), want, tolerance, `gradient of ${parameter}`);
    }
    expectClose(numbers(run.values), expected.values, tolerance, 'values');
    expectClose(run.actor.mean.item(), expected.policy_loss, tolerance, 'policy loss');
    expectClose(run.critic.item(), expected.value_loss, tolerance, 'value loss');
    expectClose(
      numbers(run.actor.ratio!).map((ratio, i) => ratio * mask[i]!),
      flat(expected.ratio).map((ratio, i) => ratio * mask[i]!),
      tolerance,
      'ratio',
    );
    expect(run.hidden.grad, 'stop-gradient').toBeNull();
    expect(flat(expected.grad_hidden_with_stop_gradient).every((value) => value === 0)).toBe(true);
    const { low, high } = clipStatistics(
      numbers(run.actor.ratio!),
      numbers(run.actor.clipped!),
      batch.tokenAdvantages,
      mask,
    );
    expectClose(low + high, expected.clip_fraction, tolerance, 'clip fraction');
  }

  const [now, before] = [inputs.logits_new, inputs.logits_old].map((each) => constant(each, dtype).logSoftmax(-1));
  const backwards = averaged(exactKlTensor(before!, now!) as Tensor);
  expectClose(backwards.item(), expected.kl_exact_old_to_new, tolerance, 'KL of the old policy to the new one');

  const open = forward(false);
  (open.critic.mul(alpha) as Tensor).backward();
  expectClose(numbers(open.hidden.grad!), expected.grad_hidden_without_stop_gradient, tolerance, 'gradient of hidden');

  const warmup = forward(true);
  const onlyValue = warmup.critic.mul(alpha) as Tensor;
  onlyValue.backward();
  expectClose(onlyValue.item(), expected.total_during_value_warmup, tolerance, 'warm-up');
  expect(warmup.logits.grad, 'warm-up leaves the policy alone').toBeNull();
  expect(flat(expected.grad_logits_during_value_warmup).every((value) => value === 0)).toBe(true);
});

inBothPrecisions('sft_loss', ({ inputs, expected }, tolerance, dtype) => {
  // the label of position t + 1 is predicted by the logits at t
  const rows = inputs.logits.length;
  const labels: number[][] = inputs.labels.map((row: number[]) => row.slice(1));
  const length = labels[0]!.length;
  const mask = flat(labels).map((label) => (label === -100 ? 0 : 1));
  const logits = leaf(inputs.logits, dtype);
  const ids = constant(
    labels.map((row) => row.map((label) => Math.max(label, 0))),
    'int64',
  );
  const { logProbs } = tokenLogProbs(logits.narrow(1, 0, length), ids, constant(mask, dtype).reshape([rows, length]));
  const loss = sftLoss(logProbs, mask) as Tensor;
  loss.backward();
  expect(mask.filter(Boolean).length).toBe(expected.valid_tokens);
  expectClose(loss.item(), expected.loss_token_mean, tolerance);
  expectClose(numbers(logits.grad!), expected.grad_logits_token_mean, tolerance);
  expectClose(sftLoss(logProbs, mask, 1).item(), expected.loss_token_sum, tolerance);
  for (const [row, mean] of expected.per_sequence_mean.entries()) {
    const own = mask.slice(row * length, (row + 1) * length);
    // a sequence without labels contributes nothing
    if (!own.includes(1)) continue;
    const one = sftLoss(logProbs.narrow(0, row, 1), own).item();
    expectClose(one, mean, tolerance, `mean of sequence ${row}`);
  }
});

inBothPrecisions('entropy_smoothing', ({ params, inputs, expected }, tolerance, dtype) => {
  const entropies = leaf(inputs.token_entropy, dtype);
  const rows = inputs.step_index.length;
  const batch = microBatch(rows, { mask: flat(inputs.mask) });
  const usual = constant(
    inputs.step_index.map((step: number) => [inputs.history_mean_entropy_by_step[step]]),
    dtype,
  );
  expect(params.out_of_range_penalty).toBe(0.1);
  const options = {
    low: params.low,
    high: params.high,
    coefficient: params.entropy_coefficient,
    smoothing: params.smoothing_coefficient,
  };
  const termsOf = (penalty: 'constant' | 'squared') => {
    const terms = entropyBand(entropies, usual, { ...options, penalty });
    const averaging = { aggregation: 'token_mean' } as const;
    return Object.values(terms).map(({ perToken, coefficient }) => {
      return { perToken, mean: reduceLoss(perToken, batch, { averaging }) as Tensor, coefficient };
    });
  };
  const [bonus, band] = termsOf('constant');
  const tokenPenalty = numbers(band!.perToken).map((value, i) => value * batch.mask[i]!);
  expectClose(tokenPenalty, expected.token_penalty, tolerance);
  expectClose(bonus!.mean.item(), expected.mean_entropy, tolerance);
  expectClose(band!.mean.item(), expected.mean_penalty, tolerance);
  const loss = bonus!.mean.item() * bonus!.coefficient + band!.mean.item() * band!.coefficient;
  expectClose(loss, expected.loss_term, tolerance);

  termsOf('squared')[1]!.mean.backward();
  expect(
    numbers(entropies.grad!).some((value) => value !== 0),
    'the squared form has a gradient',
  ).toBe(true);
});

inBothPrecisions('ties_merge', ({ params, inputs, expected }, tolerance, dtype) => {
  const { density, weights } = params;
  if (inputs.models_tensors) {
    for (const [index, model] of inputs.models_tensors.entries()) {
      const tensors = model.map((data: unknown) => constant(data, dtype));
      expectClose(
        tensors.flatMap((one: Tensor) => numbers(trim(one, density))),
        expected.trimmed_per_tensor[index],
        tolerance,
      );
      expectClose(trimWholeModel(tensors, density).flatMap(numbers), expected.trimmed_whole_model[index], tolerance);
    }
    return;
  }
  const vectors: Tensor[] = inputs.task_vectors.map((data: unknown) => constant(data, dtype));
  const trimmed = vectors.map((vector) => trim(vector, density));
  trimmed.forEach((vector, index) => {
    expectClose(numbers(vector), expected.trimmed[index], tolerance, 'trimmed');
  });
  const variants = {
    recommended: { vote: 'weighted', reduction: 'mean' },
    peft_semantics: { vote: 'unweighted', reduction: 'count' },
    frequency_vote: { vote: 'frequency', reduction: 'mean' },
  } as const;
  for (const [name, options] of Object.entries(variants)) {
    expectClose(
      numbers(electSign(trimmed, weights, options.vote)),
      expected[name].elected_sign,
      tolerance,
      `${name} sign`,
    );
    const { merged } = tiesMerge(vectors, { density, weights, ...options });
    expectClose(numbers(merged), expected[name].merged_task_vector, tolerance, `${name} merged`);
  }
  const { merged } = tiesMerge(vectors, { density, weights });
  expectClose(
    numbers(constant(inputs.base, dtype).add(merged as Tensor)),
    expected.recommended.merged_weights,
    tolerance,
  );
});

inBothPrecisions('lora_merge', ({ params, inputs, expected }, tolerance, dtype) => {
  const { weights, scaling_alpha_over_r: scaling } = params;
  const adapters = inputs.lora_A.map((a: unknown, i: number) => ({
    a: constant(a, dtype),
    b: constant(inputs.lora_B[i], dtype),
  }));
  const deltas = adapters.map((adapter: { a: Tensor; b: Tensor }) => loraDelta(adapter, scaling));
  deltas.forEach((delta: Tensor, i: number) => {
    expectClose(numbers(delta), expected.delta_weights[i], tolerance, 'delta');
  });
  const exact = linearMerge(deltas, weights) as Tensor;
  expectClose(numbers(exact), expected.linear_exact, tolerance, 'linear exact');
  const factors = concatenateFactors(adapters, weights, scaling);
  expectClose(numbers(factors.a), expected.linear_concatenated_A, tolerance);
  expectClose(numbers(factors.b), expected.linear_concatenated_B, tolerance);
  expectClose(numbers(factors.b.matmul(factors.a)), expected.linear_exact, tolerance, 'concatenated');

  const norm = (values: ArrayLike<number>) => Math.hypot(...Array.from(values));
  const relativeError = (got: number[], want: number[]) => norm(got.map((value, i) => value - want[i]!)) / norm(want);
  const linear = mergeFactors(adapters, { weights, scaling, method: 'linear' });
  expect(linear.approximate).toBe(true);
  expectClose(numbers(linear.delta), expected.linear_factor_space_delta, tolerance, 'linear factors');
  const linearError = relativeError(numbers(linear.delta), numbers(exact));
  expectClose(linearError, expected.linear_factor_space_relative_error, tolerance);
  for (const density of [0.8, 1]) {
    const name = density === 1 ? '1.0' : '0.8';
    const ties = tiesMerge(deltas, { weights, density }).merged;
    expectClose(numbers(ties), expected[`ties_exact_density_${name}`], tolerance, 'ties exact');
    const approximate = mergeFactors(adapters, { weights, scaling, method: 'ties', density });
    expectClose(numbers(approximate.a), expected[`ties_factor_space_A_density_${name}`], tolerance, 'ties A');
    expectClose(numbers(approximate.b), expected[`ties_factor_space_B_density_${name}`], tolerance, 'ties B');
    const delta = numbers(approximate.delta);
    expectClose(delta, expected[`ties_factor_space_delta_density_${name}`], tolerance, 'ties factors');
    const error = expected[`ties_factor_space_relative_error_density_${name}`];
    expectClose(relativeError(delta, numbers(ties)), error, tolerance);
    const ratio = expected[`ties_factor_space_norm_ratio_density_${name}`];
    expectClose(norm(delta) / norm(numbers(ties)), ratio, tolerance);
  }
});

inBothPrecisions('linear_merge', ({ inputs, expected }, tolerance, dtype) => {
  const checkpoints: Tensor[] = inputs.checkpoints_oldest_first.map((data: unknown) => constant(data, dtype));
  const merge = (weights: ArrayLike<number>) => numbers(linearMerge(checkpoints, weights));
  const count = checkpoints.length;
  expectClose(mergeWeights(count, 'sma'), expected.sma_weights, tolerance);
  expectClose(merge(mergeWeights(count, 'sma')), expected.sma, tolerance);
  for (const alpha of [0.1, 0.5, 0.9]) {
    const weights = mergeWeights(count, 'ema', alpha);
    expectClose(weights, expected[`ema_${alpha}_weights`], tolerance);
    expectClose(merge(weights), expected[`ema_${alpha}`], tolerance);
  }
});

inBothPrecisions('dare_merge', ({ params: { density, weights }, inputs, expected }, tolerance, dtype) => {
  const kept = inputs.task_vectors.map((data: unknown, i: number) =>
    dareDrop(constant(data, dtype), inputs.uniform_draws[i], density),
  );
  kept.forEach((vector: Tensor, i: number) => {
    expectClose(numbers(vector), expected.dropped_and_rescaled[i], tolerance);
  });
  expectClose(numbers(linearMerge(kept, weights)), expected.dare_linear, tolerance);
  expectClose(numbers(tiesMerge(kept, { density: 1, weights }).merged), expected.dare_ties, tolerance);
  expectClose(numbers(electSign(kept, weights)), expected.dare_ties_elected_sign, tolerance);
});

it('compares every expected value of its files', expectAllRead);
