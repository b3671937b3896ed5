/**
 * Fills a rollout buffer: N environments in lock step, one batch of responses per step.
 *
 * prompt → encode → sample → parse → (fallback) → environment → early-end rules → record. Masks and flags are set from
 * the final decision (`algorithms.md` 0.8). The last observation is carried over to the next buffer, and a failing
 * environment becomes data: its episode is truncated and its siblings go on.
 */
import type { Completion } from '@vlgym/agents';

import {
  type AnyEnv,
  type Dialogue,
  type Generator,
  GymError,
  type ParsedResponse,
  type StepResult,
  type TruncationReason,
  tokenSpans,
} from '@vlgym/core';
import type { ModelInput, Policy } from '../policy.js';
import type { AlgorithmConfig } from '../training/config.js';
import type { MetricsTally } from '../training/metrics.js';
import { endsEarly } from './early-end.js';
import type { EpisodeSummary, RolloutBuffer, StepRecord } from './record.js';
import { type Outcome, settledAll } from './settle.js';
import { Slot, type SlotState } from './slot.js';

/** A finished episode with all its steps, for viewers and files. */
export interface Episode extends EpisodeSummary {
  readonly environment: AnyEnv;
  readonly steps: readonly StepRecord[];
}

export interface CollectorOptions {
  readonly policy: Policy;
  readonly environments: readonly AnyEnv[];
  readonly config: Pick<AlgorithmConfig, 'rollout' | 'reward'>;
  /** Parent of every environment's generators. */
  readonly rng: Generator;
  /** Called when an episode ends. */
  readonly onEpisode?: (episode: Episode) => void;
}

export interface CollectOptions {
  readonly metrics: MetricsTally;
  readonly signal?: AbortSignal | undefined;
}

/** What one environment does in one step. */
interface Turn {
  readonly slot: Slot;
  readonly input: ModelInput;
  readonly completion: Completion;
  readonly parsed: ParsedResponse;
  readonly action: unknown;
  readonly fallback: boolean;
}

/** What came of it. */
type Result = Pick<StepResult<unknown>, 'reward' | 'terminated' | 'truncated'> & {
  readonly truncationReason?: TruncationReason;
  readonly error?: unknown;
};

export class Collector {
  readonly #policy: Policy;
  readonly #config: CollectorOptions['config'];
  readonly #onEpisode: CollectorOptions['onEpisode'];
  readonly #slots: readonly Slot[];
  /** Steps of running episodes. */
  readonly #running = new Map<Slot, StepRecord[]>();
  #started = false;

  constructor({ policy, environments, config, rng, onEpisode }: CollectorOptions) {
    this.#policy = policy;
    this.#config = config;
    this.#onEpisode = onEpisode;
    const generators = rng.spawn(environments.length);
    this.#slots = environments.map((env, index) => new Slot(index, env, generators[index]!));
  }

  get environments(): number {
    return this.#slots.length;
  }

  /** How these environments speak; all of one kind. */
  get dialogue(): Dialogue {
    return this.#slots[0]!.dialogue;
  }

