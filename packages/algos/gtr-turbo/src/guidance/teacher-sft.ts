/**
 * Guidance by imitation: the merged teacher answers the agent's prompt, its thought becomes a label.
 *
 * The action stays the agent's own and is not trained; it is found by offsets, not by re-encoding, so that a tokenizer
 * that merges across the marker never trains an action in silence. A teacher that cannot be parsed, or fails, gives no
 * label; the agent is not punished for it. Rules: `docs/specs/algorithms.md` 5 and 18; DAgger set 4.3.
 */
import { type Dialogue, Generator, tokenSpans } from '@vlgym/core';
import type { Policy, RolloutBuffer, Run, StepRecord } from '@vlgym/rl';
import type { LabeledSequence } from '@vlgym/rl/update';
import type { SftConfig } from '../options.js';
import type { DaggerSet } from './dagger-set.js';

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
        const label = answer && labelFor(policy, step, answer.text, answer.finishReason, parse);
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

/** The teacher's thought with the agent's action put back, or `undefined` if the teacher's answer has no thought. */
function labelFor(
  policy: Policy,
  step: StepRecord,
  text: string,
  finishReason: 'stop' | 'length',
  parse: Dialogue['parse'],
): LabeledSequence | undefined {
  const parsed = parse(text);
  if (finishReason === 'length' || !parsed.formatValid || !parsed.spans.thought) return undefined;
  const thought = text.slice(0, parsed.spans.action[0]);
  const action = step.text.slice(step.parsed.spans.action[0]);
  const { ids, tokenEnds } = policy.encodeResponse(thought + action);
  const spans = { thought: parsed.spans.thought, action: [thought.length, thought.length + action.length] as const };
  const labelMask = tokenSpans({ spans }, tokenEnds).thought;
  return labelMask.includes(1) ? { input: step.input, responseIds: ids, labelMask } : undefined;
}
