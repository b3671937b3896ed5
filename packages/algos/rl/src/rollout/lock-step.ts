/**
 * One step of several environments: prompt → encode → sample → parse → (fallback) → environment → record.
 *
 * Flags are set from the final decision (`docs/specs/algorithms.md` 0.8). A failing environment becomes data: its episode
 * is truncated and its siblings continue.
 */
import type { Decision } from '@vlgym/agents/episode';
import { answerConstraint, type ChatMessage, constraintKind, tokenSpans } from '@vlgym/core';
import type { EpisodeStep } from '@vlgym/core/trajectory';
import type { CommonConfig } from '../config/types.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { ModelInput } from '../model-input.js';
import type { RunningTurn } from './episode-hooks.js';
import type { Place } from './forks.js';
import type { StepRecord } from './record.js';
import type { RolloutSampler, SampledResponse } from './sampler.js';
import { checkTokenVersions, versionNumber } from './token-versions.js';

/** A sampled response that has not been played yet. */
interface Sample {
  readonly slot: Place;
  readonly prompt: readonly ChatMessage[];
  readonly input: ModelInput;
  readonly completion: SampledResponse;
  readonly decision: Decision;
}

export interface LockStepOptions {
  /** The buffer ends here: successors are kept for their values. */
  readonly isLast?: boolean;
  /** Also write down what a group needs to know of the step. */
  readonly inGroup?: (slot: Place) => Pick<StepRecord, 'group' | 'stateKey'>;
  /** Called between responses and their execution. @returns the note of each turn. */
  readonly beforeActing?:
    | ((turns: readonly RunningTurn[], slots: readonly Place[]) => Promise<readonly unknown[]>)
    | undefined;
  readonly metrics: MetricsTally;
  readonly signal?: AbortSignal | undefined;
}

export interface PlayedStep {
  readonly slot: Place;
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
  async play(slots: readonly Place[], options: LockStepOptions): Promise<PlayedStep[]> {
    const { isLast = false, inGroup, beforeActing, metrics, signal } = options;
    signal?.throwIfAborted();
    const groups = slots.map((slot) => inGroup?.(slot));
    const samples = await metrics.timed('sample', () => this.#sample(slots, signal));
    const notes = await beforeActing?.(
      samples.map((sample, index) => runningTurn(sample, groups[index]?.group)),
      slots,
    );
    const steps = await metrics.timed('environment', () =>
      Promise.all(samples.map(({ slot: { episode }, decision }) => episode.actOnce(decision))),
    );
    const played: PlayedStep[] = [];
    for (const [index, sample] of samples.entries()) {
      const record = await this.#record(sample, steps[index]!, isLast);
      const note = notes?.[index];
      played.push({ slot: sample.slot, step: { ...record, ...groups[index], ...(note !== undefined && { note }) } });
    }
    return played;
  }

  async #sample(slots: readonly Place[], signal: AbortSignal | undefined): Promise<Sample[]> {
    const { temperature, topK, topP, repetitionPenalty, maxNewTokens } = this.#config.rollout;
    const prompts = slots.map(({ episode }) => episode.prompt());
    const kind = constraintKind(this.#config.rollout.constrain ?? 'none');
    const inputs = prompts.map((prompt, index): ModelInput => {
      const input = this.#policy.encode(prompt);
      if (!kind) return input;
      const { env, state } = slots[index]!.episode;
      return { ...input, constraint: answerConstraint(kind, env, state, maxNewTokens) };
    });
    const completions = await this.#policy.sample(inputs, {
      maxNewTokens,
      temperature,
      topK,
      topP,
      repetitionPenalty,
      rng: slots.map(({ tokenRng }) => tokenRng),
      ...(signal && { signal }),
    });
    return slots.map((slot, index) => {
      const completion = completions[index]!;
      const decision = slot.episode.read(completion.text);
      return { slot, prompt: prompts[index]!, input: inputs[index]!, completion, decision };
    });
  }

  async #record(sample: Sample, step: EpisodeStep, isLast: boolean): Promise<StepRecord> {
    const { slot, input, completion, decision } = sample;
    const { episode } = slot;
    const { id: episodeId, stepIndex, terminated } = episode.state;
    const parsed = decision.parsed!;
    const { result } = step;
    const error = result ? undefined : step.error;
    const reward = { environment: result?.reward ?? 0, format: this.#formatReward(sample) };
    const truncated = !terminated && !episode.isRunning;
    const { thought, action: actionMask } = tokenSpans(parsed, completion.tokenEnds);
    const policyVersion = oldestVersion(completion) ?? this.#policy.version;
    await episode.recorder?.step({
      ...step,
      prompt: sample.prompt,
      turn: { text: completion.text, parsed, completion, policyVersion, value: completion.value },
      fallback: decision.fallback,
      rewardParts: { environment: reward.environment, format: reward.format },
    });
    return {
      environment: slot.index,
      episodeId,
      stepIndex: stepIndex - 1,
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
      fallback: decision.fallback,
      lengthTruncated: completion.finishReason === 'length',
      reward,
      terminated,
      truncated,
      ...(error && { error }),
      value: completion.value ?? 0,
      nextValue: 0,
      ...(result && !terminated && (truncated || isLast) && { successor: this.#policy.encode(episode.prompt()) }),
    };
  }

  #formatReward({ decision: { parsed, fallback }, completion }: Sample): number {
    const { scale, formatValid, formatInvalid } = this.#config.reward;
    const wellFormed = parsed!.formatValid && !fallback && completion.finishReason === 'stop';
    return scale * (wellFormed ? formatValid : formatInvalid);
  }
}

const runningTurn = ({ slot, prompt, completion: response, decision }: Sample, group?: number): RunningTurn => ({
  episode: slot.episode,
  prompt,
  response,
  decision,
  ...(group !== undefined && { group }),
  isFork: slot.origin !== undefined,
});

/** @throws {TokenVersionError} A server named no version for some token. */
function oldestVersion({ versions, tokenIds }: SampledResponse): number | undefined {
  if (!versions) return undefined;
  checkTokenVersions(versions, tokenIds.length);
  return Math.min(...versions.map(({ version }) => versionNumber(version)));
}
