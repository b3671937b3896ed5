/** Estimators, schedules, weights and per-step KL against the reference vectors; those with tensors stand in `test/`. */
import { biLevelGae, tokenGae, turnWiseGae } from '@vlgym/baselines';
import { gigpo, groupAdvantage, normalize, shiftedAdvantages, stepGae, storageGae } from '@vlgym/rl/advantages';
import { exactKl, importanceWeights, klEstimate, stepKl } from '@vlgym/rl/losses';
import { cosine, warmupCosine } from '@vlgym/rl/update';
import { describe, expect, it } from 'vitest';
import { expectAllRead, expectClose, flat, golden } from './algos-golden-helper.js';

describe('golden gae', () => {
  const { cases, tolerance } = golden('gae');
  const plain = cases.filter(({ inputs, expected }) => 'advantages' in expected && !Array.isArray(inputs.rewards[0]));
  it.each(plain)('$name', ({ params, inputs, expected }) => {
    const steps = { ...inputs, nextValues: inputs.next_values };
    const { advantages, returns } = stepGae(steps, params);
    expectClose(advantages, expected.advantages, tolerance);
    expectClose(returns, expected.returns, tolerance);
    const terminal = stepGae(steps, { ...params, truncationIsTerminal: true });
    expectClose(terminal.advantages, expected.advantages_if_truncation_is_treated_as_terminal, tolerance);
    expectClose(terminal.returns, expected.returns_if_truncation_is_treated_as_terminal, tolerance);
  });

  it('legacy_storage_semantics', () => {
    const { params, inputs, expected } = cases.find(({ name }) => name === 'legacy_storage_semantics')!;
    const steps = { ...inputs, notDone: inputs.not_done_mask };
    const plainStorage = storageGae(steps, params);
    expectClose(plainStorage.advantages, expected.advantages_plain, tolerance);
    expectClose(plainStorage.returns, expected.returns_plain, tolerance);
    const proper = storageGae({ ...steps, notTimeLimit: inputs.not_timelimit_mask }, params);
    expectClose(proper.advantages, expected.advantages_proper_time_limits, tolerance);
    expectClose(proper.returns, expected.returns_proper_time_limits, tolerance);
  });

  it('batched_time_by_env_with_normalisation', () => {
    const { params, inputs, expected } = cases.find(({ name }) => name.startsWith('batched'))!;
    const { advantages, returns } = stepGae(
      {
        rewards: flat(inputs.rewards),
        values: flat(inputs.values),
        nextValues: flat(inputs.next_values),
        terminated: flat(inputs.terminated),
        truncated: flat(inputs.truncated),
        environments: inputs.rewards[0].length,
      },
      params,
    );
    expectClose(advantages, expected.advantages, tolerance);
    expectClose(returns, expected.returns, tolerance);
    expectClose(normalize(advantages, { eps: 1e-5 }), expected['normalised_sample_std_eps_1e-5'], tolerance);
    expectClose(normalize(advantages, { eps: 1e-8 }), expected['normalised_sample_std_eps_1e-8'], tolerance);
    const population = normalize(advantages, { eps: 1e-8, std: 'population' });
    expectClose(population, expected['normalised_population_std_eps_1e-8'], tolerance);
  });
});

describe('golden gae_multilevel', () => {
  const { cases, tolerance } = golden('gae_multilevel');
  it.each(cases)('$name', ({ params, inputs, expected }) => {
    const tokens = {
      rewards: inputs.token_rewards,
      values: inputs.token_values,
      mask: inputs.model_token_mask,
      endOfTurn: inputs.end_of_turn_mask,
    };
    const options = { gamma: params.gamma_token, lambda: params.lambda, gammaTurn: params.gamma_turn };
    expectClose(tokenGae(tokens, options).advantages, expected.masked_token_gae, tolerance);
    const biLevel = biLevelGae(tokens, options);
    expectClose(biLevel.advantages, expected.bi_level_gae_advantages, tolerance);
    expectClose(biLevel.returns, expected.bi_level_gae_returns, tolerance);
    const ends = flat(inputs.end_of_turn_mask);
    const atEnds = flat(expected.turn_level_gae_at_end_of_turn).filter((_, i) => ends[i]);
    expectClose(biLevel.turnAdvantages, atEnds, tolerance);
    expectClose(turnWiseGae(tokens, options).advantages, expected.turn_wise_gae_broadcast, tolerance);
  });
});

