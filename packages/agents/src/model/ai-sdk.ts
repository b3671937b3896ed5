/**
 * Calls a language model through the AI SDK (`vercel/ai`, versions 6 and 7): our messages in, text and usage out.
 *
 * `ai` is an optional peer, loaded at the first request: its `generateText` knows every version of the model
 * interface, so this package need not. Retries, time limits and budgets live here, because their failures become data.
 */
import { type ChatMessage, encodePng, messageText } from '@vlgym/core';
import type { LanguageModel, ModelMessage } from 'ai';
import { InvalidModelError } from '../errors.js';
import { importOptional } from './import-optional.js';

/** The part of an AI SDK model object that is used here. */
export interface LanguageModelLike {
  /** `v2`, `v3`, `v4` */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** Settings passed unchanged to every request; missing ones use the provider's defaults. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** By provider name, as the AI SDK documents them. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ModelAnswer {
  readonly text: string;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** @throws {InvalidModelError}  `value` is not a model object. */
export function assertLanguageModel(value: unknown): asserts value is LanguageModelLike {
  const { specificationVersion, modelId, doGenerate } = (value ?? {}) as Record<string, unknown>;
  const known = ['v2', 'v3', 'v4'].includes(String(specificationVersion));
  if (!known || typeof modelId !== 'string' || typeof doGenerate !== 'function') throw new InvalidModelError(value);
}

/** One request. Rejects with whatever the provider throws. */
export async function generateAnswer(
  model: LanguageModelLike,
  messages: readonly ChatMessage[],
  settings: ModelSettings,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { generateText } = await importOptional('ai', () => import('ai'));
  const system = messages.filter(({ role }) => role === 'system').map(messageText);
  const { text, usage } = await generateText({
    ...(settings as object),
    model: model as LanguageModel,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: messages.filter(({ role }) => role !== 'system').map(toModelMessage),
    abortSignal: signal,
    maxRetries: 0,
  });
  return { text, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
}

/** Pictures are sent as PNG, without loss. */
function toModelMessage(message: ChatMessage): ModelMessage {
  const { role, content } = message;
  if (role !== 'user' || typeof content === 'string') {
    return { role: role as 'user' | 'assistant', content: messageText(message) };
  }
  return {
    role,
    content: content.map((part) =>
      part.type === 'text' ? part : { type: 'file', mediaType: 'image/png', data: encodePng(part.image) },
    ),
  };
}
