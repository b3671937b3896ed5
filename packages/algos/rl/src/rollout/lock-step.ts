/**
 * One step of several environments: prompt → encode → sample → parse → (fallback) → environment → record.
 *
 * Flags are set from the final decision (`docs/specs/algorithms.md` 0.8). A failing environment becomes data: its episode
 * is truncated and its siblings go on.
 */
import { type Move, playMove } from '@vlgym/agents';
import {
  type Awaitable,
  answerConstraint,
  type ChatMessage,
  constraintKind,
  GymError,
  type ParsedResponse,
  readResponse,
  type StepResult,
  stepLimitOf,
  tokenSpans,
} from '@vlgym/core';
import type { CommonConfig } from '../config/types.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { ModelInput } from '../policy.js';
import type { RolloutSampler, SampledResponse } from './play-episode.js';
import type { StepRecord } from './record.js';
import { type Outcome, settledAll } from './settle.js';
import type { Slot } from './slot.js';
import { withValidReward } from './step-reward.js';
import { checkTokenVersions, versionNumber } from './token-versions.js';

/** A sampled response that has not been played yet. */
interface Sample {
  readonly slot: Slot;
  readonly prompt: readonly ChatMessage[];
  readonly input: ModelInput;
  readonly completion: SampledResponse;
  readonly parsed: ParsedResponse;
  readonly move: Move;
}

export interface LockStepOptions {
  /** The buffer ends here: successors are kept for their values. */
  readonly isLast?: boolean;
  /** Also write down what a group needs to know of the step. */
  readonly inGroup?: (slot: Slot) => Pick<StepRecord, 'group' | 'stateKey'>;
  readonly metrics: MetricsTally;
  readonly signal?: AbortSignal | undefined;
}

export interface PlayedStep {
  readonly slot: Slot;
  readonly step: StepRecord;
}

export class LockStep {
  readonly #policy: RolloutSampler;
  readonly #config: Pick<CommonConfig, 'rollout' | 'reward'>;

  constructor(policy: RolloutSampler, config: Pick<CommonConfig, 'rollout' | 'reward'>) {
    this.#policy = policy;
    this.#config = config;
  }

  /** Plays one step in every slot; records come in the order of the slots. */
  async play(slots: readonly Slot[], options: LockStepOptions): Promise<PlayedStep[]> {
    const { isLast = false, inGroup, metrics, signal } = options;
    signal?.throwIfAborted();
    const groups = slots.map((slot) => inGroup?.(slot));
    const samples = await metrics.timed('sample', () => this.#sample(slots, signal));
    const outcomes = await metrics.timed('environment', async () =>
      settledAll(samples.map((sample) => () => this.#step(sample))),
    );
    const played: PlayedStep[] = [];
    for (const [index, sample] of samples.entries()) {
      const record = await this.#record(sample, withValidReward(outcomes[index]!), isLast);
      played.push({ slot: sample.slot, step: { ...record, ...groups[index] } });
    }
    return played;
  }

  async #sample(slots: readonly Slot[], signal: AbortSignal | undefined): Promise<Sample[]> {
    const { temperature, topK, topP, repetitionPenalty, maxNewTokens, fallback: rule } = this.#config.rollout;
    const prompts = slots.map((slot) => slot.dialogue.prompt(slot.context));
    const kind = constraintKind(this.#config.rollout.constrain ?? 'none');
    const inputs = prompts.map((prompt, index): ModelInput => {
      const input = this.#policy.encode(prompt);
      if (!kind) return input;
      const { env, context } = slots[index]!;
      return { ...input, constraint: answerConstraint(kind, env, context, maxNewTokens) };
    });
    const completions = await this.#policy.sample(inputs, {
      maxNewTokens,
      temperature,
      topK,
      topP,
      repetitionPenalty,
      rng: slots.map((slot) => slot.sampler),
      ...(signal && { signal }),
    });
    return slots.map((slot, index) => {
      const completion = completions[index]!;
      const parsed = readResponse(slot.dialogue, completion.text, slot.context);
      const move = slot.moveOf(parsed.action, rule);
      return { slot, prompt: prompts[index]!, input: inputs[index]!, completion, parsed, move };
    });
  }

  /** Steps the environment, unless the fallback rule leaves it alone. */
  #step({ slot, move }: Sample): Awaitable<StepResult<unknown>> {
    const { rollout, reward } = this.#config;
    return playMove(slot.env, move, slot, {
      reward: rollout.fallbackReward * reward.scale,
      terminated: rollout.fallback === 'terminate',
      truncated: false,
    });
  }

