/** An episode as JSON data: the environment's snapshot and what its clients have seen. Validated when it comes back. */
import { type AnyEnv, type EnvSnapshot, encodedBy, type Info, parseState, type Turn } from '@vlgym/core';
import { z } from 'zod';
import type { EpisodeState, Moment } from './episode.js';

export const EPISODE_SNAPSHOT = 'vlgym.episode/1';

export interface EpisodeSnapshot {
  readonly kind: typeof EPISODE_SNAPSHOT;
  readonly env: EnvSnapshot;
  readonly state: EpisodeState;
  readonly last: unknown;
  readonly history: readonly unknown[];
}

/** A turn or a result with its observation and action as JSON data. */
export function writeTurn<T extends { readonly observation: unknown; readonly action?: unknown }>(
  env: AnyEnv,
  turn: T,
) {
  const observation = env.observationSpace.encode(turn.observation);
  return 'action' in turn
    ? { ...turn, observation, action: env.actionSpace.encode(turn.action) }
    : { ...turn, observation };
}

interface Restored {
  readonly env: EnvSnapshot;
  readonly state: EpisodeState;
  readonly last: Moment;
  readonly history: Turn[];
}

/** @throws {SnapshotMismatchError} Not a snapshot of such an episode; nothing was changed. */
export function parseEpisodeSnapshot(given: unknown, env: AnyEnv, envId: string): Restored {
  const observation = encodedBy(env.observationSpace);
  const schema = z.strictObject({
    kind: z.literal(EPISODE_SNAPSHOT),
    env: z.looseObject({ kind: z.string(), state: z.unknown() }),
    state: z.strictObject({
      episode_id: z.string().nullable(),
      step_count: z.int().min(0),
      env: z.literal(envId),
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
      z.strictObject({ observation, text: z.string(), action: encodedBy(env.actionSpace), reward: z.number() }),
    ),
  });
  const { last, history, ...rest } = parseState(given, EPISODE_SNAPSHOT, schema);
  return { ...rest, last: last as Moment & { info: Info }, history: history as Turn[] };
}
