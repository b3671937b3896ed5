/** A recorded step as the page shows it: from a trajectory, from the record of an update, or from both. */
import { environmentReward, meanOf } from '@vlgym/core/internal';
import { flag, type Json, list, number, present, record, text } from '../folders/values.js';
import type { ShownMessage, ShownPart, ShownStep, ShownToolCall } from '../protocol.js';

/** Characters. */
const MAX_TEXT = 20_000;
const ONE_LINE = 60;
const HASH = /^sha256:[0-9a-f]{64}$/;

const clipped = (value: string): string => (value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)} …` : value);

/** JSON in words; a text as it is. */
const words = (value: unknown): string => (typeof value === 'string' ? clipped(value) : clipped(jsonText(value)));

/** On one line where that is short. */
function jsonText(value: unknown): string {
  const line = JSON.stringify(value) ?? '';
  return line.length <= ONE_LINE ? line : JSON.stringify(value, null, 1);
}

const clippedText = (value: unknown): string | undefined => {
  const found = text(value);
  return found === undefined ? undefined : clipped(found);
};

/** Characters of JSON. */
const MAX_INFO = 20_000;

/** @param before  The observation that the step acted on. @param info  What came with it. */
export function stepOfTrajectory(step: Json, before: Json, info: Json): ShownStep {
  const spans = record(step.spans);
  const prompt = step.prompt === undefined ? undefined : list(step.prompt).map((each) => messageOf(record(each)));
  return present({
    index: number(step.index) ?? 0,
    prompt,
    pictures: picturesOf(before),
    observation: observationText(before),
    info: infoOf(info),
    response: clippedText(step.response),
    thoughtSpan: spanOf(spans.thought),
    actionSpan: spanOf(spans.action),
    thought: clippedText(step.thought),
    action: clippedText(step.actionText) ?? (step.action === undefined ? undefined : words(step.action)),
    taken: step.action === undefined ? undefined : words(JSON.stringify(step.action)),
    legal: flag(step.legal),
    fallback: flag(step.fallback),
    reason: text(step.reason),
    reward: number(step.reward) ?? 0,
    rewardParts: partsOf(step.rewardParts),
    value: number(step.value),
    terminated: step.terminated === true,
    truncated: step.truncated === true,
    truncationReason: text(step.truncationReason),
    policyVersion: number(step.policyVersion),
    error: errorOf(step.error),
    toolCalls: list(step.toolCalls).map((call) => toolCallOf(record(call))),
    reasoning: clippedText(step.reasoning),
    facts: factsOf(step),
    tokens: list(record(step.tokens).ids).length,
  }) as ShownStep;
}

/** @param line  A step of `training/update-….jsonl`. */
export function stepOfUpdate(line: Json): ShownStep {
  const response = text(line.text) ?? '';
  return present({
    index: number(line.step) ?? 0,
    pictures: list(line.pictures).filter(isHash),
    response: clipped(response),
    thoughtSpan: maskedSpan(line, 'thoughtMask'),
    actionSpan: maskedSpan(line, 'actionMask'),
    thought: clippedText(line.thought),
    action: clippedText(line.action),
    legal: flag(line.legal),
    fallback: flag(line.fallback),
    reward: environmentReward(line.reward),
    rewardParts: partsOf(line.reward),
    ...numbersOfUpdate(line),
    terminated: line.terminated === true,
    truncated: line.truncated === true,
    error: errorOf(line.error),
    toolCalls: [],
    facts: [],
    tokens: list(line.tokenIds).length,
  }) as ShownStep;
}

/** Adds the numbers of an update to a step of a trajectory. */
export const withUpdate = (step: ShownStep, line: Json): ShownStep => ({
  ...step,
  ...present({ ...numbersOfUpdate(line), rewardParts: mergedParts(step, line) }),
  tokens: list(line.tokenIds).length,
});

const mergedParts = (step: ShownStep, line: Json) =>
  step.rewardParts.length > 0 ? step.rewardParts : partsOf(line.reward);

const numbersOfUpdate = (line: Json) => ({
  value: number(line.value),
  advantage: meanOf(line.advantage),
  return: meanOf(line.return),
  inPolicyLoss: flag(line.inPolicyLoss),
  policyVersion: number(line.policyVersion),
});

/** Offsets of the text that a mask of tokens covers. */
function maskedSpan(line: Json, mask: 'thoughtMask' | 'actionMask'): readonly [number, number] | undefined {
  const bits = list(line[mask]);
  const ends = list(line.tokenEnds).map((end) => number(end) ?? 0);
  const [first, last] = [bits.indexOf(1), bits.lastIndexOf(1)];
  return first < 0 ? undefined : [first === 0 ? 0 : (ends[first - 1] ?? 0), ends[last] ?? 0];
}

export const picturesOf = (observation: Json): string[] => list(observation.images).filter(isHash);

const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value);

export function observationText({ value }: Json): string | undefined {
  return value === undefined ? undefined : words(value);
}

function infoOf(info: Json): Json | undefined {
  const length = JSON.stringify(info).length;
  return length > 2 && length <= MAX_INFO ? info : undefined;
}

function messageOf({ role, content }: Json): ShownMessage {
  const parts =
    typeof content === 'string' ? [{ text: clipped(content) }] : list(content).map((part) => partOf(record(part)));
  return { role: text(role) ?? '', parts };
}

const partOf = (part: Json): ShownPart =>
  isHash(part.image) ? { image: part.image } : { text: clipped(text(part.text) ?? '') };

function toolCallOf(call: Json): ShownToolCall {
  return present({
    name: text(call.name) ?? '',
    input: words(call.input ?? null),
    output: call.output === undefined ? undefined : words(call.output),
    error: clippedText(call.error),
  }) as ShownToolCall;
}

const partsOf = (parts: unknown): (readonly [string, number])[] =>
  Object.entries(record(parts)).flatMap(([name, value]) =>
    number(value) === undefined ? [] : [[name, value as number] as const],
  );

function spanOf(span: unknown): readonly [number, number] | undefined {
  const [from, to] = list(span).map(number);
  return from !== undefined && to !== undefined ? [from, to] : undefined;
}

function errorOf(error: unknown): string | undefined {
  const { boundary, code, message } = record(error);
  return code === undefined ? undefined : clipped(`${String(boundary)} ${String(code)}: ${String(message)}`);
}

/** Usage, latency, sampling and verdicts, in words. */
function factsOf(step: Json): (readonly [string, string])[] {
  const usage = Object.entries(record(step.usage)).map(([name, value]) => [spaced(name), String(value)] as const);
  const facts: (readonly [string, unknown])[] = [
    ['latency', step.latencyMs === undefined ? undefined : `${Math.round(number(step.latencyMs) ?? 0)} ms`],
    ['finish reason', step.finishReason],
    ['format valid', step.formatValid],
    ['thought correct', step.thoughtCorrect],
  ];
  const metadata = [...Object.entries(record(step.sampling)), ...Object.entries(record(step.metadata))];
  return [
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const])),
    ...usage,
    ...metadata.map(([name, value]) => [name, words(value)] as const),
  ];
}

/** `inputTokens` → `input tokens` */
const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
