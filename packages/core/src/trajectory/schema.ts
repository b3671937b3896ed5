/**
 * The trajectory: one episode as data. Agents make it, trainers learn from it, reports show it, `replay` verifies it.
 *
 * The fields are the step record of a vision-language rollout (prompt, response, spans, token ids, log-probs, parse
 * result, reward parts, end flags, policy version). Pictures stand outside, named by content hash. All of it is JSON,
 * without a clock: equal episodes give equal bytes. `hostile-files.test.ts` pins what is refused.
 */
import { z } from 'zod';
import type { EnvSpec } from '../registry/spec.js';
import { MAX_TASK_KEY_LENGTH } from '../tasks/task-key.js';

/** Name and version of the layout; a reader refuses any other. */
export const TRAJECTORY_SCHEMA = 'vlgym.trajectory/1';

/** What one trajectory may hold; a file that goes beyond is refused, not loaded. */
export const TRAJECTORY_LIMITS = {
  steps: 100_000,
  /** UTF-16 units of one text. */
  text: 4_194_304,
  messages: 10_000,
  parts: 10_000,
  tokens: 4_194_304,
  /** Nesting of `info` and other free JSON. */
  depth: 64,
} as const;

const { text: maxText, tokens: maxTokens } = TRAJECTORY_LIMITS;

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

const text = z.string().max(maxText);
const name = z.string().min(1).max(1024);
const count = z.number().int().nonnegative();
const json = z.custom<JsonValue>((value) => isJson(value), `JSON data, at most ${TRAJECTORY_LIMITS.depth} levels deep`);
const jsonObject = z.custom<{ [key: string]: JsonValue }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value),
  `a JSON object, at most ${TRAJECTORY_LIMITS.depth} levels deep`,
);

/** `sha256:` and 64 lower-case hexadecimal digits; see `hashImage` and `digestObservation` for what is hashed. */
export const contentHashSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 hexadecimal digits');
export type ContentHash = z.infer<typeof contentHashSchema>;

/** Letters, digits and `._~-`, so that an id is a file name and a part of an address everywhere. */
export const episodeIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/,
    'letters, digits and ._~-, at most 200, starting with a letter or digit',
  );

export const storedPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), image: contentHashSchema }),
]);
/** A part of a chat message with its picture by hash. */
export type StoredPart = z.infer<typeof storedPartSchema>;

export const storedMessageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([text, z.array(storedPartSchema).max(TRAJECTORY_LIMITS.parts)]),
});
/** A `ChatMessage` with its pictures by hash. */
export type StoredMessage = z.infer<typeof storedMessageSchema>;

export const observationRecordSchema = z.object({
  /** `digestObservation` of the whole observation: what a replay compares. */
  digest: contentHashSchema,
  /** The pictures in it, in order of appearance; for a picture observation the one entry equals `digest`. */
  images: z.array(contentHashSchema).max(TRAJECTORY_LIMITS.parts).optional(),
  /** The observation as its space encodes it, where it is small and holds no picture. */
  value: json.optional(),
});
export type ObservationRecord = z.infer<typeof observationRecordSchema>;

const span = z.tuple([count, count]);
const bit = z.union([z.literal(0), z.literal(1)]);
const tokenIds = z.array(count).max(maxTokens);
const logProbs = z.array(z.number()).max(maxTokens);
const tokenMask = z.array(bit).max(maxTokens);

