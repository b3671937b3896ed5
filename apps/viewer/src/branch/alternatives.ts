/** Tokens that could have been written in place of those that were, as the weights of a run see the same prompt. */
import { Episode } from '@vlgym/agents';
import { type AnyEnv, GymError } from '@vlgym/core';
import type { TokenPlace } from '../protocol.js';
import type { OpenedAgent } from './agents.js';
import { type PlayedBefore, playUntil } from './play-branch.js';

interface TokenPlan {
  readonly trajectory: PlayedBefore;
  readonly at: number;
  readonly tokenIds: readonly number[];
  readonly temperature: number;
  readonly opened: OpenedAgent | undefined;
  readonly env: AnyEnv;
  readonly signal: AbortSignal;
}

/** Tokens of each place. */
const COUNT = 8;

/** Nothing is recorded. @throws {GymError} `NO_TOKENS`: the step or the agent has none. */
export async function alternatives(plan: TokenPlan): Promise<readonly TokenPlace[]> {
  const { trajectory, at, tokenIds, temperature, opened, env, signal } = plan;
  if (tokenIds.length === 0 || !opened?.alternatives) {
    throw new GymError('There are no tokens to compare with.', {
      code: 'NO_TOKENS',
      value: opened?.agent.name,
      expected: 'a step with recorded tokens, and a policy of this run',
      hint: 'train with --record, and choose the newest weights or a checkpoint',
    });
  }
  const episode = new Episode({ env, signal });
  try {
    await playUntil(episode, trajectory, at);
    const messages = episode.prompt();
    const ids = Int32Array.from(tokenIds);
    return await opened.alternatives({
      context: { ...episode.context, messages },
      ...{ tokenIds: ids, temperature, count: COUNT },
    });
  } finally {
    await episode.close();
  }
}
