/**
 * The trajectory: one episode as data. Agents produce it, trainers learn from it, reports show it, `replay` verifies it.
 *
 * The fields are the step record of a vision-language rollout (prompt, response, spans, token ids, log-probs, parse
 * result, reward parts, end flags, policy version). Pictures are stored separately, named by content hash. All data is JSON
 * without timestamps: equal episodes give equal bytes. `hostile-files.test.ts` pins what is refused.
 */
import { z } from 'zod';
import type { EnvSpec } from '../registry/spec/spec.js';
import { MAX_TASK_KEY_LENGTH } from '../tasks/task-key.js';
import { truncationReasons } from '../truncation.js';

/** Name and version of the layout that is written; 2 adds tool calls and the facts of a model's answer to 1. */
export const TRAJECTORY_SCHEMA = 'vlgym.trajectory/2';

/** The layouts that are read; every recording of an earlier one is valid in the next. A reader refuses any other. */
export const READABLE_SCHEMAS = ['vlgym.trajectory/1', TRAJECTORY_SCHEMA] as const;

/** Limits of one trajectory; a file that exceeds them is refused, not loaded. */
export const TRAJECTORY_LIMITS = {
  steps: 100_000,
  /** UTF-16 units of one text. */
  text: 4_194_304,
  messages: 10_000,
  parts: 10_000,
  tokens: 4_194_304,
  /** Tool calls of one turn. */
  toolCalls: 1000,
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

/** `sha256:` and 64 lower-case hexadecimal digits; see `hashImage` and `digestObservation` for the hashed data. */
export const contentHashSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 hexadecimal digits');
export type ContentHash = z.infer<typeof contentHashSchema>;

/** Letters, digits and `._~-`, so that an id is valid in file names and URLs. */
export const episodeIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/,
    'letters, digits and ._~-, at most 200, starting with a letter or digit',
  );

const storedPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), image: contentHashSchema }),
]);
/** A part of a chat message with its picture by hash. */
export type StoredPart = z.infer<typeof storedPartSchema>;

const storedMessageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([text, z.array(storedPartSchema).max(TRAJECTORY_LIMITS.parts)]),
});
/** A `ChatMessage` with its pictures by hash. */
export type StoredMessage = z.infer<typeof storedMessageSchema>;

const observationRecordSchema = z.object({
  /** `digestObservation` of the whole observation; replays compare it. */
  digest: contentHashSchema,
  /** The pictures in it, in order of appearance; for a picture observation the one entry equals `digest`. */
  images: z.array(contentHashSchema).max(TRAJECTORY_LIMITS.parts).optional(),
  /** The observation as its space encodes it, if it is small and has no picture. */
  value: json.optional(),
});
export type ObservationRecord = z.infer<typeof observationRecordSchema>;

const span = z.tuple([count, count]);
const bit = z.union([z.literal(0), z.literal(1)]);
const tokenIds = z.array(count).max(maxTokens);
const logProbs = z.array(z.number()).max(maxTokens);
const tokenMask = z.array(bit).max(maxTokens);

