/**
 * Generated households as conversations, an episode per example: the teacher is the expert with partial knowledge, which
 * searches as the model must. Some commands are drawn at random, possible and impossible ones, and played without a label,
 * so that the labels also cover what a mistake leads to.
 */
import type { AnyEnv, ChatMessage, Generator, Turn } from '@vlgym/core';
import { wordCopy } from './copies.js';
import { answerWith, HouseholdNotes } from './household-notes.js';
import type { Example, Lesson } from './lesson.js';
import { sighting, whereabouts } from './sightings.js';

/**
 * Share of steps that leave the expert's way, and of those after such a step: a possible command, one of an earlier step, or
 * the expert's with another number.
 */
const DETOURS = 0.08;
const MORE_DETOURS = 0.4;
interface Info {
  readonly admissibleCommands: readonly string[];
  readonly task: string;
  readonly legal: boolean;
}

export const alfworld: Lesson = {
  env: 'vlgym/ALFWorld-v2',
  options: { dialogue: 'chat-v1', expert: 'hand-coded' },
  splits: {
    train: { splitScheme: 'content', split: 'train' },
    test: { splitScheme: 'content', split: 'test' },
  },
  // a constraint counts each byte of the longest command as a token
  maxNewTokens: 96,
  batch: 4,
  totalExamples: 19_000,
  drills: [{ name: 'words', share: 0.15, batch: 48, example: wordCopy }],
  goal: '70 % of unseen households won',
  measure: 'success',
  mix: [
    { name: 'episode', share: 0.6, example: episode },
    { name: 'whereabouts', share: 0.25, example: whereabouts },
    { name: 'sighting', share: 0.15, example: sighting },
  ],
};

/** Undefined where the expert knows no way. */
async function episode(rng: Generator, env: AnyEnv): Promise<Example | undefined> {
  const dialogue = env.dialogue!;
  const history: Turn[] = [];
  const answers: number[] = [];
  let earlier: readonly string[] = [];
  let messages: readonly ChatMessage[] = [];
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  const notes = new HouseholdNotes((info as unknown as Info).task);
  let isDetour = false;
  for (let over = false; !over; ) {
    const expert = env.oracle?.();
    if (expert === undefined) return undefined;
    messages = dialogue.prompt({ observation, info, history });
    const { admissibleCommands } = info as unknown as Info;
    isDetour = rng.random() < (isDetour ? MORE_DETOURS : DETOURS);
    const action = isDetour ? detour(expert, [admissibleCommands, earlier], rng) : expert;
    earlier = admissibleCommands;
    if (!isDetour) answers.push(messages.length);
    const text = answerWith(notes.thought(expert), action);
    const result = await env.step(action);
    history.push({ observation, text, action, reward: result.reward });
    ({ observation, info } = result);
    if ((info as unknown as Info).legal) notes.see(action, observation as string);
    over = result.terminated || result.truncated;
  }
  const last = history.at(-1)!.text;
  const isLabel = answers.at(-1) === messages.length;
  return {
    messages,
    response: last,
    ...(!isLabel && { labels: [] }),
    answers: answers.filter((place) => place < messages.length),
  };
}

/** A command that the expert would not give. */
function detour(expert: string, commands: readonly (readonly string[])[], rng: Generator): string {
  // with another number in half of the cases
  const from = commands[rng.integers(0, 2 * commands.length)];
  if (from?.length) return from[rng.integers(0, from.length)]!;
  const numbers = expert.match(/\d+/g)?.length ?? 0;
  const changed = rng.integers(0, Math.max(1, numbers));
  let place = 0;
  return expert.replaceAll(/\d+/g, (number) => (place++ === changed ? String(rng.integers(1, 7)) : number));
}
