/** Rows of episodes that an earlier run of the same evaluation has played. */
import { createHash } from 'node:crypto';
import { type AnyEnv, GymError, show } from '@vlgym/core';
import { differingLeaf } from '@vlgym/core/internal';
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import type { AnyAgent } from '../agent.js';
import type { Fallback } from '../fallback.js';
import type { EpisodePlan } from './plan.js';
import { type EpisodeRow, rowOf } from './rows.js';
import type { EpisodeEnding } from './types.js';

/** Settings shared by all episodes of one evaluation, besides environment and agent; stored as their metadata. */
export interface EvaluationRules {
  readonly fallback: Fallback;
  readonly maxSteps: number;
  readonly successRule: string;
  /** `Agent.identity` at the start of the evaluation. */
  readonly agent: Readonly<Record<string, unknown>> | undefined;
}

export interface ResumeOptions {
  readonly folder: string;
  readonly env: AnyEnv;
  readonly agent: AnyAgent;
  readonly settings: EvaluationRules;
  readonly resetOptions: Readonly<Record<string, unknown>> | undefined;
  readonly plans: readonly EpisodePlan[];
  readonly category: (info: unknown) => string | undefined;
}

/** The folder holds episodes of a different evaluation: other weights, sampling, environment or rules. */
export class EvaluationDiffersError extends GymError {
  constructor(
    readonly folder: string,
    /** Path of the first difference, e.g. `agent.weights`. */
    readonly difference: string,
    readonly found: unknown,
    readonly wanted: unknown,
  ) {
    super(`The episodes in ${folder} were played with ${difference} ${show(found)}, not ${show(wanted)}.`, {
      code: 'RUN_DIFFERS',
      value: found,
      expected: `${difference} ${show(wanted)}`,
      hint: 'record into another folder, or evaluate with the settings of this one',
    });
  }
}

/**
 * Rows of planned episodes that ended and count; the others are played again.
 *
 * @throws {EvaluationDiffersError}  The folder holds episodes of a different agent, environment or rule.
 */
export async function resumedRows({ folder, plans, category, ...expected }: ResumeOptions): Promise<EpisodeRow[]> {
  const rows = new Map<number, EpisodeRow>();
  const wanted = wantedIdentity(expected);
  for await (const trajectory of readTrajectories(folder, { onInvalid: 'skip' })) {
    const difference = differingLeaf(identityOf(trajectory), wanted);
    if (difference) throw new EvaluationDiffersError(folder, ...difference);
    const repeat = trajectory.metadata?.repeat ?? 0;
    const plan = plans.find(({ seed, repeat: times }) => seed === trajectory.seed && times === repeat);
    const row = plan && rowOf(trajectory, plan, category);
    if (row?.counted) rows.set(row.index, row);
  }
  return [...rows.values()];
}

/** Identifies a success rule by its source; captured variables are not part of it. */
export function successRule(isSuccess: ((ending: EpisodeEnding) => boolean) | undefined): string {
  if (isSuccess === undefined) return 'default';
  return `sha256:${createHash('sha256').update(String(isSuccess)).digest('hex')}`;
}

function wantedIdentity({ env, agent, settings, resetOptions }: Omit<ResumeOptions, 'folder' | 'plans' | 'category'>) {
  const { agent: agentIdentity, ...rules } = settings;
  return asJson({
    environment: env.spec,
    dialogue: env.dialogue?.version,
    agent: { ...agentIdentity, name: agent.name },
    resetOptions,
    ...rules,
  });
}

function identityOf({ env, dialogue, agent, options, metadata = {} }: Trajectory): unknown {
  const { fallback, maxSteps, successRule, agent: agentIdentity } = metadata;
  return asJson({
    environment: env,
    dialogue,
    agent: { ...(agentIdentity as object | undefined), name: agent?.name },
    resetOptions: options,
    fallback,
    maxSteps,
    successRule,
  });
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
