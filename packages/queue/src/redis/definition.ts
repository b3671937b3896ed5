/** The run definition for workers, stored in Redis: a worker is started only with an address and a name. */

import type { EnvSpec } from '@vlgym/core';
import { GymError, specFromJson, specToJson } from '@vlgym/core';
import { z } from 'zod';
import { connect } from './connection.js';
import { keysOf, RUNS } from './keys.js';

const SCHEMA = 'vlgym.run/1';

const samplerSchema = z.strictObject({
  engine: z.enum(['vllm', 'sglang']),
  /** Addresses of its servers; a worker may reach them at different addresses. */
  urls: z
    .array(z.url({ protocol: /^https?$/ }).max(2000))
    .min(1)
    .max(64),
  /** Name of a model preset. Without it the worker is given a model folder, whose path differs between machines. */
  preset: z.string().max(100).optional(),
  /** Texts must become the same ids everywhere. */
  tokenizerSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Options of `rollout` and `reward`, as far as they differ from the defaults. */
  rollout: z.record(z.string(), z.unknown()),
  reward: z.record(z.string(), z.unknown()),
  stateKeys: z.boolean(),
});

/** How a worker of a training samples: which engine, which tokens, which options. */
export type SamplerDefinition = z.output<typeof samplerSchema>;

const definitionSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  /** As `specToJson` writes it; names the module that registers the environment. */
  env: z.string().max(1_000_000),
  seed: z.number().int().nonnegative(),
  /** The player: an agent by its name, or one that the worker's own module makes from these settings. */
  player: z.union([
    z.enum(['random', 'oracle']),
    z.strictObject({ module: z.record(z.string(), z.unknown()) }),
    z.strictObject({ sampler: samplerSchema }),
  ]),
});

export interface RunDefinition {
  readonly env: EnvSpec;
  readonly seed: number;
  readonly player:
    | 'random'
    | 'oracle'
    | { readonly module: Readonly<Record<string, unknown>> }
    | { readonly sampler: SamplerDefinition };
}

/** For `RedisQueue`. */
export const definitionToJson = ({ env, seed, player }: RunDefinition): unknown => ({
  schema: SCHEMA,
  env: specToJson(env),
  seed,
  player,
});

/** No orchestrator has announced the run. */
export class RunUnknownError extends GymError {
  constructor(run: string, limitMs: number) {
    super(`No run "${run}" was announced within ${limitMs / 1000} s.`, {
      code: 'RUN_UNKNOWN',
      value: run,
      hint: 'start the run with the same --redis and --run; workers may be started before it',
    });
  }
}

/** Waits for the run. @throws {RunUnknownError} @throws the signal's reason. @throws {GymError} `RUN_INVALID`: of another version. */
export async function readDefinition(
  url: string,
  run: string,
  limitMs: number,
  signal?: AbortSignal,
): Promise<RunDefinition> {
  const redis = connect(url);
  const start = performance.now();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const text = await redis.get(keysOf(run).definition);
      if (text !== null) return parseDefinition(text);
      if (performance.now() - start > limitMs) throw new RunUnknownError(run, limitMs);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    redis.disconnect();
  }
}

/** Runs that are going on, in the order of their names. */
export async function runsInProgress(url: string): Promise<string[]> {
  const redis = connect(url);
  try {
    return (await redis.smembers(RUNS)).sort();
  } finally {
    redis.disconnect();
  }
}

/** @throws {GymError} `RUN_INVALID`: of another version. */
export function parseDefinition(text: string): RunDefinition {
  try {
    const { env, seed, player } = definitionSchema.parse(JSON.parse(text));
    return { env: specFromJson(env), seed, player };
  } catch (cause) {
    throw new GymError('The run in Redis has a definition that cannot be read.', {
      code: 'RUN_INVALID',
      expected: `a definition as \`${SCHEMA}\``,
      hint: 'run the same version of vlgym everywhere',
      cause,
    });
  }
}
