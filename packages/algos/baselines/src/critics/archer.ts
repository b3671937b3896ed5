/**
 * ArCHer: a critic of whole answers, trained off-policy on a replay buffer, tells the actor which answers to raise.
 *
 *     Q_i ← r + γ·(1 − d)·V'_i(s'),   V_i ← Q'_i(s, a) with a ~ π(s)               on drawn steps of all updates so far
 *     L   = −mean over drawn states of (min_i Q_i(s, a) − min_i V_i(s))·log π_θ(a | s),   a ~ π(s), log π summed over tokens
 *
 * Q' and V' are slow copies. Every update collects steps, adds them to the buffer, draws states from it and answers them again
 * with the present policy; these answers train V and then the actor. What differs: the published critic is a separate
 * RoBERTa; here it reads hidden states of the frozen reference (`archer-critic.ts`). States are answered once per update
 * and not once per step of the critic, and the three published passes of the actor over 128 states are one over 384. The
 * optional baseline of tokens is left out. Source: "ArCHer: Training Language Model Agents via Hierarchical Multi-Turn RL",
 * arXiv 2402.19446, equations 2 to 5; `docs/specs/algorithms.md` 9.8.
 */
import { Generator } from '@vlgym/core';
import {
  defineAlgorithm,
  type ModelInput,
  type Policy,
  type RolloutBuffer,
  type Run,
  type StepRecord,
} from '@vlgym/rl';
import { targetsFrom } from '@vlgym/rl/advantages';
import { commonOptions, optionGroup, regularizerOptions, taskOption } from '@vlgym/rl/config';
import { regularize } from '@vlgym/rl/losses';
import { rescore } from '@vlgym/rl/rollout';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { likelihoodLossOptions } from '../likelihood-options.js';
import { Scaler, TwinCritic } from './archer-critic.js';
import { ArcherState } from './archer-replay.js';

const count = z.number().int().positive();

const options = z.strictObject({
  ...commonOptions,
  replay: optionGroup({
    capacity: count.default(100_000).describe('newest steps that are drawn from'),
    states: taskOption(count.default(384).describe('states that one update answers again')),
  }),
  critic: optionGroup({
    gamma: taskOption(z.number().min(0).max(1).default(0.95).describe('discount per environment step, γ')),
    tau: z.number().gt(0).max(1).default(0.1).describe('share by which the slow copies follow, τ'),
    width: count.default(256).describe('units of the hidden layer of Q and V'),
    learningRate: taskOption(z.number().positive().default(2e-5).describe('learning rate of Q and V')),
    steps: taskOption(count.default(50).describe('steps of Q and V in one update')),
    batch: taskOption(count.default(128).describe('replayed steps per step of Q and V')),
    warmupUpdates: z.number().int().nonnegative().default(20).describe('first updates that train the critic only'),
  }),
  loss: likelihoodLossOptions,
  regularizer: regularizerOptions,
});

type ArcherRun = Run<z.output<typeof options>, ArcherState>;

/** A state of the buffer with a new response of the present policy. */
interface Fresh {
  readonly step: StepRecord;
  readonly state: Float32Array;
  readonly answered: Float32Array;
}

export const archer = defineAlgorithm({
  name: 'archer',
  title: 'ArCHer',
  source: 'arXiv 2402.19446',
  options,
  recommended: {
    loss: { aggregation: 'seq_mean_token_sum' },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-5, final: 1e-5 } },
  },
  open: ({ config }) => new ArcherState(config.replay.capacity),

  async update(run) {
    const { config, collector, metrics, state, updateIndex } = run;
    const buffer = await collector.collectSteps(run);
    await metrics.timed('score', () => rescore(run, buffer));
    await metrics.timed('critic', () => remember(run, buffer));
    const fresh = await metrics.timed('critic', () => answerAgain(run));
    await metrics.timed('critic', async () => fitCritic(run, fresh));
    metrics.set('replay/steps', state.size);
    if (updateIndex < config.critic.warmupUpdates) {
      metrics.set('optimizer/only-value', 1);
      return buffer;
    }

    const drawn = bufferOf(run, fresh);
    await rescore(run, drawn);
    const advantages = Float64Array.from(fresh, (each) => state.critic!.advantage(each.state, each.answered));
    const targets = targetsFrom(drawn, advantages, config, metrics);
    await optimize(run, drawn, targets, {
      actor: ({ logProbs }, { advantages: A }) => ({ loss: logProbs.mul(A).neg() }),
      regularizer: (outputs, batch) => regularize(outputs, batch, config.regularizer),
      averaging: config.loss,
    });
    return buffer;
  },
});

