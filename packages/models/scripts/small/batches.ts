/**
 * The examples of each step, the same after a resume: those of the drills first, then those of the lesson, which are
 * drawn in chunks, each from a separate seed, and mixed.
 */
import { type AnyEnv, Generator } from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import type { VlmPolicy } from '@vlgym/models';
import type { LabeledSequence } from '@vlgym/rl/update';
import type { Drill, Example, Kind, WarmStartPlan } from './lesson.js';

/** Steps that share a chunk: an episode's examples are spread over as many steps. */
const STEPS_PER_CHUNK = 8;

export interface Course {
  readonly lesson: WarmStartPlan;
  readonly env: AnyEnv;
  readonly policy: VlmPolicy;
  readonly seed: number;
  /** Optimizer steps of the whole run. */
  readonly steps: number;
}

export function batches({
  lesson,
  env,
  policy,
  seed,
  steps,
}: Course): (step: number) => Promise<readonly LabeledSequence[]> {
  let chunk = -1;
  let examples: Example[] = [];
  return async (step) => {
    const drill = drillAt(lesson, step, steps);
    if (drill) {
      const rng = new Generator(new SeedSequence([seed, step, 0]));
      const batch: LabeledSequence[] = [];
      for await (const example of examplesOf([drill], env, rng)) {
        batch.push(labeled(policy, example));
        if (batch.length === drill.batch) break;
      }
      return batch;
    }
    const wanted = Math.floor(step / STEPS_PER_CHUNK);
    if (wanted !== chunk) {
      examples = await draw(lesson, env, new Generator(new SeedSequence([seed, wanted])));
      chunk = wanted;
    }
    const start = (step % STEPS_PER_CHUNK) * lesson.batch;
    return examples.slice(start, start + lesson.batch).map((example) => labeled(policy, example));
  };
}

/** Steps of a run until the last drill is over. */
export const drillStepsOf = ({ drills = [] }: WarmStartPlan, steps: number): number =>
  drills.reduce((sum, { share }) => sum + Math.floor(steps * share), 0);

function drillAt({ drills = [] }: WarmStartPlan, step: number, steps: number): Drill | undefined {
  let end = 0;
  return drills.find(({ share }) => {
    end += Math.floor(steps * share);
    return step < end;
  });
}

/** An endless sequence of examples, each of a type drawn by its share. */
export async function* examplesOf(kinds: readonly Kind[], env: AnyEnv, rng: Generator): AsyncGenerator<Example> {
  const ends = kinds.map((_, place) => kinds.slice(0, place + 1).reduce((sum, { share }) => sum + share, 0));
  for (;;) {
    const drawn = rng.random() * ends.at(-1)!;
    const example = await kinds[ends.findIndex((end) => drawn < end)]!.example(rng, env);
    if (example) yield example;
  }
}

async function draw(lesson: WarmStartPlan, env: AnyEnv, rng: Generator): Promise<Example[]> {
  const drawn: Example[] = [];
  const size = STEPS_PER_CHUNK * lesson.batch;
  for await (const example of examplesOf(lesson.mix, env, rng)) {
    drawn.push(example);
    if (drawn.length === size) break;
  }
  return rng.permutation(size).map((place) => drawn[place]!);
}

/** @returns the example in tokens; a token is a label if any of its text is. */
export function labeled(policy: VlmPolicy, example: Example): LabeledSequence {
  const { messages, response, labels, answers = [] } = example;
  const { ids, tokenEnds } = policy.encodeResponse(response);
  const isLabel = (end: number, start: number) => !labels || labels.some(([from, to]) => start < to && end > from);
  const labelMask = Uint8Array.from(ids, (_, i) => (isLabel(tokenEnds[i]!, i === 0 ? 0 : tokenEnds[i - 1]!) ? 1 : 0));
  const sequence = { input: policy.encode(messages), responseIds: ids, labelMask };
  return answers.length === 0 ? sequence : withEarlierAnswers(policy, example, sequence);
}

/** A conversation from its first label on as one response. Only for conversations in words. */
function withEarlierAnswers(
  policy: VlmPolicy,
  { answers = [] }: Example,
  { input, responseIds, labelMask }: LabeledSequence,
): LabeledSequence {
  const [opening, close] = [policy.encode([]).promptIds, policy.encodeResponse('').ids[0]!];
  const { promptIds } = input;
  // places where messages begin
  const starts = [...promptIds.keys()].filter((place) => promptIds[place] === opening[0]);
  const begin = (message: number) => starts[message]! + opening.length;
  const first = begin(Math.min(...answers));
  const isLabel = new Uint8Array(promptIds.length);
  for (const place of answers) isLabel.fill(1, begin(place), promptIds.indexOf(close, begin(place)) + 1);
  return {
    input: { ...input, promptIds: promptIds.slice(0, first) },
    responseIds: Int32Array.of(...promptIds.slice(first), ...responseIds),
    labelMask: Uint8Array.of(...isLabel.slice(first), ...labelMask),
  };
}
