/**
 * From a running episode to its trajectory, step by step: pictures go to a store, the rest becomes checked JSON.
 *
 * A recorder has no opinion on where the JSON goes: `TrajectoryWriter` sends it to disk, `recordEpisode` keeps it in
 * memory. Every record passes the schema before it leaves, so what was written can be read.
 */
import type { z } from 'zod';
import { version } from '../../package.json';
import type { ChatMessage, ParsedResponse } from '../dialogue/dialogue.js';
import { tokenSpans } from '../dialogue/token-spans.js';
import type { AnyEnv, ResetResult, StepResult } from '../env.js';
import type { Image } from '../image.js';
import { isImage } from '../images/is-image.js';
import type { EnvSpec } from '../registry/spec.js';
import { digestObservation } from './digest.js';
import { TrajectoryInvalidError } from './errors.js';
import { type ImageStore, MemoryImages } from './images.js';
import {
  type JsonValue,
  type ObservationRecord,
  type StepError,
  type StoredMessage,
  type StoredPart,
  type TokenRecord,
  TRAJECTORY_SCHEMA,
  type Trajectory,
  type TrajectoryHeader,
  type TrajectoryOutcome,
  type TrajectoryStep,
  type TruncationReason,
  trajectoryHeaderSchema,
  trajectoryOutcomeSchema,
  trajectoryStepSchema,
} from './schema.js';
import { toJson } from './to-json.js';

/** Longest JSON text of an observation that is kept beside its digest. */
const MAX_VALUE_LENGTH = 16_384;

export interface EpisodeStart {
  /** Its spec, spaces and dialogue version are recorded. */
  readonly env: AnyEnv;
  /** What `reset` returned. */
  readonly first: ResetResult<unknown>;
  /** What `reset` was given; without a seed the episode cannot be replayed. */
  readonly seed?: number | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the environment's id and the seed. A writer appends `~2`, `~3`, … to an id its folder has already. */
  readonly id?: string | undefined;
  readonly agent?: TrajectoryHeader['agent'];
  readonly group?: string | undefined;
  /** Package name → version, beside `@vlgym/core`. */
  readonly createdBy?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** What an agent said in one turn; an `AgentTurn` of @vlgym/agents fits. */
export interface RecordedTurn {
  readonly text: string;
  readonly parsed?: ParsedResponse<unknown> | undefined;
  readonly completion?:
    | {
        readonly tokenIds: ArrayLike<number>;
        readonly logProbs: ArrayLike<number>;
        readonly behaviourLogProbs: ArrayLike<number>;
        readonly tokenEnds: ArrayLike<number>;
        readonly finishReason: 'stop' | 'length';
        readonly promptTokenIds: ArrayLike<number>;
      }
    | undefined;
  readonly usage?: TrajectoryStep['usage'];
  readonly policyVersion?: number | undefined;
  readonly value?: number | undefined;
  readonly error?: StepError | undefined;
}

export interface EpisodeStep {
  readonly prompt?: readonly ChatMessage[] | undefined;
  readonly turn?: RecordedTurn | undefined;
  /** What was executed; left out when nothing reached the environment. */
  readonly action?: unknown;
  /** The action was drawn at random because the response gave none. */
  readonly fallback?: boolean | undefined;
  /** What `step` returned; left out when the environment did not answer. */
  readonly result?: StepResult<unknown> | undefined;
  /** Components of a shaped reward; `info.rewardParts` when left out. */
  readonly rewardParts?: Readonly<Record<string, number>> | undefined;
  /** Why the caller cuts the episode here; what the environment truncates needs no reason. */
  readonly truncationReason?: TruncationReason | undefined;
  /** What failed; without a `result` it ends the episode. `turn.error` when left out. */
  readonly error?: StepError | undefined;
  readonly latencyMs?: number | undefined;
}

export interface EpisodeEnd {
  readonly success?: boolean | undefined;
}

/** One piece of an episode as it leaves the recorder. */
export type TrajectoryEvent =
  | { readonly event: 'start'; readonly trajectory: TrajectoryHeader }
  | { readonly event: 'step'; readonly id: string; readonly step: TrajectoryStep }
  | { readonly event: 'end'; readonly id: string; readonly outcome: TrajectoryOutcome };

export interface RecorderOptions {
  readonly images: ImageStore;
  /** Receives each piece; when it rejects, the piece does not count as recorded. */
  readonly emit?: (event: TrajectoryEvent) => Promise<void>;
}

/** Records one episode in memory. @returns the recorder, the first observation already in it. */
export function recordEpisode(
  start: EpisodeStart,
  { images = new MemoryImages(), emit }: Partial<RecorderOptions> = {},
): Promise<EpisodeRecorder> {
  return EpisodeRecorder.start(start, emit === undefined ? { images } : { images, emit });
}

export class EpisodeRecorder {
  readonly #steps: TrajectoryStep[] = [];
  readonly #options: RecorderOptions;
  readonly #env: AnyEnv;
  #outcome: TrajectoryOutcome | undefined;

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

