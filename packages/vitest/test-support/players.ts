/** Agents that solve the corridor at a given rate, that use tokens, or whose server fails. */
import type { Agent, AgentTurn, BoundaryError } from '@vlgym/agents';
import { CorridorEnv } from '../../agents/test-support/corridor-env.js';

export const corridor = () => new CorridorEnv({ length: 4, limit: 5 });

/** Solves an episode with probability `rate`, drawn from the generator of the episode. */
export function playerAt(rate: number, name = `solves ${rate}`, salt = 0): Agent<unknown, number> {
  return {
    name,
    begin: () => ({}) as { walks?: boolean },
    act({ rng, memory }): AgentTurn<number> {
      const own = memory as { walks?: boolean };
      for (let draw = 0; own.walks === undefined && draw < salt; draw += 1) rng.random();
      own.walks ??= rng.random() < rate;
      return {
        action: own.walks ? 1 : 0,
        text: '',
        usage: { requests: 1, inputTokens: 90, outputTokens: 10, cost: 0.01 },
      };
    },
  };
}

const DOWN: BoundaryError = { boundary: 'model', code: 'MODEL_HTTP_ERROR', message: 'HTTP 500: down' };

/** The same, but the server fails in the episodes whose number (from 0, in the order of their begin) is chosen. */
export function failing(player: Agent<unknown, number>, fails: (episode: number) => boolean): Agent<unknown, number> {
  const episodes = new Map<string, number>();
  return {
    ...player,
    act(context) {
      const { episodeId } = context;
      const number = episodes.get(episodeId) ?? episodes.size;
      episodes.set(episodeId, number);
      return fails(number) ? { text: '', error: DOWN } : player.act(context);
    },
  };
}
