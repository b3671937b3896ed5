import { pythonRandomState } from '@vlgym/core';
import { z } from 'zod';
import { savedFields } from '../env/saved-session.js';

export const SNAPSHOT_KIND = 'webshop-browser/1';

export const savedVisit = z.strictObject({
  session: savedFields.nullable(),
  /** Address of the page without the origin. It must start with a slash: anything else could name a host. */
  url: z
    .string()
    .max(100_000)
    .regex(/^(?:\/|$)/),
  random: pythonRandomState.nullable(),
});

export type SavedVisit = z.input<typeof savedVisit>;