  /** Moves the slot on and makes the record. */
  async #record(sample: Sample, outcome: Outcome<StepResult<unknown>>, isLast: boolean): Promise<StepRecord> {
    const { slot, input, completion, parsed, move } = sample;
    const { action, fallback } = move;
    const stepIndex = slot.history.length;
    // an environment does not see the turns that leave it alone, so its own limit comes too late
    const isLimit = stepIndex + 1 >= stepLimitOf(slot.env);
    const result = outcome.ok ? outcome.value : undefined;
    const error = outcome.ok ? undefined : environmentError(outcome.error);
    const reward = { environment: result?.reward ?? 0, format: this.#formatReward(sample) };
    const terminated = result?.terminated ?? false;
    const truncated = !terminated && (isLimit || (result?.truncated ?? true));
    const isCut = truncated && result?.truncated === false;
    const { thought, action: actionMask } = tokenSpans(parsed, completion.tokenEnds);

    const policyVersion = oldestVersion(completion) ?? this.#policy.version;
    slot.advance(completion.text, action, reward.environment, result ?? slot);
    await slot.recorder?.step({
      prompt: sample.prompt,
      turn: { text: completion.text, parsed, completion, policyVersion, value: completion.value },
      ...(action !== undefined && { action }),
      fallback,
      result,
      rewardParts: { environment: reward.environment, format: reward.format },
      ...(isCut && { truncationReason: 'step-limit' as const }),
      error,
    });
    return {
      environment: slot.index,
      episodeId: slot.episodeId,
      stepIndex,
      policyVersion,
      input,
      text: completion.text,
      responseIds: completion.tokenIds,
      tokenEnds: completion.tokenEnds,
      thoughtMask: thought,
      actionMask,
      behaviorLogProbs: completion.behaviorLogProbs,
      ...(completion.versions && { versions: completion.versions }),
      entropies: new Float32Array(completion.tokenIds.length),
      parsed,
      fallback,
      lengthTruncated: completion.finishReason === 'length',
      reward,
      terminated,
      truncated,
      ...(error && { error }),
      value: completion.value ?? 0,
      nextValue: 0,
      ...(result && !terminated && (truncated || isLast) && { successor: this.#inputOf(slot) }),
    };
  }

  #formatReward({ parsed, move, completion }: Sample): number {
    const { scale, formatValid, formatInvalid } = this.#config.reward;
    const wellFormed = parsed.formatValid && !move.fallback && completion.finishReason === 'stop';
    return scale * (wellFormed ? formatValid : formatInvalid);
  }

  #inputOf(slot: Slot): ModelInput {
    return this.#policy.encode(slot.dialogue.prompt(slot.context));
  }
}

/** @throws {TokenVersionError} A server named no version for some token. */
function oldestVersion({ versions, tokenIds }: SampledResponse): number | undefined {
  if (!versions) return undefined;
  checkTokenVersions(versions, tokenIds.length);
  return Math.min(...versions.map(({ version }) => versionNumber(version)));
}

function environmentError(error: unknown) {
  const code = GymError.isInstance(error) ? error.code : 'ENVIRONMENT_ERROR';
  return { boundary: 'environment' as const, code, message: error instanceof Error ? error.message : String(error) };
}