  /** The same pictures that the records name. */
  get images(): ImageStore {
    return this.#options.images;
  }

  static async start(start: EpisodeStart, options: RecorderOptions): Promise<EpisodeRecorder> {
    const { env, first, seed, agent, group, metadata } = start;
    const spec = env.spec as EnvSpec | undefined;
    const dialogue = env.dialogue?.version;
    const header = checked(trajectoryHeaderSchema, 'trajectory', {
      schema: TRAJECTORY_SCHEMA,
      id: start.id ?? defaultEpisodeId(env, seed),
      createdBy: { '@vlgym/core': version, ...start.createdBy },
      env: spec && (await plain(spec, options.images)),
      dialogue,
      seed,
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
   * Records one step; await it before the next. Once it resolves, a writer's step outlives the process.
   *
   * @throws {TrajectoryInvalidError} What was given is no step (a reward that is no finite number, …).
   */
  async step(input: EpisodeStep): Promise<TrajectoryStep> {
    this.#refuseWhenEnded();
    const { prompt, turn, result, latencyMs, fallback, error = turn?.error } = input;
    const { images } = this.#options;
    const { parsed } = turn ?? {};
    const truncationReason = reasonOf(input, error);
    const info = result && (await plain(result.info, images));
    const step = checked(trajectoryStepSchema, 'step', {
      index: this.#steps.length,
      prompt: prompt && (await storeMessages(prompt, images)),
      response: turn?.text,
      thought: parsed?.thought,
      actionText: parsed?.actionText,
      legal: parsed?.legal,
      formatValid: parsed?.formatValid,
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
      error,
    });
    await this.#options.emit?.({ event: 'step', id: this.id, step });
    this.#steps.push(step);
    return step;
  }

  /** Ends the episode. Without a last step that terminated or was truncated, it counts as interrupted. */
  async end({ success }: EpisodeEnd = {}): Promise<Trajectory> {
    this.#refuseWhenEnded();
    const outcome = checked(trajectoryOutcomeSchema, 'outcome', { ...summarize(this.#steps), success });
    await this.#options.emit?.({ event: 'end', id: this.id, outcome });
    this.#outcome = outcome;
    return { ...this.header, steps: this.#steps, outcome };
  }

  #refuseWhenEnded(): void {
    if (this.#outcome === undefined) return;
    throw new TrajectoryInvalidError('the episode has ended', [], {}, { value: this.id, hint: 'start a new episode' });
  }
}

/** Return, length and end as the steps themselves tell them. */
export function summarize(steps: readonly TrajectoryStep[]): TrajectoryOutcome {
  const last = steps.at(-1);
  const endedBy = last?.terminated
    ? 'terminated'
    : !last?.truncated
      ? 'interrupted'
      : last.error === undefined
        ? 'truncated'
        : 'error';
  return { return: steps.reduce((sum, { reward }) => sum + reward, 0), length: steps.length, endedBy };
}

/** `gym_cards/Points24-v0`, seed 7 → `gym_cards_Points24-v0.7` */
export function defaultEpisodeId(env: AnyEnv, seed: number | undefined): string {
  const name = (env.spec as EnvSpec | undefined)?.id ?? env.unwrapped.constructor.name;
  const plainName = name.replace(/[^A-Za-z0-9._~-]/g, '_').replace(/^[^A-Za-z0-9]+/, '') || 'episode';
  return `${plainName.slice(0, 160)}${seed === undefined ? '' : `.${seed}`}`;
}

function reasonOf({ result, truncationReason }: EpisodeStep, error: StepError | undefined) {
  if (truncationReason !== undefined) return truncationReason;
  if (result !== undefined) return result.truncated ? 'environment' : undefined;
  return error === undefined ? 'interrupted' : (`${error.boundary}-error` as const);
}

/** The masks follow from the parsed spans and the ends of the tokens. */
function tokenRecord({ completion, parsed }: RecordedTurn): TokenRecord | undefined {
  if (completion === undefined) return undefined;
  const { promptTokenIds, tokenIds, logProbs, behaviourLogProbs, tokenEnds, finishReason } = completion;
  const spans = parsed && tokenSpans(parsed, tokenEnds);
  return {
    promptIds: Array.from(promptTokenIds),
    ids: Array.from(tokenIds),
    logProbs: Array.from(logProbs),
    behaviourLogProbs: Array.from(behaviourLogProbs),
    tokenEnds: Array.from(tokenEnds),
    finishReason,
    ...(spans && { thoughtMask: bits(spans.thought), actionMask: bits(spans.action) }),
  };
}

function bits(mask: Uint8Array): (0 | 1)[] {
  return Array.from(mask, (bit) => (bit ? 1 : 0));
}

function rewardPartsOf(info: JsonValue | undefined): unknown {
  const parts = (info as { rewardParts?: unknown } | undefined)?.rewardParts;
  const isParts = typeof parts === 'object' && parts !== null && Object.values(parts).every(Number.isFinite);
  return isParts ? parts : undefined;
}

async function storeMessages(messages: readonly ChatMessage[], images: ImageStore): Promise<StoredMessage[]> {
  return Promise.all(
    messages.map(async ({ role, content }) => {
      if (typeof content === 'string') return { role, content };
      const parts = content.map(async (part): Promise<StoredPart> => {
        return part.type === 'text' ? part : { type: 'image', image: await images.save(part.image) };
      });
      return { role, content: await Promise.all(parts) };
    }),
  );
}

async function observationRecord(env: AnyEnv, observation: unknown, images: ImageStore): Promise<ObservationRecord> {
  const digest = digestObservation(observation);
  if (isImage(observation)) return { digest, images: [await images.save(observation)] };
  const pictures = picturesIn(observation);
  if (pictures.length > 0) {
    return { digest, images: await Promise.all(pictures.map((picture) => images.save(picture))) };
  }
  const value = encoded(env.observationSpace, observation);
  return JSON.stringify(value).length > MAX_VALUE_LENGTH ? { digest } : { digest, value };
}

/** As the space writes it; what the space refuses is kept all the same, in plain JSON. */
function encoded(space: { encode(value: unknown): unknown }, value: unknown): JsonValue {
  let json = value;
  try {
    json = space.encode(value);
  } catch {
    // an environment out of its own space is what a recording must show
  }
  return toJson(json, { image: () => null });
}

/** Free data as JSON, its pictures in the store as `{ $image: hash }`. */
async function plain(value: unknown, images: ImageStore): Promise<JsonValue> {
  const saved = await Promise.all(picturesIn(value).map((picture) => images.save(picture)));
  return toJson(value, { image: () => ({ $image: saved.shift()! }) });
}

function picturesIn(value: unknown): Image[] {
  const pictures: Image[] = [];
  toJson(value, {
    image: (image) => {
      pictures.push(image);
      return null;
    },
    array: () => null,
  });
  return pictures;
}

function checked<Schema extends z.ZodType>(schema: Schema, what: string, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw TrajectoryInvalidError.fromZod(parsed.error, {}, [what]);
  return parsed.data;
}
