/** A question to an agent about a step: it reads the prompt of the step, its answer, and what has been said since. */
import { type AnyAgent, Episode } from '@vlgym/agents';
import { type AnyEnv, type ChatMessage, GymError } from '@vlgym/core';
import { list, record, text } from '../folders/values.js';
import { type PlayedBefore, playUntil } from './play-branch.js';

interface TalkPlan {
  readonly trajectory: PlayedBefore;
  readonly at: number;
  /** Questions and answers so far; the last one is a question. */
  readonly said: readonly string[];
  readonly agent: AnyAgent;
  readonly env: AnyEnv;
  readonly signal: AbortSignal;
}

const MAX_SAID = 41;
const MAX_TEXT = 20_000;

/** @throws {GymError} `INVALID_OPTION`: no question, or too many. */
export function readSaid(value: unknown): readonly string[] {
  const said = list(value).map((each) => text(each) ?? '');
  const isFine = said.length % 2 === 1 && said.length <= MAX_SAID;
  if (isFine && said.every((each) => each.trim() !== '' && each.length <= MAX_TEXT)) return said;
  throw new GymError('These words cannot be asked.', {
    code: 'INVALID_OPTION',
    value: said.length,
    expected: `questions and answers in turn, the last one a question, at most ${MAX_SAID}`,
    hint: 'write a question; begin a new conversation if this one is long',
  });
}

/** Nothing is recorded. @throws {GymError} `NO_ANSWER`: the agent failed, or has no words. */
export async function talk({ trajectory, at, said, agent, env, signal }: TalkPlan): Promise<string> {
  const episode = new Episode({ env, signal });
  try {
    await playUntil(episode, trajectory, at);
    const { id, observation, info } = episode.state;
    const memory = await agent.begin?.({ id, env, observation, info, signal });
    const response = trajectory.steps[at]?.response;
    const messages: ChatMessage[] = [
      ...(env.dialogue ? episode.prompt() : []),
      ...(response ? [{ role: 'assistant', content: response } as const] : []),
      ...said.map((content, turn) => ({ role: turn % 2 === 0 ? 'user' : 'assistant', content }) as const),
    ];
    const turn = await agent.act({ ...episode.context, messages, memory });
    if (turn.text !== '') return turn.text;
    const { code, message } = record(turn.error);
    throw new GymError(text(message) ?? `"${agent.name}" has no words: it chooses actions only.`, {
      code: text(code) ?? 'NO_ANSWER',
      value: agent.name,
      hint: 'ask a policy, a checkpoint or a language model',
    });
  } finally {
    await episode.close();
  }
}
