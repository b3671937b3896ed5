/**
 * `chat-v1`: an episode as a conversation, one turn of each side per step. Each prompt starts with
 * the previous one, so that an episode is one training sequence and one key-value cache serves all of it. Modeled on the
 * conversations for tuning agents on ALFWorld (AgentTuning, arXiv 2310.12823), in our own words.
 */
import type { ChatMessage, PromptContext } from '@vlgym/core';
import type { HouseholdInfo } from './info.js';
import type { HouseholdObservation } from './observation.js';

const COMMANDS = [
  ...['look', 'inventory', 'go to {place}', 'open {place}', 'close {place}', 'examine {thing}', 'use {lamp}'],
  ...['take {object} from {place}', 'move {object} to {place}', 'put {object} in/on {place}'],
  ...['heat {object} with {place}', 'cool {object} with {place}', 'clean {object} with {place}'],
];

export interface Wording {
  /** A user's message: the text, and the picture if there is one. */
  readonly message: (observation: HouseholdObservation, text: string) => ChatMessage;
  readonly textOf: (observation: HouseholdObservation) => string | undefined;
  /** The answer of an agent without thoughts. */
  readonly answer: (action: string) => string;
  /** The request of the task. */
  readonly request: string;
}

export function conversation(
  { observation, info, history }: PromptContext<HouseholdObservation, string, HouseholdInfo>,
  { message, textOf, answer, request }: Wording,
): ChatMessage[] {
  const rules = `You act in a household, one command at a time. Commands: ${COMMANDS.join(', ')}.\n${request}`;
  const task = `Your task is to: ${info.task}`;
  const seen = (at: HouseholdObservation, step: number) => {
    const text = textOf(at) ?? 'You see the picture.';
    // the first text of a household ends with its task, a picture does not
    return message(at, step === 0 && !text.includes(task) ? `${text}\n${task}` : text);
  };
  const turns = history.flatMap((turn, step): ChatMessage[] => [
    seen(turn.observation, step),
    { role: 'assistant', content: turn.text === '' && turn.action !== undefined ? answer(turn.action) : turn.text },
  ]);
  return [{ role: 'system', content: rules }, ...turns, seen(observation, history.length)];
}