/** Adds the steps of a buffer to the replay buffer; those of failed environments are left out. */
async function remember({ policy, config, state, rng }: ArcherRun, { steps, trajectories }: RolloutBuffer) {
  const states = await statesOf(
    policy,
    steps.map(({ input }) => input),
  );
  const answered = await statesOf(
    policy,
    steps.map((step) => answeredInput(policy, step)),
  );
  const cut = steps.flatMap(({ successor }) => successor ?? []);
  const successors = await statesOf(policy, cut);
  const { width } = config.critic;
  state.critic ??= new TwinCritic({ state: Scaler.of(states), answered: Scaler.of(answered) }, width, rng);
  const { scalers } = state.critic;
  let position = 0;
  const successorOf = new Map(steps.flatMap((step) => (step.successor ? [[step, successors[position++]!]] : [])));
  for (const rows of trajectories) {
    for (const [index, row] of rows.entries()) {
      const step = steps[row]!;
      const next = successorOf.get(step) ?? states[rows[index + 1] ?? -1];
      if (step.error || (!next && !step.terminated)) continue;
      const { environment, format } = step.reward;
      state.add(step, {
        reward: (environment + format) / config.reward.scale,
        terminated: step.terminated,
        state: scalers.state.apply(states[row]!),
        answered: scalers.answered.apply(answered[row]!),
        next: scalers.state.apply(next ?? states[row]!),
      });
    }
  }
}

/** Draws states from the replay buffer and samples a response of the present policy for each. */
async function answerAgain({ policy, config, collector, state, rng, signal }: ArcherRun): Promise<Fresh[]> {
  const { temperature, topK, topP, repetitionPenalty, maxNewTokens } = config.rollout;
  const drawn = Array.from({ length: config.replay.states }, () => rng.integers(0, state.size));
  const inputs = drawn.map((index) => state.prompt(index));
  const sampling = { temperature, topK, topP, repetitionPenalty, maxNewTokens };
  const completions = await policy.sample(inputs, {
    ...sampling,
    rng: inputs.map(() => new Generator(rng.integers(0, 2 ** 31))),
    ...(signal && { signal }),
  });
  const fresh = completions.map((completion, index): StepRecord => {
    const { length } = completion.tokenIds;
    return {
      environment: -1,
      episodeId: `replay${index}`,
      stepIndex: 0,
      policyVersion: policy.version,
      input: inputs[index]!,
      text: completion.text,
      responseIds: completion.tokenIds,
      tokenEnds: completion.tokenEnds,
      thoughtMask: new Uint8Array(length),
      actionMask: new Uint8Array(length).fill(1),
      behaviorLogProbs: completion.behaviorLogProbs,
      entropies: new Float32Array(length),
      parsed: collector.dialogue.parse(completion.text),
      // the critic knows what comes of an unreadable answer
      fallback: false,
      lengthTruncated: completion.finishReason === 'length',
      reward: { environment: 0, format: 0 },
      terminated: true,
      truncated: false,
      value: 0,
      nextValue: 0,
    };
  });
  const answered = await statesOf(
    policy,
    fresh.map((step) => answeredInput(policy, step)),
  );
  return fresh.map((step, index) => ({
    step,
    state: state.transition(drawn[index]!).state,
    answered: state.critic!.scalers.answered.apply(answered[index]!),
  }));
}

function fitCritic({ config, state, rng, metrics }: ArcherRun, fresh: readonly Fresh[]): void {
  const { steps, batch, gamma, tau, learningRate } = config.critic;
  for (let step = 0; step < steps; step++) {
    const played = Array.from({ length: batch }, () => state.transition(rng.integers(0, state.size)));
    const answered = Array.from({ length: batch }, () => fresh[rng.integers(0, fresh.length)]!);
    const { q, v } = state.critic!.fit(played, answered, { gamma, tau, learningRate });
    metrics.mean('critic/q-loss', q);
    metrics.mean('critic/v-loss', v);
  }
}

/**
 * The text of the response as part of the prompt: its end then stands where a state is read. Not the sampled ids: one of
 * them may stand for a picture that is not there.
 */
function answeredInput(policy: Policy, { input, text }: StepRecord): ModelInput {
  const promptIds = Int32Array.from([...input.promptIds, ...policy.encodeResponse(text).ids]);
  return { promptIds, images: input.images };
}

/** Hidden states of the frozen reference after each input. */
async function statesOf(policy: Policy, inputs: readonly ModelInput[]): Promise<readonly Float32Array[]> {
  if (inputs.length === 0) return [];
  // the state is read at the last prompt token; a response only has to be there
  const sequences = inputs.map((input) => ({ input, responseIds: input.promptIds.slice(-1) }));
  const asked = { weights: 'reference', states: true, logProbs: false, entropies: false } as const;
  return (await policy.score(sequences, asked)).states!;
}

const bufferOf = ({ policy }: ArcherRun, fresh: readonly Fresh[]): RolloutBuffer => ({
  ...(policy.hasSamplingMismatch && { sampler: 'remote' }),
  steps: fresh.map(({ step }) => step),
  trajectories: fresh.map((_, row) => [row]),
  episodes: [],
  taskKeys: [],
});
