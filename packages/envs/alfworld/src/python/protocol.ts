/** Schemas of the process's answers, and the info that environments make of them. */
import { z } from 'zod';
import type { HouseholdInfo } from '../env/info.js';

export type PythonHouseholdInfo = Omit<HouseholdInfo, 'goalConditionSuccessRate' | 'truncatedBy'> & {
  /** `null` in the text engine, which does not report it. */
  goalConditionSuccessRate: number | null;
  truncatedBy?: 'step-limit' | 'engine-lost';
  /** The reason why an episode could not continue, as in vector environments. */
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
  /** Share of the goal's met conditions. */
  rate: z.number().min(0).max(1).nullable(),
  /** RGB rows in base64; visual engine only. */
  frame: z.string().nullable(),
});

/** A state as the process reports it. */
export type Seen = z.output<typeof seenSchema>;
