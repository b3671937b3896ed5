/** One turn's context in a fresh corridor, for tests of single agents. */
import { Generator } from '@vlgym/core';
import type { AgentContext } from '../src/index.js';
import { CorridorEnv, type CorridorInfo } from './corridor-env.js';

export type CorridorContext = AgentContext<ReturnType<CorridorEnv['reset']>['observation'], number, CorridorInfo>;

export function corridorContext(seed = 0, rest: Partial<CorridorContext> = {}): CorridorContext {
  const env = new CorridorEnv();
  return {
    ...env.reset({ seed }),
    env,
    history: [],
    rng: new Generator(seed),
    episodeId: `seed-${seed}`,
    stepIndex: 0,
    ...rest,
  };
}
