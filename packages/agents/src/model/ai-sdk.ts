/**
 * Calls a language model through the AI SDK (`vercel/ai`, versions 6 and 7): our messages in, steps with tool calls out.
 *
 * `ai` is an optional peer, loaded at the first request: its `generateText` knows every version of the model
 * interface, so this package need not. Retries, time limits and budgets live in the meter, because their failures become
 * data.
 */
import { type ChatMessage, messageText } from '@vlgym/core';
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import { InvalidModelError } from '../errors.js';
import { repairedCall } from '../tools/repair-call.js';
import { importOptional } from './import-optional.js';
import { pngOf } from './sent-pictures.js';

/** A message as the AI SDK takes it (its `ModelMessage`). Declarations must load without `ai`, which is optional. */
export interface SdkMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
}

/** The part of an AI SDK model object that is used here. */
export interface LanguageModelLike {
  /** `v2`, `v3`, `v4` */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** Settings passed unchanged to every request; missing ones use the provider's defaults. */
export interface ModelSettings {
  readonly temperature?: number | undefined;
  /** Also makes budgets and token limits hard: the size of every request is known before it is sent. */
  readonly maxOutputTokens?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** By provider name, as the AI SDK documents them. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** A tool of the AI SDK: `tool({ description, inputSchema, execute })`. */
export interface ToolLike {
  // biome-ignore lint/suspicious/noExplicitAny: any schema that the AI SDK accepts
  readonly inputSchema: any;
  /** A text; in version 7 also a function that writes one. */
  readonly description?: unknown;
}

export type ToolsLike = Readonly<Record<string, ToolLike>>;

/** One request of a turn, as `generateText` and `ToolLoopAgent` return it. */
export interface AnswerStep {
  readonly text: string;
  readonly reasoningText?: string | undefined;
  readonly finishReason: string;
  readonly content: readonly ContentPart[];
  readonly usage?: unknown;
}

/** Parts that matter here: `tool-call`, `tool-result`, `tool-error`. */
export interface ContentPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly invalid?: boolean;
}

export interface ModelAnswer {
  readonly text: string;
  readonly steps: readonly AnswerStep[];
  /** The model's messages and the results of its tools, for a repair turn. */
  readonly messages: readonly SdkMessage[];
}

/** @throws {InvalidModelError}  `value` is not a model object. */
export function assertLanguageModel(value: unknown): asserts value is LanguageModelLike {
  const { specificationVersion, modelId, doGenerate } = (value ?? {}) as Record<string, unknown>;
  const known = ['v2', 'v3', 'v4'].includes(String(specificationVersion));
  if (!known || typeof modelId !== 'string' || typeof doGenerate !== 'function') throw new InvalidModelError(value);
}

/** The model behind `provider/model`, as the AI SDK resolves it: its default provider, otherwise the gateway. */
export async function gatewayModel(id: string): Promise<LanguageModelLike> {
  const { gateway } = await importOptional('ai', () => import('ai'));
  const { AI_SDK_DEFAULT_PROVIDER: provider = gateway } = globalThis as {
    readonly AI_SDK_DEFAULT_PROVIDER?: { languageModel(id: string): unknown };
  };
  const model = provider.languageModel(id);
  assertLanguageModel(model);
  return model;
}

export interface GenerateRequest {
  readonly model: LanguageModelLike;
  readonly system: string;
  readonly messages: readonly SdkMessage[];
  readonly settings: ModelSettings;
  readonly tools: ToolsLike;
  /** True once the turn should end although the model wants another step. */
  readonly isOver: (steps: readonly AnswerStep[]) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** One answer: a request, and as many as the calls of its tools need. Rejects with the model's error. */
export async function generateAnswer(request: GenerateRequest): Promise<ModelAnswer> {
  const { generateText } = await importOptional('ai', () => import('ai'));
  const { model, system, messages, settings, tools, isOver, signal } = request;
  const result = await generateText({
    ...(settings as object),
    model: model as LanguageModel,
    ...(system !== '' && { system }),
    messages: [...messages] as ModelMessage[],
    ...(Object.keys(tools).length > 0 && {
      tools: tools as ToolSet,
      stopWhen: (state: { readonly steps: unknown }) => isOver(state.steps as readonly AnswerStep[]),
      experimental_repairToolCall: repairedCall,
    }),
    ...(signal && { abortSignal: signal }),
    maxRetries: 0,
  });
  // version 7 has those of all steps here; in its `response` are those of the last step only
  const { responseMessages = result.response.messages } = result as { readonly responseMessages?: SdkMessage[] };
  return { text: result.text, steps: result.steps as unknown as readonly AnswerStep[], messages: responseMessages };
}

/** The system prompt, and the other messages as the AI SDK takes them. */
export function sdkPrompt(messages: readonly ChatMessage[]): { system: string; messages: SdkMessage[] } {
  const system = messages.filter(({ role }) => role === 'system').map(messageText);
  return {
    system: system.join('\n\n'),
    messages: messages.filter(({ role }) => role !== 'system').map(toModelMessage),
  };
}

/** Pictures are sent as PNG, without loss. */
function toModelMessage(message: ChatMessage): SdkMessage {
  const { role, content } = message;
  if (role !== 'user' || typeof content === 'string') {
    return { role: role as 'user' | 'assistant', content: messageText(message) };
  }
  return {
    role,
    content: content.map((part) =>
      part.type === 'text' ? part : { type: 'file', mediaType: 'image/png', data: pngOf(part.image) },
    ),
  };
}
