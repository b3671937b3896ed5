/** The examples of each step, the same after a resume: they are drawn in chunks, each from a seed of its own, and mixed. */
import { type AnyEnv, Generator, SeedSequence } from '@vlgym/core';
import type { VlmPolicy } from '@vlgym/models';
import type { LabeledSequence } from '@vlgym/rl';
import type { Example, Lesson } from './lesson.js';

/** Steps that share a chunk: an episode's examples are spread over as many steps. */
const STEPS_PER_CHUNK = 8;

export function batches(
  lesson: Lesson,
  env: AnyEnv,
  policy: VlmPolicy,
  seed: number,
): (step: number) => Promise<readonly LabeledSequence[]> {
  let chunk = -1;
  let examples: Example[] = [];
  return async (step) => {
    const wanted = Math.floor(step / STEPS_PER_CHUNK);
    if (wanted !== chunk) {
      examples = await draw(lesson, env, new Generator(new SeedSequence([seed, wanted])));
      chunk = wanted;
    }
    const start = (step % STEPS_PER_CHUNK) * lesson.batch;
    return examples.slice(start, start + lesson.batch).map((example) => labeled(policy, example));
  };
}

async function draw(lesson: Lesson, env: AnyEnv, rng: Generator): Promise<Example[]> {
  const drawn: Example[] = [];
  const size = STEPS_PER_CHUNK * lesson.batch;
  for await (const example of lesson.examples(env, rng)) {
    drawn.push(example);
    if (drawn.length === size) break;
  }
  return rng.permutation(size).map((place) => drawn[place]!);
}

/** @returns the example in tokens; a token is a label if any of its text is. */
export function labeled(policy: VlmPolicy, { messages, response, labels }: Example): LabeledSequence {
  const { ids, tokenEnds } = policy.encodeResponse(response);
  const isLabel = (end: number, start: number) => !labels || labels.some(([from, to]) => start < to && end > from);
  const labelMask = Uint8Array.from(ids, (_, i) => (isLabel(tokenEnds[i]!, i === 0 ? 0 : tokenEnds[i - 1]!) ? 1 : 0));
  return { input: policy.encode(messages), responseIds: ids, labelMask };
}
