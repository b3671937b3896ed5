/** The first turns of an episode, played by the environment's expert: rollouts then begin nearer to the goal. */
import type { Episode } from '@vlgym/agents/episode';
import { GymError } from '@vlgym/core';
import type { ModelInput } from '../model-input.js';
import type { RolloutSampler } from './sampler.js';

/** The turns of the expert before the first step of the policy. */
export interface Opening {
  readonly turns: readonly { readonly input: ModelInput; readonly text: string }[];
  /** Turns that the expert needs alone. */
  readonly expertTurns: number;
}

/** An expert that needs more turns counts as one that reaches no end. */
const MOST_TURNS = 1000;

class NoExpertError extends GymError {
  constructor(environment: string) {
    super(`The environment ${environment} has no expert that can say what it does.`, {
      code: 'NO_DEMONSTRATION',
      value: environment,
      expected: 'an environment with `oracle` and `dialogue.demonstrate`',
      hint: 'choose an algorithm that needs no expert',
    });
  }
}

/** The action of the environment's expert in the present state, and its words; `undefined` if it knows none. */
export function expertAnswer({ env, state, dialogue }: Episode): { action: unknown; text: string } | undefined {
  const expert = env.expert ?? env.oracle;
  if (!expert || !dialogue.demonstrate) throw new NoExpertError(env.spec?.id ?? env.unwrapped.constructor.name);
  const action = expert.call(env);
  return action === undefined ? undefined : { action, text: dialogue.demonstrate(state, action) };
}

/** Lets the expert play on to the end. @returns its turns; `undefined` if it does not reach the end of the task. */
export async function countExpertTurns(episode: Episode): Promise<number | undefined> {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    if (!episode.isRunning) return episode.state.terminated ? turns : undefined;
    const answer = expertAnswer(episode);
    if (!answer) return undefined;
    await episode.actOnce(episode.decide(answer));
  }
  return undefined;
}

/** Lets the expert play the first turns; fewer than it needs, so that one at least is left. */
export async function playOpening(
  episode: Episode,
  policy: RolloutSampler,
  count: number,
  expertTurns: number,
): Promise<Opening> {
  const turns: { input: ModelInput; text: string }[] = [];
  while (turns.length < Math.min(count, expertTurns - 1)) {
    const prompt = episode.prompt();
    const { text } = expertAnswer(episode)!;
    const decision = episode.read(text);
    const step = await episode.actOnce(decision);
    await episode.recorder?.step({
      ...step,
      prompt,
      turn: { text, parsed: decision.parsed! },
      fallback: decision.fallback,
    });
    turns.push({ input: policy.encode(prompt), text });
  }
  return { turns, expertTurns };
}
