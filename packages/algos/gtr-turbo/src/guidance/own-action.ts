/**
 * A label for imitation: another's thought with the agent's own action put back, of which the thought alone is trained.
 *
 * The action is found by offsets, not by re-encoding, so that a tokenizer that merges across the marker never trains an
 * action in silence. Rules: `docs/specs/algorithms.md` 4.2.
 */
import { type Dialogue, tokenSpans } from '@vlgym/core';
import type { Policy, StepRecord } from '@vlgym/rl';
import type { LabeledSequence } from '@vlgym/rl/update';

/** @returns `undefined` if the text has no thought in the asked-for format. */
export function thoughtWithOwnAction(
  policy: Policy,
  step: StepRecord,
  text: string,
  parse: Dialogue['parse'],
): LabeledSequence | undefined {
  const parsed = parse(text);
  if (!parsed.formatValid || !parsed.spans.thought) return undefined;
  const thought = text.slice(0, parsed.spans.action[0]);
  const action = step.text.slice(step.parsed.spans.action[0]);
  const { ids, tokenEnds } = policy.encodeResponse(thought + action);
  const spans = { thought: parsed.spans.thought, action: [thought.length, thought.length + action.length] as const };
  const labelMask = tokenSpans({ spans }, tokenEnds).thought;
  return labelMask.includes(1) ? { input: step.input, responseIds: ids, labelMask } : undefined;
}