describe('golden group_advantages', () => {
  const { cases, tolerance } = golden('group_advantages');
  it.each(cases)('$name', ({ inputs: { returns, group }, expected }) => {
    const advantages = (options: Parameters<typeof groupAdvantage>[2]) =>
      groupAdvantage(returns, group, options).advantages;
    expectClose(advantages({ kind: 'leave-one-out' }), expected.leave_one_out, tolerance);
    expectClose(advantages({ kind: 'mean' }), expected.mean_centred, tolerance);
    expectClose(advantages({ kind: 'mean-std' }), expected['grpo_sample_std_eps_1e-6'], tolerance);
    const population = advantages({ kind: 'mean-std', std: 'population' });
    expectClose(population, expected['grpo_population_std_eps_1e-6'], tolerance);
    expect(groupAdvantage(returns, group, { kind: 'mean' }).keep).toEqual(expected.dynamic_sampling_keep);
  });
});

describe('golden gigpo', () => {
  const { cases, tolerance } = golden('gigpo');
  it.each(cases)('$name', ({ params, inputs, expected }) => {
    const rows = { ...inputs, anchor: inputs.anchor_state };
    for (const mode of ['mean', 'mean-std'] as const) {
      const want = expected[mode === 'mean' ? 'mean_norm' : 'mean_std_norm'];
      const got = gigpo(rows, { gamma: params.gamma, mode });
      expectClose(got.stepReturns, expected.discounted_step_returns, tolerance);
      expectClose(got.episodeReturns, expected.episode_returns, tolerance);
      expectClose(got.episodeAdvantages, want.episode_advantage, tolerance);
      expectClose(got.stepAdvantages, want.step_advantage, tolerance);
      expectClose(got.advantages, want.total_omega_1, tolerance);
      expectClose(
        gigpo(rows, { gamma: params.gamma, mode, omega: 0.5 }).advantages,
        want['total_omega_0.5'],
        tolerance,
      );
    }
  });
});

describe('golden schedules', () => {
  const { cases, tolerance } = golden('schedules');
  it.each(cases)('$name', ({ params, expected }) => {
    if ('lr' in expected) {
      const { peak, total_steps: total, warmup_ratio: warmupRatio } = params;
      const rates = flat(expected.lr).map((_, step) => warmupCosine(step, { peak, total, warmupRatio }));
      expectClose(rates, expected.lr, tolerance);
      return;
    }
    const { initial, final, period_T: period } = params;
    for (const beyond of ['periodic', 'clamped'] as const) {
      const rates = flat(expected[beyond]).map((_, update) => cosine(update, { initial, final, period, beyond }));
      expectClose(rates, expected[beyond], tolerance);
    }
  });
});

describe('golden kl_estimators', () => {
  const { cases, tolerance } = golden('kl_estimators');
  const kinds = {
    k1: ['k1'],
    k1_clipped_at_zero: ['clipped', Number.POSITIVE_INFINITY],
    k1_clipped_zero_to_ten: ['clipped', 10],
    absolute: ['abs'],
    k2: ['k2'],
    k3: ['k3'],
    forward_clipped: ['forward'],
  } as const;

  it.each(cases.filter(({ inputs }) => 'thought_mask' in inputs))('$name', ({ inputs, expected }) => {
    const { logp_agent: agent, logp_teacher: teacher, thought_mask: thought } = inputs;
    const everything = thought.map(() => 1);
    for (const [name, [estimator, cap]] of Object.entries(kinds)) {
      const perToken = flat(agent).map((value, i) => klEstimate(value - teacher[i], estimator, cap));
      expectClose(perToken, expected.per_token[name], tolerance, name);
      const options = { estimator, cap: cap ?? Number.POSITIVE_INFINITY };
      expectClose(stepKl(agent, teacher, thought, options), expected.reduced[name].mean_over_thought, tolerance, name);
      expectClose(stepKl(agent, teacher, everything, options), expected.reduced[name].mean_over_all, tolerance, name);
    }
    const sentence = { reduction: 'mean-then-clip', cap: Number.POSITIVE_INFINITY } as const;
    const want = expected.reduced.sentence_level_clip_of_mean_k1;
    expectClose(stepKl(agent, teacher, thought, sentence), want.mean_over_thought, tolerance);
    expectClose(stepKl(agent, teacher, everything, sentence), want.mean_over_all, tolerance);
  });

  it('exact_small_vocabulary', () => {
    const { inputs, expected } = cases.find(({ name }) => name === 'exact_small_vocabulary')!;
    const { logp_agent_all: agent, logp_teacher_all: teacher } = inputs;
    expectClose(exactKl(agent, teacher), expected.reverse_kl_agent_to_teacher, tolerance);
    expectClose(exactKl(teacher, agent), expected.forward_kl_teacher_to_agent, tolerance);
    const expectation = (kind: Parameters<typeof klEstimate>[1]) =>
      flat(agent).reduce((sum, value, i) => sum + Math.exp(value) * klEstimate(value - teacher[i], kind), 0);
    expectClose(expectation('k1'), expected.expectation_of_k1_under_agent, tolerance);
    expectClose(expectation('k2'), expected.expectation_of_k2_under_agent, tolerance);
    expectClose(expectation('k3'), expected.expectation_of_k3_under_agent, tolerance);
    expectClose(expectation('clipped'), expected.expectation_of_clipped_k1_under_agent, tolerance);
    expectClose(expectation('abs'), expected.expectation_of_absolute_under_agent, tolerance);
  });
});

