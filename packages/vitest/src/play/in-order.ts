/**
 * Holds a failure that ends an evaluation until it is this episode's turn to be judged.
 *
 * Episodes run side by side. Those that are in progress when a verdict becomes clear are left where they are, so a cassette has
 * a part of their answers only. Played again, another of them may be faster, and ask for an answer that nobody needs.
 */
import type { AnyAgent } from '@vlgym/agents';
import { GymError } from '@vlgym/core';
import { methodsOf } from './methods.js';

export interface InOrder {
  readonly agent: AnyAgent;
  /** To be called whenever an episode has ended, or the verdict is clear. */
  readonly check: () => void;
}

/** @param isDue  True if all episodes before the one of this seed have ended. */
export function inOrder(agent: AnyAgent, isDue: (seed: number) => boolean): InOrder {
  const waiting = new Set<() => void>();
  const due = (seed: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isDue(seed) && !signal?.aborted) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    agent: {
      ...methodsOf(agent),
      act: async (context) => {
        try {
          return await agent.act(context);
        } catch (error) {
          const seed = /\.(\d+)$/.exec(context.episodeId ?? '')?.[1];
          if (!GymError.isInstance(error) || error.code !== 'CASSETTE_MISS' || seed === undefined) throw error;
          await due(Number(seed), context.signal);
          context.signal?.throwIfAborted();
          throw error;
        }
      },
    },
    check: () => {
      for (const look of [...waiting]) look();
    },
  };
}
