/**
 * Generated households as conversations, an episode per example: the teacher is the expert with partial knowledge, which
 * searches as the model must. Some commands are drawn at random, possible and impossible ones, and played without a label,
 * so that the labels also cover what a mistake leads to.
 */
import type { AnyEnv, ChatMessage, Generator, Turn } from '@vlgym/core';
import type { Example, Lesson } from './lesson.js';
import { sighting } from './sightings.js';

/** Share of steps that leave the expert's way; half of them as a mistake, with a command of an earlier step. */
const DETOURS = 0.1;
/** Share of examples that are about seeing the object of a task. */
const SIGHTING_SHARE = 0.4;

interface Info {
  readonly admissibleCommands: readonly string[];
}

export const alfworld: Lesson = {
  env: 'vlgym/ALFWorld-v2',
  options: { dialogue: 'chat-v1', actionOnly: true, expert: 'hand-coded' },
  splits: {
    train: { splitScheme: 'content', split: 'train' },
    test: { splitScheme: 'content', split: 'test' },
  },
  // a constraint counts each byte of the longest command as a token
  maxNewTokens: 96,
  batch: 4,
  totalExamples: 19_000,
  copyShare: 0.15,
  goal: '70 % of unseen households won',
  measure: 'success',
  async *examples(env, rng) {
    for (;;) {
      if (rng.random() >= SIGHTING_SHARE) yield* episode(env, rng);
      else {
        const example = await sighting(env, rng);
        if (example) yield example;
      }
    }
  },
};

async function* episode(env: AnyEnv, rng: Generator): AsyncGenerator<Example> {
  const dialogue = env.dialogue!;
  const history: Turn[] = [];
  const answers: number[] = [];
  let earlier: readonly string[] = [];
  let messages: readonly ChatMessage[] = [];
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  for (let over = false; !over; ) {
    const expert = env.oracle?.();
    if (expert === undefined) return;
    const context = { observation, info, history };
    messages = dialogue.prompt(context);
    const { admissibleCommands } = info as unknown as Info;
    const isDetour = rng.random() < DETOURS;
    const detours = earlier.length > 0 && rng.random() < 0.5 ? earlier : admissibleCommands;
    const action = isDetour ? detours[rng.integers(0, detours.length)]! : expert;
    earlier = admissibleCommands;
    if (!isDetour) answers.push(messages.length);
    const result = await env.step(action);
    history.push({ observation, text: dialogue.demonstrate!(context, action), action, reward: result.reward });
    ({ observation, info } = result);
    over = result.terminated || result.truncated;
  }
  const last = history.at(-1)!.text;
  const isLabel = answers.at(-1) === messages.length;
  yield {
    messages,
    response: last,
    ...(!isLabel && { labels: [] }),
    answers: answers.filter((place) => place < messages.length),
  };
}