describe('golden guidance_entry_points', () => {
  const { cases, tolerance } = golden('guidance_entry_points');
  it.each(cases)('$name', ({ params, inputs, expected }) => {
    const { beta, normalisation_eps: eps } = params;
    const estimate = (rewards: Float64Array) =>
      stepGae(
        { ...inputs, rewards, nextValues: inputs.next_values, truncated: inputs.rewards.map(() => false) },
        params,
      );
    const penalty = flat(inputs.kl).map((kl) => -beta * kl);
    const shifted = (...shifts: Parameters<typeof shiftedAdvantages>[1]) =>
      shiftedAdvantages(inputs.rewards, shifts, estimate, { eps });

    const none = shifted();
    expectClose(none.raw, expected.none.advantages, tolerance);
    expectClose(none.valueTargets, expected.none.returns, tolerance);
    expectClose(none.advantages, expected.none.normalised, tolerance);

    const before = shifted({ amount: penalty, entry: 'advantage' });
    expectClose(before.raw, expected.advantage_penalty_before_normalisation.advantages, tolerance);
    expectClose(before.valueTargets, expected.advantage_penalty_before_normalisation.value_targets, tolerance);
    expectClose(before.advantages, expected.advantage_penalty_before_normalisation.normalised, tolerance);

    const after = shifted({ amount: penalty, entry: 'advantage-after-normalization' });
    expectClose(after.advantages, expected.advantage_penalty_after_normalisation.advantages, tolerance);
    expectClose(after.valueTargets, expected.advantage_penalty_after_normalisation.value_targets, tolerance);

    const reward = shifted({ amount: penalty, entry: 'reward' });
    expectClose(reward.raw, expected.reward_penalty.advantages, tolerance);
    expectClose(reward.valueTargets, expected.reward_penalty.value_targets, tolerance);
    expectClose(reward.advantages, expected.reward_penalty.normalised, tolerance);

    const shift = shifted(
      { amount: penalty, entry: 'return-shift' },
      { amount: inputs.format_reward, entry: 'return-shift' },
    );
    expectClose(shift.raw, expected.return_shift_with_format_reward.advantages, tolerance);
    expectClose(shift.valueTargets, expected.return_shift_with_format_reward.value_targets, tolerance);
    expectClose(shift.advantages, expected.return_shift_with_format_reward.normalised, tolerance);
  });
});

describe('golden importance_weights', () => {
  const { cases, tolerance } = golden('importance_weights');
  it.each(cases)('$name', ({ params: { cap }, inputs, expected }) => {
    const rows = inputs.mask.length;
    const weights = (level: 'token' | 'sequence', mode: 'truncate' | 'mask') =>
      importanceWeights(flat(inputs.logp_trainer_old), flat(inputs.logp_rollout), flat(inputs.mask), rows, {
        level,
        mode,
        cap,
      });
    const truncated = weights('token', 'truncate');
    expectClose(truncated.tokens, expected.token_truncated, tolerance);
    expectClose(weights('token', 'mask').tokens, expected.token_masked, tolerance);
    expectClose(weights('sequence', 'truncate').sequences, expected.sequence_truncated, tolerance);
    expectClose(weights('sequence', 'mask').sequences, expected.sequence_masked, tolerance);
    expectClose(truncated.geometricMean, expected.geometric_mean_ratio, tolerance);
    expectClose(truncated.effectiveSampleSize, expected.effective_sample_size_tokens, tolerance);
    expectClose(truncated.meanAbsoluteGap, expected.mean_absolute_logp_gap, tolerance);
  });
});

it('compares every expected value of its files', expectAllRead);
