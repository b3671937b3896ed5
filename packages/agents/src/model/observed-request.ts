/** Requests and calls of tools, watched where an evaluation has an observer. */

import { observed } from '../observer.js';
import { currentScope } from '../scope.js';
import { assertLanguageModel, type LanguageModelLike } from './ai-sdk.js';
import { NO_USAGE, requestUsage } from './budget.js';
import { tokensOf } from './tokens.js';

interface Request {
  readonly provider: string;
  readonly modelId: string;
  readonly call: object;
}

/** The whole request with its retries. */
export function observedRequest<T extends { readonly usage?: unknown }>(
  { provider, modelId: model, call }: Request,
  send: () => Promise<T>,
): Promise<T> {
  const observer = currentScope()?.observer;
  const what = () => ({ kind: 'model', provider, model, settings: call }) as const;
  return observed(observer, what, async (done) => {
    const answer = await send();
    if (observer)
      done({ usage: { ...NO_USAGE, ...requestUsage(tokensOf(answer.usage)) }, finishReason: finishOf(answer) });
    return answer;
  });
}

/** A word in version 2 of the model interface, an object with one in later versions. */
function finishOf(answer: object): string | undefined {
  const { finishReason } = answer as { readonly finishReason?: unknown };
  const found = typeof finishReason === 'string' ? finishReason : (finishReason as { unified?: unknown })?.unified;
  return typeof found === 'string' ? found : undefined;
}

/** Tools of the AI SDK whose calls are watched; those without `execute` are unchanged. */
export function observedTools<Tools extends Readonly<Record<string, object>>>(tools: Tools): Tools {
  const observer = currentScope()?.observer;
  if (!observer) return tools;
  const entries = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool as { readonly execute?: (input: unknown, options: unknown) => unknown };
    if (typeof execute !== 'function') return [name, tool];
    const watched = (input: unknown, given: { readonly toolCallId?: string } = {}) => {
      const { toolCallId: callId } = given;
      return observer.observe({ kind: 'tool', name, ...(callId !== undefined && { callId }), input }, async (done) => {
        const output = await execute.call(tool, input, given);
        done({ output });
        return output;
      });
    };
    return [name, { ...tool, execute: watched }];
  });
  return Object.fromEntries(entries) as Tools;
}

/**
 * For agents of the AI SDK, which own their model and tools: both watched, as options of one call. In versions 6 and 7 options
 * of a call take the place of the agent's settings.
 */
export function observedSettings(agent: object): { readonly tools?: object; readonly model?: object } {
  if (!currentScope()?.observer) return {};
  const { version, tools, settings } = agent as AgentLike;
  if (version !== 'agent-v1') return {};
  const model = settings?.model;
  return {
    ...(typeof tools === 'object' && tools !== null && { tools: observedTools(tools as Record<string, object>) }),
    ...(typeof model === 'object' && model !== null && { model: observedModel(model) }),
  };
}

interface AgentLike {
  readonly version?: unknown;
  readonly tools?: unknown;
  readonly settings?: { readonly model?: unknown };
}

/** A model whose answers are watched; streams are not, because a turn does not stream. */
function observedModel(inner: object): object {
  assertLanguageModel(inner);
  const { specificationVersion, provider, modelId } = inner;
  const { supportedUrls = {}, doGenerate, doStream } = inner as CallableModel;
  return {
    ...{ specificationVersion, provider, modelId, supportedUrls },
    doGenerate: (call: object) =>
      observedRequest({ provider, modelId, call }, async () => doGenerate.call(inner, call)),
    doStream: (call: object) => doStream.call(inner, call),
  };
}

interface CallableModel extends LanguageModelLike {
  readonly supportedUrls?: unknown;
  doGenerate(call: object): PromiseLike<{ readonly usage?: unknown }>;
  doStream(call: object): PromiseLike<unknown>;
}
