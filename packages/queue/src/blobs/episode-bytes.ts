/**
 * A played episode as bytes and back, exactly: token ids, log-probs and pictures come out as they went in.
 *
 * One JSON text per episode. Numbers of single precision are kept as their bytes, pictures as PNG, each picture once.
 * Equal episodes give equal bytes, so their names are equal too.
 */
import { GymError, type Image } from '@vlgym/core';
import { decodePng, encodePng, hashImage } from '@vlgym/core/images';
import { PictureBudget } from '@vlgym/core/internal';
import type { ModelInput, StepRecord } from '@vlgym/rl';
import type { EpisodeSummary, PlayedEpisode } from '@vlgym/rl/rollout';
import { z } from 'zod';

const SCHEMA = 'vlgym.episode/1';
/** Largest blob that is read. */
/** Bytes of all pictures of an episode when they are decoded. */
const MAX_PIXEL_BYTES = 2 ** 31;
const MAX_EPISODE_BYTES = 256 * 1024 * 1024;

const count = z.number().int().nonnegative();
const ids = z.array(z.number().int()).max(4_194_304);
const bytes = z.base64();
const limits = { maxTokens: count };
const constraint = z.discriminatedUnion('kind', [
  z.strictObject({
    ...limits,
    kind: z.literal('actions'),
    without: z.array(z.string()).nullable(),
    endings: z.array(z.string()),
  }),
  z.strictObject({ ...limits, kind: z.literal('json'), schema: z.record(z.string(), z.unknown()) }),
]);
const input = z.strictObject({ promptIds: ids, images: z.array(z.string()), constraint: constraint.optional() });
const span = z.tuple([count, count]);

const stepSchema = z.strictObject({
  stepIndex: count,
  policyVersion: count,
  versions: z.array(z.strictObject({ version: z.string(), start: count, end: count })).optional(),
  stateKey: z.string().optional(),
  input,
  text: z.string(),
  responseIds: ids,
  tokenEnds: ids,
  thoughtMask: bytes,
  actionMask: bytes,
  behaviorLogProbs: bytes,
  parsed: z.looseObject({
    thought: z.string(),
    actionText: z.string(),
    legal: z.boolean(),
    formatValid: z.boolean(),
    spans: z.strictObject({ thought: span.optional(), action: span }),
  }),
  fallback: z.boolean(),
  lengthTruncated: z.boolean(),
  reward: z.strictObject({ environment: z.number(), format: z.number() }),
  terminated: z.boolean(),
  truncated: z.boolean(),
  error: z.strictObject({ boundary: z.string(), code: z.string(), message: z.string() }).optional(),
  successor: input.optional(),
});

const episodeSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  summary: z.strictObject({
    seed: count,
    taskKey: z.string().optional(),
    return: z.number(),
    length: count,
    success: z.boolean(),
    reason: z.string(),
  }),
  steps: z.array(stepSchema).max(100_000),
  /** PNG by hash. */
  images: z.record(z.string(), bytes),
});

/** Bytes that are not an episode. */
export class EpisodeInvalidError extends GymError {
  constructor(problem: string, cause?: unknown) {
    super(`A trajectory cannot be read: ${problem}.`, {
      code: 'EPISODE_INVALID',
      expected: `one episode as \`${SCHEMA}\``,
      hint: 'workers and learner must run the same version of @vlgym/queue',
      cause,
    });
  }
}

