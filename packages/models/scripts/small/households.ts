/**
 * Generated households as conversations, an episode per example: the teacher is the expert with partial knowledge, which
 * searches as the model must. Some commands are drawn at random, possible and impossible ones, and played without a label
 * after the thought that would lead to them, so that the labels also cover what a mistake leads to.
 */
import type { AnyEnv, ChatMessage, Generator, Turn } from '@vlgym/core';
import { wordCopy } from './copies.js';
import { answerWith, HouseholdNotes } from './household-notes.js';
import type { Example, WarmStartPlan } from './lesson.js';
import { sighting, whereabouts } from './sightings.js';

/**
 * Share of steps that leave the teacher's way, and of those after such a step: a possible command, one of an earlier step,
 * or the teacher's with another number.
 */
const DETOURS = 0.08;
const MORE_DETOURS = 0.4;
/** Share of the steps off the way after another one that say and do the same again, as a model does that is stuck. */
const REPEATED_DETOURS = 0.5;

interface Info {
  readonly admissibleCommands: readonly string[];
  readonly task: string;
  readonly legal: boolean;
}

export const alfworld: WarmStartPlan = {
  env: 'vlgym/ALFWorld-v2',
  options: { dialogue: 'chat-v1', expert: 'hand-coded' },
  splits: {
    train: { splitScheme: 'content', split: 'train' },
    test: { splitScheme: 'content', split: 'test' },
  },
  // a constraint counts each byte of the longest command as a token
  maxNewTokens: 96,
  batch: 4,
  totalExamples: 8_600,
  drills: [{ name: 'words', share: 0.15, batch: 48, example: wordCopy }],
  goal: '70 % of unseen households won',
  measure: 'success',
  mix: [
    { name: 'episode', share: 0.6, example: episode },
    { name: 'whereabouts', share: 0.25, example: whereabouts },
    { name: 'sighting', share: 0.15, example: sighting },
  ],
};

/** Undefined if the expert finds no solution. */
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
    const advised = await advice(env);
    if (advised === undefined) return undefined;
    messages = dialogue.prompt({ observation, info, history });
    const { admissibleCommands } = info as unknown as Info;
    const again = isDetour && rng.random() < REPEATED_DETOURS ? history.at(-1) : undefined;
    isDetour = rng.random() < (isDetour ? MORE_DETOURS : DETOURS);
    let action = advised;
    if (isDetour) action = (again?.action as string) ?? detour(advised, [admissibleCommands, earlier], rng);
    else answers.push(messages.length);
    earlier = admissibleCommands;
    const text = isDetour && again ? again.text : answerWith(notes.thought(action), action);
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

/** The expert's command; where it would close what it has searched, which costs a step and helps with nothing, the next. */
async function advice(env: AnyEnv): Promise<string | undefined> {
  const expert = env.oracle?.();
  if (!expert?.startsWith('close ')) return expert;
  const before = await env.snapshot!();
  await env.step(expert);
  const next = env.oracle!();
  await env.restore!(before);
  return next;
}

/** A command that the teacher would not give. */
function detour(advised: string, commands: readonly (readonly string[])[], rng: Generator): string {
  // with a different number in half of the cases
  const from = commands[rng.integers(0, 2 * commands.length)];
  if (from?.length) return from[rng.integers(0, from.length)]!;
  const numbers = advised.match(/\d+/g)?.length ?? 0;
  const changed = rng.integers(0, Math.max(1, numbers));
  let place = 0;
  return advised.replaceAll(/\d+/g, (number) => (place++ === changed ? String(rng.integers(1, 7)) : number));
}
