/** What an earlier run of the same evaluation has already played. */
import {
  type AnyEnv,
  canonicalJson,
  InvalidOptionError,
  type JsonValue,
  readTrajectories,
  type Trajectory,
} from '@vlgym/core';
import type { AnyAgent } from '../agent.js';
import type { Fallback } from '../fallback.js';
import type { EpisodePlan } from './plan.js';
import { type EpisodeRow, rowOf } from './rows.js';

/** What episodes of one evaluation have in common, beside environment and agent; stored as their metadata. */
export interface EvaluationSettings {
  readonly fallback: Fallback;
  readonly maxSteps: number;
}

export interface ResumeOptions {
  readonly folder: string;
  readonly env: AnyEnv;
  readonly agent: AnyAgent;
  readonly settings: EvaluationSettings;
  readonly plans: readonly EpisodePlan[];
  readonly category: (info: unknown) => string | undefined;
}

/**
 * Rows of the planned episodes that were played to a countable end; unreadable ones are left to be played again.
 *
 * @throws {InvalidOptionError}  The folder holds episodes of another agent, environment or rule.
 */
export async function resumedRows({ folder, plans, category, ...expected }: ResumeOptions): Promise<EpisodeRow[]> {
  const rows = new Map<number, EpisodeRow>();
  const wanted = fingerprint(expected.env.spec, expected.env.dialogue?.version, expected.agent.name, expected.settings);
  for await (const trajectory of readTrajectories(folder, { onInvalid: 'skip' })) {
    if (fingerprintOf(trajectory) !== wanted) {
      throw new InvalidOptionError('resume', trajectory.id, 'a folder with episodes of this evaluation only');
    }
    const repeat = trajectory.metadata?.repeat ?? 0;
    const plan = plans.find(({ seed, repeat: times }) => seed === trajectory.seed && times === repeat);
    const row = plan && rowOf(trajectory, plan, category);
    if (row?.counted) rows.set(row.index, row);
  }
  return [...rows.values()];
}

function fingerprintOf({ env, dialogue, agent, metadata = {} }: Trajectory): string {
  const { fallback, maxSteps } = metadata;
  return fingerprint(env, dialogue, agent?.name, { fallback, maxSteps });
}

function fingerprint(...parts: unknown[]): string {
  return canonicalJson(JSON.parse(JSON.stringify(parts)) as JsonValue);
}
