/** Python's answer to `make`: spaces, metadata and the spec of the environment. */
import type { EnvMetadata } from '@vlgym/core';
import { z } from 'zod';

/** The fields of Python's `spec`. */
export interface PythonSpec {
  readonly id: string;
  readonly entryPoint: string;
  readonly maxEpisodeSteps: number | undefined;
  readonly rewardThreshold: number | undefined;
  readonly nondeterministic: boolean;
}

/** Spaces are in the JSON form of vlgym's. */
export interface Made {
  readonly observationSpace: unknown;
  readonly actionSpace: unknown;
  readonly metadata: EnvMetadata;
  readonly spec: PythonSpec;
  readonly actionMeanings: readonly string[] | undefined;
  readonly snapshots: boolean;
}

const MADE = z.object({
  observation_space: z.unknown(),
  action_space: z.unknown(),
  metadata: z.object({ render_modes: z.array(z.string()), render_fps: z.number().nullable() }),
  spec: z.object({
    id: z.string(),
    entry_point: z.string(),
    max_episode_steps: z.number().nullable(),
    reward_threshold: z.number().nullable(),
    nondeterministic: z.boolean(),
  }),
  action_meanings: z.array(z.string()).nullable(),
  snapshots: z.boolean(),
});

/** @throws {z.ZodError} */
export function readMade(answer: unknown): Made {
  const { observation_space, action_space, metadata, spec, action_meanings, snapshots } = MADE.parse(answer);
  const modes = ['rgb_array', 'ansi', 'human'] as const;
  return {
    observationSpace: observation_space,
    actionSpace: action_space,
    metadata: {
      renderModes: modes.filter((mode) => metadata.render_modes.includes(mode)),
      ...(metadata.render_fps === null ? {} : { renderFps: metadata.render_fps }),
    },
    spec: {
      id: spec.id,
      entryPoint: spec.entry_point,
      maxEpisodeSteps: spec.max_episode_steps ?? undefined,
      rewardThreshold: spec.reward_threshold ?? undefined,
      nondeterministic: spec.nondeterministic,
    },
    actionMeanings: action_meanings ?? undefined,
    snapshots,
  };
}
