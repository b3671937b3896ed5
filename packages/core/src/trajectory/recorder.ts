/**
 * Records a running episode step by step: pictures go to a store, everything else becomes validated JSON.
 *
 * The destination is up to the caller: `TrajectoryWriter` sends records to disk, `recordEpisode` keeps them in memory.
 * Every record passes the schema before it is emitted, so every written file can be read.
 */

import type { z } from 'zod';
import { version } from '../../package.json';
import { SerialQueue } from '../async/serial-queue.js';
import type { AnyEnv } from '../env.js';
import type { Given } from '../options.js';
import { checkNames, names } from '../options.js';
import { redactSecrets } from '../redact-secrets.js';
import { taskKeyOf } from '../tasks/task-key.js';
import type { EpisodeEnd, EpisodeStart, EpisodeStep, RecorderOptions } from './episode.js';
import { TrajectoryInvalidError } from './errors.js';
import { type ImageStore, MemoryImages } from './images.js';
import { summarize } from './outcome.js';
import {
  type StepError,
  TRAJECTORY_SCHEMA,
  type Trajectory,
  type TrajectoryHeader,
  type TrajectoryOutcome,
  type TrajectoryStep,
  trajectoryHeaderSchema,
  trajectoryOutcomeSchema,
  trajectoryStepSchema,
} from './schema.js';
import {
  encoded,
  observationRecord,
  plain,
  rewardPartsOf,
  storeMessages,
  storeToolCalls,
  tokenRecord,
} from './to-record.js';

const RECORD_EPISODE_OPTIONS = names<Given<RecorderOptions>>({ images: 0, emit: 0 });

/** Records one episode in memory. @returns the recorder, which already has the first observation. */
export function recordEpisode(start: EpisodeStart, options: Given<RecorderOptions> = {}): Promise<EpisodeRecorder> {
  checkNames('options', options, RECORD_EPISODE_OPTIONS);
  const { images = new MemoryImages(), emit } = options;
  return EpisodeRecorder.start(start, emit === undefined ? { images } : { images, emit });
}

export class EpisodeRecorder {
  readonly #steps: TrajectoryStep[] = [];
  readonly #options: RecorderOptions;
  readonly #env: AnyEnv;
  #outcome: TrajectoryOutcome | undefined;
  readonly #queue = new SerialQueue();

  private constructor(
    readonly header: TrajectoryHeader,
    env: AnyEnv,
    options: RecorderOptions,
  ) {
    this.#env = env;
    this.#options = options;
  }

  get id(): string {
    return this.header.id;
  }

  /** The steps recorded so far. */
  get steps(): readonly TrajectoryStep[] {
    return this.#steps;
  }

  /** The store with the pictures of the records. */
  get images(): ImageStore {
    return this.#options.images;
  }

  static async start(start: EpisodeStart, options: RecorderOptions): Promise<EpisodeRecorder> {
    const { env, first, seed, agent, group, metadata } = start;
    const { spec } = env;
    const header = checked(trajectoryHeaderSchema, 'trajectory', {
      schema: TRAJECTORY_SCHEMA,
      id: start.id ?? defaultEpisodeId(env, seed),
      createdBy: { '@vlgym/core': version, ...start.createdBy },
      env: spec && (await plain(spec, options.images)),
      dialogue: env.dialogue?.version,
      seed,
      taskKey: taskKeyOf(first.info),
      options: start.options && (await plain(start.options, options.images)),
      agent,
      group,
      observation: await observationRecord(env, first.observation, options.images),
      info: await plain(first.info, options.images),
      metadata: metadata && (await plain(metadata, options.images)),
    });
    await options.emit?.({ event: 'start', trajectory: header });
    return new EpisodeRecorder(header, env, options);
  }

