/** Which steps began in the same state, for estimators that compare them. */
import { createHash } from 'node:crypto';
import type { Episode } from '@vlgym/agents/episode';

/** The environment's own state key, or a digest of the observation: exact if pictures have no noise. */
export function stateKeyOf({ env, state: { info, observation } }: Episode): string {
  if (typeof info.stateKey === 'string') return info.stateKey;
  return createHash('sha256')
    .update(JSON.stringify(env.observationSpace.encode(observation)))
    .digest('base64url');
}