/** Token-level record of one response of L tokens; all lists but `promptIds` have length L. */
const tokenRecordSchema = z.object({
  /** Exact input ids of the model, image tokens expanded; length P. */
  promptIds: tokenIds.optional(),
  ids: tokenIds,
  /** 1 on tokens the model generated, including the end of sequence. */
  mask: tokenMask.optional(),
  /** Log-probabilities under the training definition: log-softmax(logits / temperature), without truncation. */
  logProbs: logProbs.optional(),
  /** Log-probabilities of the distribution that was sampled from. */
  behaviorLogProbs: logProbs.optional(),
  /** 1 on tokens of the thought; disjoint from `actionMask`. */
  thoughtMask: tokenMask.optional(),
  actionMask: tokenMask.optional(),
  /** UTF-16 offset in `response` at which each token ends; never decreases. */
  tokenEnds: tokenIds.optional(),
  /** `length`: the response was cut by its limit. */
  finishReason: z.enum(['stop', 'length']).optional(),
  /** Weights that sampled the tokens from `start` up to `end`, where more than `policyVersion` is known. */
  versions: z
    .array(z.object({ version: name, start: count, end: count }))
    .max(10_000)
    .optional(),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/** The failure of a step. A failure is data: the episode ends, others continue. */
const stepErrorSchema = z.object({
  boundary: z.enum(['environment', 'agent', 'model', 'parser', 'tool']),
  /** Stable code, e.g. of a `GymError`. */
  code: name,
  message: text,
});
export type StepError = z.infer<typeof stepErrorSchema>;

/** One call of a tool in a turn: a tool of the agent with its output, or the call that chose the action. */
const toolCallSchema = z.object({
  id: name.optional(),
  name,
  /** The arguments as parsed; the text as written where it is not JSON. */
  input: json,
  /** The tool's result; absent for the call that chose the action. */
  output: json.optional(),
  /** The reason why the call failed or is invalid; shown to the agent. */
  error: text.optional(),
});
export type StoredToolCall = z.infer<typeof toolCallSchema>;

export const trajectoryStepSchema = z.object({
  /** 0, 1, 2, … without gaps. */
  index: count.max(TRAJECTORY_LIMITS.steps - 1),

  /** The prompt; absent for agents that read the observation directly. */
  prompt: z.array(storedMessageSchema).max(TRAJECTORY_LIMITS.messages).optional(),
  /** The agent's response, verbatim. */
  response: text.optional(),
  /** Calls of tools before the action, in order; the last one may be the action. */
  toolCalls: z.array(toolCallSchema).max(TRAJECTORY_LIMITS.toolCalls).optional(),
  /** Reasoning that the provider returned separately from the response. */
  reasoning: text.optional(),
  /** The reason why generation stopped, as the provider names it: `stop`, `length`, `tool-calls`, … */
  finishReason: name.optional(),
  /** Sampling settings of the requests of this turn. */
  sampling: jsonObject.optional(),
  /** The agent's own notes about its turn. */
  metadata: jsonObject.optional(),
  thought: text.optional(),
  /** The action as written in the response. */
  actionText: text.optional(),
  legal: z.boolean().optional(),
  formatValid: z.boolean().optional(),
  /** True if the thought's claims are true; absent if the environment cannot check them. */
  thoughtCorrect: z.boolean().optional(),
  /** The reason why the response has no executable action. */
  reason: name.optional(),
  /** Half-open ranges of UTF-16 offsets into `response`. */
  spans: z.object({ thought: span.optional(), action: span }).optional(),
  tokens: tokenRecordSchema.optional(),
  /** The critic's estimate of the return from here. */
  value: z.number().optional(),
  /** Version of the weights that produced the response. */
  policyVersion: count.optional(),

  /** The executed action, as the action space encodes it; absent if none reached the environment. */
  action: json.optional(),
  /** No action could be read: a random one was executed, or none where `action` is absent. */
  fallback: z.boolean().optional(),

  /** The environment's reward. Bounded, so that returns do not overflow. */
  reward: z.number().min(-1e100).max(1e100),
  /** Components besides the environment's reward: format, penalty, teacher, … */
  rewardParts: z.record(z.string(), z.number()).optional(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  /** `environment` for every truncation by the environment or its wrappers: a replay repeats it. */
  truncationReason: z.enum(truncationReasons).optional(),
  /** The observation after the action; absent if the environment did not return one. */
  observation: observationRecordSchema.optional(),
  info: jsonObject.optional(),

  /** Usage of the turn, including retries and repair turns; `cost` in the currency of the agent's prices. */
  usage: z
    .object({
      requests: count.optional(),
      inputTokens: count.optional(),
      outputTokens: count.optional(),
      /** Part of `inputTokens` that the provider read from its cache. */
      cachedInputTokens: count.optional(),
      /** Part of `outputTokens` spent on reasoning. */
      reasoningTokens: count.optional(),
      cost: z.number().nonnegative().optional(),
    })
    .optional(),
  /** Duration of the agent's turn in milliseconds; never compared. */
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
  schema: z.enum(READABLE_SCHEMAS),
  id: episodeIdSchema,
  /** Package name → version of the software that made this episode. */
  createdBy: z.record(z.string(), z.string()),
  /** How to rebuild the environment; absent if it was not made with `make`. */
  env: envSpecSchema.optional(),
  /** Version of the dialogue that wrote the prompts and read the responses. */
  dialogue: name.optional(),
  /** Seed of the reset; absent if the generator continued; the episode then cannot be replayed. */
  seed: count.optional(),
  /** The task of the episode: `info.taskKey` of the reset. */
  taskKey: z.string().min(1).max(MAX_TASK_KEY_LENGTH).optional(),
  /** Options of the reset. */
  options: jsonObject.optional(),
  agent: z.object({ name, version: name.optional(), model: name.optional() }).optional(),
  /** Episodes of one group start in the same state (group-relative advantages). */
  group: name.optional(),
  /** The first observation and the info of the reset. */
  observation: observationRecordSchema,
  info: jsonObject,
  /** Other data, e.g. the time of recording; never compared. */
  metadata: jsonObject.optional(),
});
export type TrajectoryHeader = z.infer<typeof trajectoryHeaderSchema>;

export const trajectoryOutcomeSchema = z.object({
  /** Sum of the steps' `reward`, in order, undiscounted. */
  return: z.number(),
  /** Number of steps. */
  length: count,
  /** Absent if unknown. */
  success: z.boolean().optional(),
  /** `error`: the last step has one. `interrupted`: the recording stopped before the episode ended. */
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
