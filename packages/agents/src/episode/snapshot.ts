/** An episode as JSON data: the environment's snapshot and what was seen so far. Validated when it comes back. */
import { type AnyEnv, type EnvSnapshot, encodedBy, type Info, parseState, type Turn } from '@vlgym/core';
import { z } from 'zod';
import type { EpisodeState } from './state.js';

export const EPISODE_SNAPSHOT = 'vlgym.episode/1';

export interface EpisodeSnapshot {
  readonly kind: typeof EPISODE_SNAPSHOT;
  readonly env: EnvSnapshot;
  readonly state: {
    readonly episode_id: string | null;
    readonly step_count: number;
    /** Name of the environment. */
    readonly env: string;
    readonly seed: number | null;
    readonly return: number;
    readonly terminated: boolean;
    readonly truncated: boolean;
  };
  /** The latest result. */
  readonly last: unknown;
  readonly history: readonly unknown[];
  readonly task_key?: string;
  /** Options of the reset. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** @param name  Name of the environment; only an episode with the same name can restore the snapshot. */
export function writeSnapshot(env: AnyEnv, name: string, snapshot: EnvSnapshot, state: EpisodeState): EpisodeSnapshot {
  const { id, seed, options, taskKey, observation, info, history, return: sum, stepIndex, ...rest } = state;
  const { reward, terminated, truncated } = rest;
  const encode = (value: unknown) => env.observationSpace.encode(value);
  return {
    kind: EPISODE_SNAPSHOT,
    env: snapshot,
    state: {
      episode_id: id,
      step_count: stepIndex,
      env: name,
      seed: seed ?? null,
      return: sum,
      terminated,
      truncated,
    },
    last: { observation: encode(observation), info, reward, terminated, truncated },
    history: history.map(({ action, ...turn }) => ({
      ...turn,
      observation: encode(turn.observation),
      ...(action !== undefined && { action: env.actionSpace.encode(action) }),
    })),
    ...(taskKey !== undefined && { task_key: taskKey }),
    ...(options && { options }),
  };
}

/** @throws {SnapshotMismatchError} Not a snapshot of such an episode; nothing was changed. */
export function parseSnapshot(
  given: unknown,
  env: AnyEnv,
  name: string,
): { readonly env: EnvSnapshot; readonly state: EpisodeState } {
  const observation = encodedBy(env.observationSpace);
  const schema = z.strictObject({
    kind: z.literal(EPISODE_SNAPSHOT),
    env: z.looseObject({ kind: z.string(), state: z.unknown() }),
    state: z.strictObject({
      episode_id: z.string().nullable(),
      step_count: z.int().min(0),
      env: z.literal(name),
      seed: z.int().min(0).nullable(),
      return: z.number(),
      terminated: z.boolean(),
      truncated: z.boolean(),
    }),
    last: z.strictObject({
      observation,
      info: z.record(z.string(), z.unknown()),
      reward: z.number().nullable(),
      terminated: z.boolean(),
      truncated: z.boolean(),
    }),
    history: z.array(
      z.strictObject({
        observation,
        text: z.string(),
        action: encodedBy(env.actionSpace).optional(),
        reward: z.number(),
      }),
    ),
    task_key: z.string().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
  });
  const {
    env: snapshot,
    state,
    last,
    history,
    task_key: taskKey,
    options,
  } = parseState(given, EPISODE_SNAPSHOT, schema);
  return {
    env: snapshot,
    state: {
      ...(last as typeof last & { info: Info }),
      id: state.episode_id ?? '',
      seed: state.seed ?? undefined,
      options,
      taskKey,
      history: history as Turn[],
      return: state.return,
      stepIndex: state.step_count,
    },
  };
}
