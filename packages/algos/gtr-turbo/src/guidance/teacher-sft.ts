/**
 * Guidance by imitation: the merged teacher answers the agent's prompt, its thought becomes a label.
 *
 * The action stays the agent's own and is not trained (`own-action.ts`). A teacher that cannot be parsed, or fails, gives no
 * label; the agent is not punished for it. Rules: `docs/specs/algorithms.md` 5 and 18; DAgger set 4.3.
 */
import { Generator } from '@vlgym/core';
import type { Policy, RolloutBuffer, Run, StepRecord } from '@vlgym/rl';
import type { SftConfig } from '../options.js';
import type { DaggerSet } from './dagger-set.js';
import { thoughtWithOwnAction } from './own-action.js';

/** Steps asked for in one call of the teacher. */
const TEACHER_BATCH = 32;

/** Adds a label for every well-formed step that the teacher can answer; at most `teacherTries` tries each. */
export async function labelByTeacher(
  { policy, config, collector, state, rng, metrics, signal }: Run<SftConfig, { readonly dagger: DaggerSet }>,
  { steps }: RolloutBuffer,
): Promise<void> {
  const { guidance, rollout } = config;
  const { dagger } = state;
  const parse = collector.dialogue.parse.bind(collector.dialogue);
  let waiting = steps.filter((step) => step.parsed.formatValid && !step.fallback && !step.lengthTruncated);
  let labeled = 0;
  let failures = 0;
  let temperature = guidance.teacherTemperature;
  for (let round = 0; round < guidance.teacherTries && waiting.length > 0; round++) {
    const unanswered: StepRecord[] = [];
    for (let start = 0; start < waiting.length; start += TEACHER_BATCH) {
      signal?.throwIfAborted();
      const asked = waiting.slice(start, start + TEACHER_BATCH);
      const answers = await ask(policy, asked, {
        weights: 'teacher',
        rng: asked.map(() => new Generator(rng.integers(0, 2 ** 31))),
        temperature,
        topK: guidance.teacherTopK,
        repetitionPenalty: guidance.teacherRepetitionPenalty,
        maxNewTokens: rollout.maxNewTokens,
        ...(signal && { signal }),
      });
      for (const [index, step] of asked.entries()) {
        const answer = answers?.[index];
        const isWhole = answer?.finishReason === 'stop';
        const label = isWhole ? thoughtWithOwnAction(policy, step, answer.text, parse) : undefined;
        if (label) {
          dagger.add(label);
          labeled += 1;
        } else {
          failures += 1;
          unanswered.push(step);
        }
      }
    }
    waiting = unanswered;
    temperature = Math.min(temperature * 1.1, guidance.teacherMaxTemperature);
  }
  metrics.setAll({
    'teacher/labeled-share': labeled / Math.max(1, steps.length),
    'teacher/failed-answers': failures,
    'teacher/given-up': waiting.length,
    'teacher/dagger-size': dagger.size,
  });
}

/** The teacher's answers, or nothing if it failed: that is the teacher's fault, and a later round tries again. */
async function ask(policy: Policy, steps: readonly StepRecord[], options: Parameters<Policy['sample']>[1]) {
  try {
    return await policy.sample(
      steps.map((step) => step.input),
      options,
    );
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return undefined;
  }
}