  /**
   * Records one step. Once it resolves, a writer's step survives the end of the process. Calls may overlap and keep their
   * order.
   *
   * @throws {TrajectoryInvalidError} The input is not a valid step (its reward is not finite, …).
   */
  step(input: EpisodeStep): Promise<TrajectoryStep> {
    return this.#enqueue(() => this.#step(input));
  }

  /** Ends the episode. Without a last step that terminated or was truncated, it counts as interrupted. */
  end(input: EpisodeEnd = {}): Promise<Trajectory> {
    return this.#enqueue(() => this.#end(input));
  }

  async #step(input: EpisodeStep): Promise<TrajectoryStep> {
    const { prompt, turn, result, latencyMs = turn?.latencyMs, fallback, error = turn?.error } = input;
    const { images } = this.#options;
    const { parsed } = turn ?? {};
    const truncationReason = reasonOf(input, error);
    const info = result && (await plain(result.info, images));
    const step = checked(trajectoryStepSchema, 'step', {
      index: this.#steps.length,
      prompt: prompt && (await storeMessages(prompt, images)),
      response: turn?.text,
      toolCalls: turn?.toolCalls && (await storeToolCalls(turn.toolCalls, images)),
      reasoning: turn?.reasoning,
      finishReason: turn?.finishReason,
      sampling: turn?.sampling && (await plain(turn.sampling, images)),
      metadata: turn?.metadata && (await plain(turn.metadata, images)),
      thought: parsed?.thought,
      actionText: parsed?.actionText,
      legal: parsed?.legal,
      formatValid: parsed?.formatValid,
      thoughtCorrect: parsed?.thoughtCorrect,
      reason: parsed?.reason,
      spans: parsed?.spans,
      tokens: turn && tokenRecord(turn),
      value: turn?.value,
      policyVersion: turn?.policyVersion,
      action: input.action === undefined ? undefined : encoded(this.#env.actionSpace, input.action),
      fallback,
      reward: result?.reward ?? 0,
      rewardParts: input.rewardParts ?? rewardPartsOf(info),
      terminated: result?.terminated ?? false,
      truncated: truncationReason !== undefined,
      truncationReason,
      observation: result && (await observationRecord(this.#env, result.observation, images)),
      info,
      usage: turn?.usage,
      latencyMs,
      error: error && { ...error, message: redactSecrets(error.message) },
    });
    await this.#options.emit?.({ event: 'step', id: this.id, step });
    this.#steps.push(step);
    return step;
  }

  async #end({ success }: EpisodeEnd): Promise<Trajectory> {
    const outcome = checked(trajectoryOutcomeSchema, 'outcome', { ...summarize(this.#steps), success });
    await this.#options.emit?.({ event: 'end', id: this.id, outcome });
    this.#outcome = outcome;
    return { ...this.header, steps: this.#steps, outcome };
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => {
      if (this.#outcome === undefined) return work();
      const details = { value: this.id, hint: 'start a new episode' };
      throw new TrajectoryInvalidError('the episode has ended', [], {}, details);
    });
  }
}

/** `gym_cards/Points24-v0`, seed 7 → `gym_cards_Points24-v0.7` */
export function defaultEpisodeId(env: AnyEnv, seed: number | undefined): string {
  const name = env.spec?.id ?? env.unwrapped.constructor.name;
  const plainName = name.replace(/[^A-Za-z0-9._~-]/g, '_').replace(/^[^A-Za-z0-9]+/, '') || 'episode';
  return `${plainName.slice(0, 160)}${seed === undefined ? '' : `.${seed}`}`;
}

function reasonOf({ result, truncationReason }: EpisodeStep, error: StepError | undefined) {
  if (truncationReason !== undefined) return truncationReason;
  if (result !== undefined) return result.truncated ? 'environment' : undefined;
  return error === undefined ? 'interrupted' : (`${error.boundary}-error` as const);
}

function checked<Schema extends z.ZodType>(schema: Schema, what: string, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw TrajectoryInvalidError.fromZod(parsed.error, {}, [what]);
  return parsed.data;
}
