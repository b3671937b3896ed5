/** From an answer of the AI SDK (text, reasoning, steps with tool calls) to a turn: the action, and everything before it. */
import { type Info, redactSecrets } from '@vlgym/core';
import type { AgentContext, AgentTurn, ToolCall } from '../agent.js';
import type { AnswerStep, ContentPart } from '../model/ai-sdk.js';
import { turnFromResponse } from '../turn.js';
import { turnFromToolCall } from './tool-call.js';

/** More is not an answer: a recording would refuse it. Characters. */
export const MAX_ANSWER_LENGTH = 1_000_000;

/**
 * The first valid call of an action tool is the action; without one the text is read as a response.
 *
 * @param actionNames  Names of the tools that are actions.
 * @param secrets      Keys of the request, which a gateway may repeat.
 */
export function turnFromAnswer<O, A, I extends Info>(
  context: AgentContext<O, A, I>,
  { text, steps }: { readonly text: string; readonly steps: readonly AnswerStep[] },
  actionNames: readonly string[],
  rest: Partial<AgentTurn<A>> = {},
  secrets: readonly string[] = [],
): AgentTurn<A> {
  const clean = (value: string) => withoutSecrets(value, secrets).slice(0, MAX_ANSWER_LENGTH);
  const calls = steps.flatMap(({ content }) => callsIn(content)).map((call) => cleanCall(call, secrets));
  const chosen = calls.findIndex(({ name, error }) => actionNames.includes(name) && error === undefined);
  const reasoning = steps
    .map(({ reasoningText = '' }) => reasoningText)
    .join('\n')
    .trim();
  const toolCalls = calls.map((call, index) =>
    index > chosen && chosen >= 0 && actionNames.includes(call.name) && call.error === undefined
      ? { ...call, error: 'A turn has one action; the first call counts.' }
      : call,
  );
  const { finishReason } = steps.at(-1) ?? {};
  const facts: Partial<AgentTurn<A>> = {
    ...rest,
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    ...(reasoning === '' ? {} : { reasoning: clean(reasoning) }),
    ...(finishReason === undefined ? {} : { finishReason }),
  };
  if (chosen >= 0) return turnFromToolCall(context, calls[chosen]!, facts, clean(text));
  return turnFromResponse(context, clean(text), facts);
}

/** Characters of an answer: text, reasoning and arguments. */
export const answerLength = (steps: readonly AnswerStep[]): number =>
  steps.reduce(
    (sum, { text, reasoningText = '', content }) =>
      sum +
      text.length +
      reasoningText.length +
      content.reduce((inner, { type, input }) => inner + (type === 'tool-call' ? String(asText(input)).length : 0), 0),
    0,
  );

function callsIn(content: readonly ContentPart[]): ToolCall[] {
  const byId = (kind: string, id: string | undefined) =>
    content.find(({ type, toolCallId }) => type === kind && toolCallId === id);
  return content
    .filter(({ type }) => type === 'tool-call')
    .map(({ toolCallId, toolName = '', input, invalid, error }) => {
      const result = byId('tool-result', toolCallId);
      const failed = byId('tool-error', toolCallId);
      const why = failed?.error ?? (invalid ? (error ?? 'The call is invalid.') : undefined);
      return {
        ...(toolCallId === undefined ? {} : { id: toolCallId }),
        name: toolName,
        input,
        ...(result === undefined ? {} : { output: result.output }),
        ...(why === undefined ? {} : { error: why instanceof Error ? why.message : String(why) }),
      };
    });
}

function cleanCall(call: ToolCall, secrets: readonly string[]): ToolCall {
  const { error } = call;
  const json = JSON.stringify(call) ?? '';
  if (!secrets.some((secret) => secret.length >= 8 && json.includes(secret))) return call;
  return {
    ...(JSON.parse(redactSecrets(json, secrets)) as ToolCall),
    ...(error === undefined ? {} : { error: redactSecrets(error, secrets) }),
  };
}

/** Redacts the request's own key from an answer, because a gateway may repeat it; other text stays as the model wrote it. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.some((secret) => secret.length >= 8 && text.includes(secret)) ? redactSecrets(text, secrets) : text;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
