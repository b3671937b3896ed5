/** An agent with a stopwatch: the seconds that its turns took, by seed. Results of episodes have no clock. */
import type { AnyAgent } from '@vlgym/agents';
import { methodsOf } from './methods.js';

export interface TimedAgent {
  readonly agent: AnyAgent;
  /** Seconds of the turns of an episode that has ended. */
  readonly seconds: ReadonlyMap<number, number>;
}

export function timedAgent(agent: AnyAgent): TimedAgent {
  const running = new Map<string, number>();
  const seconds = new Map<number, number>();
  const add = (id: string, milliseconds: number) => running.set(id, (running.get(id) ?? 0) + milliseconds);
  const timed: AnyAgent = {
    ...methodsOf(agent),
    act: async (context) => {
      const started = performance.now();
      try {
        return await agent.act(context);
      } finally {
        add(context.episodeId, performance.now() - started);
      }
    },
    end: (outcome) => {
      seconds.set(outcome.seed, (running.get(outcome.episodeId) ?? 0) / 1000);
      running.delete(outcome.episodeId);
      return agent.end?.(outcome);
    },
    ...(agent.actBatch && {
      actBatch: async (contexts: Parameters<NonNullable<AnyAgent['actBatch']>>[0]) => {
        const started = performance.now();
        const turns = await agent.actBatch!(contexts);
        for (const { episodeId } of contexts) add(episodeId, performance.now() - started);
        return turns;
      },
    }),
  };
  return { agent: timed, seconds };
}
