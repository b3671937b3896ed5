/** Snapshots of the text shop, and the limits of what they hold. */
import { pythonRandomState, savedCount } from '@vlgym/core';
import { z } from 'zod';
import { savedFields } from './saved-session.js';

/** Maximum lengths in code points. */
export const MAX_ACTION_LENGTH = 20_000;
export const MAX_OBSERVATION_LENGTH = 10_000_000;
export const SNAPSHOT_KIND = 'webshop/1';

/** Maximum numbers of remembered names, which snapshots contain, and turns of history (`numPrevObs` is at most 100). */
export const MAX_NAMED = 1000;
const MAX_TURNS = 101;

export const SAVED_STATE = z.strictObject({
  session: savedFields.nullable(),
  random: pythonRandomState.nullable(),
  observations: z.array(z.string().max(MAX_OBSERVATION_LENGTH)).max(MAX_TURNS),
  actions: z.array(z.string().max(2 * MAX_ACTION_LENGTH)).max(MAX_TURNS),
  named: z
    .array(z.tuple([z.string().max(64), savedCount]))
    .max(MAX_NAMED)
    .optional(),
});
