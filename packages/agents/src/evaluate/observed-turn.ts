/** A turn and a step of the environment, watched. */
import type { Awaitable } from '@vlgym/core';
import { digestObservation, type EpisodeStep } from '@vlgym/core/trajectory';
import type { AgentContext, AgentTurn } from '../agent.js';
import type { ObservedFacts, Observer } from '../observer.js';

/** @param id  Id of the episode in its recording. */
export function observedTurn(
  observer: Observer,
  agent: string,
  id: string,
  { stepIndex: step, messages: prompt }: AgentContext,
  take: () => Awaitable<AgentTurn>,
): Promise<AgentTurn> {
  return observer.observe({ kind: 'turn', id, step, agent, ...(prompt && { prompt }) }, async (done) => {
    const turn = await take();
    const { usage, finishReason, text, prompt: sent, parsed, error } = turn;
    done({ usage, finishReason, text, prompt: sent, action: parsed?.actionText, legal: parsed?.legal, error });
    return turn;
  });
}

export function stepFacts({ result, error, truncationReason }: EpisodeStep): ObservedFacts {
  if (!result) return { error, truncated: truncationReason !== undefined };
  const { reward, terminated, truncated, observation } = result;
  return {
    reward,
    terminated,
    truncated: truncated || truncationReason !== undefined,
    observation: digestObservation(observation),
    error,
  };
}
