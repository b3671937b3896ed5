/** What the process tells, as it is checked, and what an environment tells of it. */
import { z } from 'zod';
import type { HouseholdInfo } from '../env/household-env.js';

export type PythonHouseholdInfo = Omit<HouseholdInfo, 'goalConditionSuccessRate' | 'truncatedBy'> & {
  /** `null` where the engine does not know it: that of texts. */
  goalConditionSuccessRate: number | null;
  truncatedBy?: 'step-limit' | 'engine-lost';
  /** Of an episode that could not be played on, as vector environments say it. */
  truncationReason?: 'env-error';
  error?: { name: string; message: string; code: string };
};

/** Versions as the process reports them. */
export interface PythonVersions {
  readonly alfworld: string;
  readonly textworld: string;
  readonly python: string;
}

export const versionsSchema = z.object({ alfworld: z.string(), textworld: z.string(), python: z.string() });
export const seenSchema = z.object({
  observation: z.string(),
  won: z.boolean(),
  done: z.boolean(),
  commands: z.array(z.string()),
  plan: z.array(z.string()),
  /** Share of the goal's conditions that are met. */
  rate: z.number().min(0).max(1).nullable(),
  /** RGB, row by row, in base64; the visual engine's only. */
  frame: z.string().nullable(),
});

/** A moment as the process tells it. */
export type Seen = z.output<typeof seenSchema>;
