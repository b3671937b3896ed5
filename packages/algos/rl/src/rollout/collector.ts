/**
 * Fills a rollout buffer: N environments in lock step, one batch of responses per step.
 *
 * prompt → encode → sample → parse → (fallback) → environment → record. Flags are set from the final decision
 * (`docs/specs/algorithms.md` 0.8). The last observation is carried over to the next buffer, and a failing environment becomes
 * data: its episode is truncated and its siblings go on.
 */
import type { Completion } from '@vlgym/agents';
import {
  type AnyEnv,
  type ChatMessage,
  type Dialogue,
  type EpisodeRecorder,
  type EpisodeStart,
  type Generator,
  GymError,
  type ImageStore,
  type ParsedResponse,
  recordEpisode,
  type StepResult,
  type Trajectory,
  tokenSpans,
} from '@vlgym/core';
import type { ModelInput, Policy } from '../policy.js';
import type { AlgorithmConfig } from '../training/config.js';
import type { MetricsTally } from '../training/metrics.js';
import type { EpisodeSummary, RolloutBuffer, StepRecord } from './record.js';
import { type Outcome, settledAll } from './settle.js';
import { Slot, type SlotState } from './slot.js';
import { InvalidRewardError, NoValidRewardError, withValidReward } from './step-reward.js';

export interface CollectorOptions {
  readonly policy: Policy;
  readonly environments: readonly AnyEnv[];
  readonly config: Pick<AlgorithmConfig, 'rollout' | 'reward'>;
  /** Parent of every environment's generators. */
  readonly rng: Generator;
  /** Records every episode as a trajectory, e.g. `(start) => writer.start(start)`. */
  readonly record?: (start: EpisodeStart) => Promise<EpisodeRecorder>;
  /** Called with every finished episode and the pictures it names; recorded in memory unless `record` does it. */
  readonly onTrajectory?: (trajectory: Trajectory, images: ImageStore) => void;
}

export interface CollectOptions {
  readonly metrics: MetricsTally;
  readonly signal?: AbortSignal | undefined;
}

/** What the agent says in one step of one environment. */
interface Utterance {
  readonly slot: Slot;
  readonly prompt: readonly ChatMessage[];
  readonly input: ModelInput;
  readonly completion: Completion & { readonly value: number };
  readonly parsed: ParsedResponse;
  /** What is executed; absent when nothing reaches the environment. */
  readonly action: unknown;
  readonly fallback: boolean;
}

export class Collector {
  readonly #policy: Policy;
  readonly #config: CollectorOptions['config'];
  readonly #slots: readonly Slot[];
  readonly #onTrajectory: CollectorOptions['onTrajectory'];
  #started = false;

  constructor({ policy, environments, config, rng, record, onTrajectory }: CollectorOptions) {
    this.#policy = policy;
    this.#config = config;
    this.#onTrajectory = onTrajectory;
    const generators = rng.spawn(environments.length);
    const start = record ?? (onTrajectory && ((episode: EpisodeStart) => recordEpisode(episode)));
    this.#slots = environments.map((env, index) => new Slot(index, env, generators[index]!, start));
  }

  get environments(): number {
    return this.#slots.length;
  }

  /** How these environments speak; all of one kind. */
  get dialogue(): Dialogue {
    return this.#slots[0]!.dialogue;
  }