/** Token-level record of one response of L tokens; all lists but `promptIds` have length L. */
export const tokenRecordSchema = z.object({
  /** Exact ids the model read, image tokens expanded; length P. */
  promptIds: tokenIds.optional(),
  ids: tokenIds,
  /** 1 on tokens the model produced, end of sequence included. */
  mask: tokenMask.optional(),
  /** Log-probabilities under the training definition: log-softmax(logits / temperature), nothing truncated. */
  logProbs: logProbs.optional(),
  /** Log-probabilities of the distribution really sampled from. */
  behaviorLogProbs: logProbs.optional(),
  /** 1 on tokens of the thought; disjoint from `actionMask`. */
  thoughtMask: tokenMask.optional(),
  actionMask: tokenMask.optional(),
  /** UTF-16 offset in `response` at which each token ends; never decreases. */
  tokenEnds: tokenIds.optional(),
  /** `length`: the response was cut by its limit. */
  finishReason: z.enum(['stop', 'length']).optional(),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/** Where a step failed. A failure is data: the episode ends, its siblings go on. */
export const stepErrorSchema = z.object({
  boundary: z.enum(['environment', 'agent', 'model', 'parser', 'tool']),
  /** Stable code, e.g. that of a `GymError`. */
  code: name,
  message: text,
});
export type StepError = z.infer<typeof stepErrorSchema>;

/**
 * Why a step was truncated. `environment`: the environment or one of its wrappers said so. The others come from
 * outside: the runner's own step limit, a rule of the algorithm, a spent budget, a failure, a stopped process.
 */
export const truncationReasons = [
  'environment',
  'step-limit',
  'rule',
  'budget',
  'environment-error',
  'agent-error',
  'model-error',
  'parser-error',
  'tool-error',
  'interrupted',
] as const;
export type TruncationReason = (typeof truncationReasons)[number];

export const trajectoryStepSchema = z.object({
  /** 0, 1, 2, … without gaps. */
  index: count.max(TRAJECTORY_LIMITS.steps - 1),

  /** What the agent was shown; absent for agents that read the observation itself. */
  prompt: z.array(storedMessageSchema).max(TRAJECTORY_LIMITS.messages).optional(),
  /** What it answered, verbatim. */
  response: text.optional(),
  thought: text.optional(),
  /** The action as written in the response. */
  actionText: text.optional(),
  legal: z.boolean().optional(),
  formatValid: z.boolean().optional(),
  /** Why the response gave no executable action. */
  reason: name.optional(),
  /** Half-open ranges of UTF-16 offsets into `response`. */
  spans: z.object({ thought: span.optional(), action: span }).optional(),
  tokens: tokenRecordSchema.optional(),
  /** The critic's estimate of the return from here. */
  value: z.number().optional(),
  /** Version of the weights that answered. */
  policyVersion: count.optional(),

  /** What was executed, as the action space encodes it; absent when nothing reached the environment. */
  action: json.optional(),
  /** The response gave no action, and one drawn at random was executed instead. */
  fallback: z.boolean().optional(),

  /** The environment's own. Bounded, so that no return overflows. */
  reward: z.number().min(-1e100).max(1e100),
  /** Components beside the environment's reward, kept apart: format, penalty, teacher, … */
  rewardParts: z.record(z.string(), z.number()).optional(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  truncationReason: z.enum(truncationReasons).optional(),
  /** What the environment showed after the action; absent when it did not answer. */
  observation: observationRecordSchema.optional(),
  info: jsonObject.optional(),

  /** What the turn consumed, retries and repair turns included; `cost` in the currency of the agent's prices. */
  usage: z
    .object({
      requests: count.optional(),
      inputTokens: count.optional(),
      outputTokens: count.optional(),
      cost: z.number().nonnegative().optional(),
    })
    .optional(),
  /** Milliseconds the agent took; a measurement, never compared. */
  latencyMs: z.number().nonnegative().optional(),
  error: stepErrorSchema.optional(),
});
export type TrajectoryStep = z.infer<typeof trajectoryStepSchema>;

const envSpecSchema = z.object({
  id: name,
  module: name.optional(),
  options: jsonObject.optional(),
  renderMode: z.enum(['rgb_array', 'ansi', 'human']).optional(),
  maxEpisodeSteps: z.number().int().optional(),
  rewardThreshold: z.number().optional(),
  nondeterministic: z.boolean().optional(),
  orderEnforce: z.boolean().optional(),
  disableChecker: z.boolean().optional(),
  wrappers: z
    .array(z.object({ name, options: jsonObject.optional() }))
    .max(1000)
    .optional(),
}) as unknown as z.ZodType<EnvSpec>; // JSON has no `undefined`: `optional()` and `?:` mean the same here

export const trajectoryHeaderSchema = z.object({
  schema: z.literal(TRAJECTORY_SCHEMA),
  id: episodeIdSchema,
  /** Package name → version of what made this episode. */
  createdBy: z.record(z.string(), z.string()),
  /** How to build the environment again; absent for one that was not made with `make`. */
  env: envSpecSchema.optional(),
  /** Version of the dialogue that wrote the prompts and read the responses. */
  dialogue: name.optional(),
  /** Seed of the reset; absent when the generator carried on, and then the episode cannot be replayed. */
  seed: count.optional(),
  /** What the episode is about: the `info.taskKey` of the reset. */
  taskKey: z.string().min(1).max(MAX_TASK_KEY_LENGTH).optional(),
  /** Options of the reset. */
  options: jsonObject.optional(),
  agent: z.object({ name, version: name.optional(), model: name.optional() }).optional(),
  /** Episodes of one group start in the same state (group-relative advantages). */
  group: name.optional(),
  /** The first observation and what the reset said about it. */
  observation: observationRecordSchema,
  info: jsonObject,
  /** Anything else, e.g. when it was recorded; never compared. */
  metadata: jsonObject.optional(),
});
export type TrajectoryHeader = z.infer<typeof trajectoryHeaderSchema>;

export const trajectoryOutcomeSchema = z.object({
  /** Sum of the steps' `reward`, in order, undiscounted. */
  return: z.number(),
  /** Number of steps. */
  length: count,
  /** Absent where nobody can tell. */
  success: z.boolean().optional(),
  /** `error`: the last step has one. `interrupted`: the recording stopped before the episode did. */
  endedBy: z.enum(['terminated', 'truncated', 'error', 'interrupted']),
});
export type TrajectoryOutcome = z.infer<typeof trajectoryOutcomeSchema>;

export const trajectorySchema = trajectoryHeaderSchema.extend({
  steps: z.array(trajectoryStepSchema).max(TRAJECTORY_LIMITS.steps),
  outcome: trajectoryOutcomeSchema,
});
export type Trajectory = z.infer<typeof trajectorySchema>;

function isJson(value: unknown, depth = TRAJECTORY_LIMITS.depth as number): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0) return false;
  if (Array.isArray(value)) return value.every((entry) => isJson(entry, depth - 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((entry) => isJson(entry, depth - 1));
}