  /** T steps of every environment. @throws the signal's reason when aborted. */
  async collect(stepsPerEnvironment: number, { metrics, signal }: CollectOptions): Promise<RolloutBuffer> {
    if (!this.#started) await Promise.all(this.#slots.map((slot) => slot.start()));
    this.#started = true;
    const steps: StepRecord[] = [];
    const episodes: EpisodeSummary[] = [];
    for (let t = 0; t < stepsPerEnvironment; t++) {
      signal?.throwIfAborted();
      const turns = await metrics.timed('sample', () => this.#speak(signal));
      const outcomes = await metrics.timed('environment', async () =>
        settledAll(
          turns.map(
            ({ slot, action, fallback }) =>
              () =>
                this.#act(slot, action, fallback),
          ),
        ),
      );
      const isLast = t === stepsPerEnvironment - 1;
      for (const [index, turn] of turns.entries()) {
        const { step, episode } = this.#record(turn, outcomes[index]!, isLast);
        steps.push(step);
        if (!episode) continue;
        episodes.push(episode);
        await turn.slot.start();
      }
    }
    return { steps, environments: this.#slots.length, episodes };
  }

  /** JSON data with which `load` continues exactly; steps of running episodes are kept by the caller's episode log. */
  save(): readonly SlotState[] {
    return this.#slots.map((slot) => slot.save());
  }

  async load(states: readonly SlotState[]): Promise<void> {
    await Promise.all(this.#slots.map((slot, index) => slot.load(states[index]!)));
    this.#running.clear();
    this.#started = true;
  }

  async #speak(signal: AbortSignal | undefined): Promise<Turn[]> {
    const { temperature, topK, topP, repetitionPenalty, maxNewTokens, fallback: rule } = this.#config.rollout;
    const inputs = this.#slots.map((slot) => this.#policy.encode(slot.dialogue.prompt(slot.context)));
    const completions = await this.#policy.sample(inputs, {
      maxNewTokens,
      temperature,
      topK,
      topP,
      repetitionPenalty,
      rng: this.#slots.map((slot) => slot.sampler),
      ...(signal && { signal }),
    });
    return this.#slots.map((slot, index) => {
      const completion = completions[index]!;
      const parsed = slot.dialogue.parse(completion.text, slot.context);
      const fallback = parsed.action === undefined;
      const action = fallback && rule === 'random' ? slot.randomAction() : parsed.action;
      return { slot, input: inputs[index]!, completion, parsed, action, fallback };
    });
  }

  /** Steps the environment, unless there is nothing to do in it. */
  #act(slot: Slot, action: unknown, fallback: boolean) {
    const rule = this.#config.rollout.fallback;
    if (!fallback || rule === 'random') return slot.env.step(action);
    return {
      observation: slot.observation,
      reward: this.#config.rollout.fallbackReward * this.#config.reward.scale,
      terminated: rule === 'terminate',
      // an environment that is not stepped cannot apply its own limit
      truncated: slot.history.length + 1 >= (slot.env.spec?.maxEpisodeSteps ?? Number.POSITIVE_INFINITY),
      info: slot.info,
    };
  }

  #record(
    turn: Turn,
    outcome: Outcome<StepResult<unknown>>,
    isLast: boolean,
  ): { step: StepRecord; episode?: EpisodeSummary } {
    const { slot, input, completion, parsed, action, fallback } = turn;
    const stepIndex = slot.history.length;
    const result = this.#take(turn, outcome);
    const over = result.terminated || result.truncated;
    const lengthTruncated = completion.finishReason === 'length';
    const { scale, formatValid, formatInvalid } = this.#config.reward;
    const wellFormed = parsed.formatValid && !fallback && !lengthTruncated;
    const { thought, action: actionMask } = tokenSpans(parsed, completion.tokenEnds);
    const needsSuccessor = !result.terminated && result.error === undefined && (result.truncated || isLast);
    const step: StepRecord = {
      environment: slot.index,
      episodeId: slot.episodeId,
      stepIndex,
      policyVersion: this.#policy.version,
      input,
      text: completion.text,
      responseIds: completion.tokenIds,
      tokenEnds: completion.tokenEnds,
      thoughtMask: thought,
      actionMask,
      behaviourLogProbs: completion.behaviourLogProbs,
      oldLogProbs: completion.logProbs,
      entropies: new Float32Array(completion.tokenIds.length),
      parsed,
      ...(action !== undefined && { action: slot.env.actionSpace.encode(action) }),
      fallback,
      lengthTruncated,
      reward: {
        environment: result.reward,
        format: scale * (wellFormed ? formatValid : formatInvalid),
        teacher: 0,
      },
      terminated: result.terminated,
      truncated: result.truncated,
      ...(result.truncationReason && { truncationReason: result.truncationReason }),
      ...(result.error !== undefined && { error: environmentError(result.error) }),
      value: 0,
      nextValue: 0,
      ...(needsSuccessor && { successor: this.#policy.encode(slot.dialogue.prompt(slot.context)) }),
    };
    const running = this.#running.get(slot) ?? [];
    running.push(step);
    this.#running.set(slot, running);
    if (!over) return { step };

    const episode: EpisodeSummary = {
      id: slot.episodeId,
      seed: slot.seed,
      return: slot.return,
      length: slot.history.length,
      success: isSuccess(slot),
      reason: result.terminated ? 'terminated' : (result.truncationReason ?? 'environment'),
    };
    this.#running.delete(slot);
    this.#onEpisode?.({ ...episode, environment: slot.env, steps: running });
    return { step, episode };
  }

  /** Applies early-end rules and moves the slot on. */
  #take({ slot, action, completion }: Turn, outcome: Outcome<StepResult<unknown>>): Result {
    if (!outcome.ok) {
      slot.advance(completion.text, action, 0, slot);
      return {
        reward: 0,
        terminated: false,
        truncated: true,
        truncationReason: 'environment-error',
        error: outcome.error,
      };
    }
    const { earlyEnd } = this.#config.rollout;
    const { reward, terminated, truncated } = outcome.value;
    const encode = (taken: unknown) => JSON.stringify(taken === undefined ? null : slot.env.actionSpace.encode(taken));
    const actions = [...slot.history.map((turn) => turn.action), action].map(encode);
    const early = !terminated && !truncated && endsEarly({ reward, actions }, earlyEnd);
    const given = early ? (earlyEnd.reward ?? reward) : reward;
    slot.advance(completion.text, action, given, outcome.value);
    if (early) return { reward: given, terminated: true, truncated: false, truncationReason: 'rule' };
    return {
      reward: given,
      terminated,
      truncated: truncated && !terminated,
      ...(truncated && !terminated && { truncationReason: 'environment' as const }),
    };
  }
}

/** The environment says so in `info.success`; where it says nothing, a positive return counts. */
function isSuccess({ info, return: total }: Slot): boolean {
  return typeof info.success === 'boolean' ? info.success : total > 0;
}

function environmentError(error: unknown) {
  const code = GymError.isInstance(error) ? error.code : 'ENVIRONMENT_ERROR';
  return { boundary: 'environment' as const, code, message: error instanceof Error ? error.message : String(error) };
}