  /**
   * T steps of every environment.
   *
   * @throws the signal's reason when aborted.
   * @throws {NoValidRewardError} There is nothing to learn from in any of them.
   */
  async collect(stepsPerEnvironment: number, { metrics, signal }: CollectOptions): Promise<RolloutBuffer> {
    if (!this.#started) await Promise.all(this.#slots.map((slot) => slot.start()));
    this.#started = true;
    const steps: StepRecord[] = [];
    const episodes: EpisodeSummary[] = [];
    const refused: unknown[] = [];
    const taskKeys = new Set<string>();
    for (let t = 0; t < stepsPerEnvironment; t++) {
      signal?.throwIfAborted();
      const utterances = await metrics.timed('sample', () => this.#speak(signal));
      const outcomes = await metrics.timed('environment', async () =>
        settledAll(utterances.map((utterance) => () => this.#act(utterance))),
      );
      const isLast = t === stepsPerEnvironment - 1;
      for (const [index, utterance] of utterances.entries()) {
        if (utterance.slot.taskKey !== undefined) taskKeys.add(utterance.slot.taskKey);
        const outcome = withValidReward(outcomes[index]!);
        if (!outcome.ok && outcome.error instanceof InvalidRewardError) refused.push(outcome.error);
        const step = await this.#take(utterance, outcome, isLast);
        steps.push(step);
        if (!step.terminated && !step.truncated) continue;
        episodes.push(await this.#finish(utterance.slot, step));
        await utterance.slot.start();
      }
    }
    if (refused.length > 0 && refused.length === steps.length) throw new NoValidRewardError(steps.length, refused[0]);
    return { steps, environments: this.#slots.length, episodes, taskKeys: [...taskKeys] };
  }

  /** JSON data with which `load` continues exactly. */
  save(): readonly SlotState[] {
    return this.#slots.map((slot) => slot.save());
  }

  async load(states: readonly SlotState[]): Promise<void> {
    await Promise.all(this.#slots.map((slot, index) => slot.load(states[index]!)));
    this.#started = true;
  }

  async #speak(signal: AbortSignal | undefined): Promise<Utterance[]> {
    const { temperature, topK, topP, repetitionPenalty, maxNewTokens, fallback: rule } = this.#config.rollout;
    const prompts = this.#slots.map((slot) => slot.dialogue.prompt(slot.context));
    const inputs = prompts.map((prompt) => this.#policy.encode(prompt));
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
      return { slot, prompt: prompts[index]!, input: inputs[index]!, completion, parsed, action, fallback };
    });
  }

  /** Steps the environment, unless there is nothing to do in it. */
  #act({ slot, action }: Utterance) {
    if (action !== undefined) return slot.env.step(action);
    const { rollout, reward } = this.#config;
    return {
      observation: slot.observation,
      reward: rollout.fallbackReward * reward.scale,
      terminated: rollout.fallback === 'terminate',
      // an environment that is not stepped cannot apply its own limit
      truncated: slot.history.length + 1 >= (slot.env.spec?.maxEpisodeSteps ?? Number.POSITIVE_INFINITY),
      info: slot.info,
    };
  }

  /** Moves the slot on and makes the record. */
  async #take(utterance: Utterance, outcome: Outcome<StepResult<unknown>>, isLast: boolean): Promise<StepRecord> {
    const { slot, input, completion, parsed, action, fallback } = utterance;
    const stepIndex = slot.history.length;
    const result = outcome.ok ? outcome.value : undefined;
    const error = outcome.ok ? undefined : environmentError(outcome.error);
    const reward = { environment: result?.reward ?? 0, format: this.#formatReward(utterance), teacher: 0 };
    const terminated = result?.terminated ?? false;
    const truncated = !terminated && (result?.truncated ?? true);
    const { thought, action: actionMask } = tokenSpans(parsed, completion.tokenEnds);

    slot.advance(completion.text, action, reward.environment, result ?? slot);
    await slot.recorder?.step({
      prompt: utterance.prompt,
      turn: { text: completion.text, parsed, completion, policyVersion: this.#policy.version, value: completion.value },
      ...(action !== undefined && { action }),
      fallback,
      result,
      rewardParts: { environment: reward.environment, format: reward.format },
      error,
    });
    return {
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
      behaviorLogProbs: completion.behaviorLogProbs,
      oldLogProbs: completion.logProbs,
      entropies: new Float32Array(completion.tokenIds.length),
      parsed,
      fallback,
      lengthTruncated: completion.finishReason === 'length',
      reward,
      terminated,
      truncated,
      ...(error && { error }),
      value: completion.value,
      nextValue: 0,
      ...(result && !terminated && (truncated || isLast) && { successor: this.#inputOf(slot) }),
    };
  }

  #formatReward({ parsed, fallback, completion }: Utterance): number {
    const { scale, formatValid, formatInvalid } = this.#config.reward;
    const wellFormed = parsed.formatValid && !fallback && completion.finishReason === 'stop';
    return scale * (wellFormed ? formatValid : formatInvalid);
  }

  async #finish(slot: Slot, { terminated, error }: StepRecord): Promise<EpisodeSummary> {
    const { info, recorder } = slot;
    // the environment says so itself; where it says nothing, a positive return counts
    const success = typeof info.success === 'boolean' ? info.success : slot.return > 0;
    const trajectory = await recorder?.end({ success });
    if (trajectory && recorder) this.#onTrajectory?.(trajectory, recorder.images);
    const given = [info.truncationReason, info.terminationReason].find((entry) => typeof entry === 'string');
    const reason = error ? 'environment-error' : (given ?? (terminated ? 'terminated' : 'environment'));
    const { episodeId: id, seed, taskKey, return: total, history } = slot;
    return {
      id,
      seed,
      ...(taskKey !== undefined && { taskKey }),
      return: total,
      length: history.length,
      success,
      reason,
    };
  }

  #inputOf(slot: Slot): ModelInput {
    return this.#policy.encode(slot.dialogue.prompt(slot.context));
  }
}

function environmentError(error: unknown) {
  const code = GymError.isInstance(error) ? error.code : 'ENVIRONMENT_ERROR';
  return { boundary: 'environment' as const, code, message: error instanceof Error ? error.message : String(error) };
}