export function episodeToBytes({ steps, summary }: PlayedEpisode): Uint8Array {
  const images: Record<string, string> = {};
  const store = (image: Image) => {
    const hash = hashImage(image);
    images[hash] ??= base64(encodePng(image));
    return hash;
  };
  const stored = ({ promptIds, images, constraint }: ModelInput) => ({
    promptIds: Array.from(promptIds),
    images: images.map(store),
    ...(constraint && { constraint }),
  });
  const { id: _id, ...rest } = summary;
  const lines = steps.map((step) => ({
    stepIndex: step.stepIndex,
    policyVersion: step.policyVersion,
    ...(step.versions && { versions: step.versions }),
    ...(step.stateKey !== undefined && { stateKey: step.stateKey }),
    input: stored(step.input),
    text: step.text,
    responseIds: Array.from(step.responseIds),
    tokenEnds: Array.from(step.tokenEnds),
    thoughtMask: base64(step.thoughtMask),
    actionMask: base64(step.actionMask),
    behaviorLogProbs: base64(step.behaviorLogProbs),
    parsed: step.parsed,
    fallback: step.fallback,
    lengthTruncated: step.lengthTruncated,
    reward: step.reward,
    terminated: step.terminated,
    truncated: step.truncated,
    ...(step.error && { error: step.error }),
    ...(step.successor && { successor: stored(step.successor) }),
  }));
  return new TextEncoder().encode(JSON.stringify({ schema: SCHEMA, summary: rest, steps: lines, images }));
}

/** @param place  Who the episode is to the learner: its id, its group, its number among the environments. */
export function episodeFromBytes(
  data: Uint8Array,
  place: { readonly id: string; readonly group?: number; readonly environment: number },
): PlayedEpisode {
  if (data.byteLength > MAX_EPISODE_BYTES) throw new EpisodeInvalidError(`it has ${data.byteLength} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
  } catch (cause) {
    throw new EpisodeInvalidError('it is not JSON', cause);
  }
  const parsed = episodeSchema.safeParse(json);
  if (!parsed.success) throw new EpisodeInvalidError(z.prettifyError(parsed.error).split('\n')[0]!, parsed.error);
  const { summary, steps, images } = parsed.data;
  const budget = new PictureBudget(MAX_PIXEL_BYTES);
  const decoded = new Map(Object.entries(images).map(([hash, png]) => [hash, imageOf(hash, png, budget)]));
  const inputOf = (stored: z.output<typeof input>): ModelInput => ({
    promptIds: Int32Array.from(stored.promptIds),
    ...(stored.constraint && { constraint: stored.constraint }),
    images: stored.images.map((hash) => {
      const image = decoded.get(hash);
      if (!image) throw new EpisodeInvalidError(`the picture ${hash} is missing`);
      return image;
    }),
  });
  return {
    summary: { id: place.id, ...summary } as EpisodeSummary,
    steps: steps.map((step) => recordOf(step, inputOf, place)),
  };
}

function recordOf(
  { input: given, successor, ...step }: z.output<typeof stepSchema>,
  inputOf: (stored: z.output<typeof input>) => ModelInput,
  { id, group, environment }: Parameters<typeof episodeFromBytes>[1],
): StepRecord {
  const length = step.responseIds.length;
  const list = (name: 'thoughtMask' | 'actionMask', entry: Uint8Array) => {
    if (entry.length === length) return entry;
    throw new EpisodeInvalidError(`${name} has ${entry.length} entries for ${length} tokens`);
  };
  const behavior = Uint8Array.from(Buffer.from(step.behaviorLogProbs, 'base64'));
  if (behavior.byteLength !== 4 * length) throw new EpisodeInvalidError('behaviorLogProbs has the wrong length');
  return {
    ...(step as unknown as StepRecord),
    environment,
    episodeId: id,
    ...(group !== undefined && { group }),
    input: inputOf(given),
    ...(successor && { successor: inputOf(successor) }),
    responseIds: Int32Array.from(step.responseIds),
    tokenEnds: Int32Array.from(step.tokenEnds),
    thoughtMask: list('thoughtMask', Uint8Array.from(Buffer.from(step.thoughtMask, 'base64'))),
    actionMask: list('actionMask', Uint8Array.from(Buffer.from(step.actionMask, 'base64'))),
    behaviorLogProbs: new Float32Array(behavior.buffer),
    entropies: new Float32Array(length),
    value: 0,
    nextValue: 0,
  };
}

function imageOf(hash: string, png: string, budget: PictureBudget): Image {
  const file = Buffer.from(png, 'base64');
  budget.spend(file);
  const image = decodePng(file);
  if (hashImage(image) !== hash) throw new EpisodeInvalidError(`the picture ${hash} has other pixels`);
  return image;
}

const base64 = (data: Uint8Array | Float32Array): string =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
