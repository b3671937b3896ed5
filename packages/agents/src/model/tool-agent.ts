/**
 * An agent of the AI SDK (`ToolLoopAgent`, or anything with its `generate`) as a player, as it is.
 *
 * It may call its own tools (notes, search, calculator) as often as it likes. Its turn ends with the call of an action
 * tool (`actionTools`), or with text that the environment's dialogue reads.
 */
import { type ChatMessage, type Info, messageText } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { Agent, AgentTurn, BegunEpisode, TurnContext } from '../agent.js';
import { isSetupError } from '../errors.js';
import { actionTools } from '../tools/action-tools.js';
import { toolPrompt } from '../tools/tool-prompt.js';
import { turnFromAnswer } from '../tools/turn-from-answer.js';
import { promptMessages } from '../turn.js';
import { type AnswerStep, type SdkMessage, sdkPrompt } from './ai-sdk.js';
import { addUsage, NO_USAGE, PRICE_NAMES, type Prices, requestUsage } from './budget.js';
import { type Conversation, checkMemory, conversationFor, type Memory, memoryIdentity } from './conversation.js';
import { failsSetup, ModelRequestError, ModelSetupError, modelFailure } from './model-failure.js';
import { observedSettings } from './observed-request.js';
import { tokensOf } from './tokens.js';

/** The part of an AI SDK agent that is used here. */
export interface ToolLoopAgentLike {
  readonly id?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: its messages are those of the AI SDK, whichever version is installed
  generate(options: any): PromiseLike<any>;
}

export interface ToolAgentOptions {
  /** For reports; default: the agent's id, or `tool-loop`. */
  readonly name?: string | undefined;
  /** Without prices every cost is 0. */
  readonly prices?: Prices | undefined;
  /** How much of the episode is sent again in later turns; default `turn`: nothing, as the environments' prompts expect. */
  readonly memory?: Memory | undefined;
  /** Everything that the agent's answers depend on (model, settings), for `resume`; never a secret. */
  readonly identity?: Readonly<Record<string, unknown>> | undefined;
}

const TOOL_AGENT_NAMES = names<ToolAgentOptions>({ name: 0, prices: 0, identity: 0, memory: 0 });

/**
 * @param agent  An agent, or a function that makes one for each episode: with the tools of its environment, and state that
 *               belongs to the episode.
 *
 * @example
 * const agent = toolAgent(({ env }) => new ToolLoopAgent({ model, tools: { ...actionTools(env), calculator } }));
 */
export function toolAgent<O = unknown, A = unknown, I extends Info = Info>(
  agent: ToolLoopAgentLike | ((episode: BegunEpisode<O, A, I>) => ToolLoopAgentLike),
  options: ToolAgentOptions = {},
): Agent<O, A, I, ToolMemory | undefined> {
  checkNames('options', options, TOOL_AGENT_NAMES);
  checkNames('prices', options.prices, PRICE_NAMES);
  const { name, prices, identity = {}, memory = 'turn' } = options;
  checkMemory(memory);
  const isMaker = typeof agent === 'function';
  const title = name ?? (isMaker ? undefined : agent.id) ?? 'tool-loop';
  let hasAnswered = false;

  async function act(context: TurnContext<O, A, I, ToolMemory | undefined>): Promise<AgentTurn<A>> {
    const { env, signal } = context;
    const { player: own, conversation } = context.memory ?? {};
    const player = own ?? (isMaker ? agent({ ...context, id: context.episodeId }) : agent);
    const actions = Object.keys(actionTools(env));
    const started = performance.now();
    try {
      const prompt = toolPrompt(promptMessages(context), actions);
      const { messages } = sdkPrompt(userFirst(prompt));
      const result = (await player.generate({
        messages: conversation?.with(messages) ?? messages,
        ...observedSettings(player),
        ...(signal && { abortSignal: signal }),
      })) as GeneratedAnswer;
      hasAnswered = true;
      const usage = result.steps.reduce((sum, step) => addUsage(sum, requestUsage(stepTokens(step), prices)), NO_USAGE);
      const rest = { usage, prompt, latencyMs: performance.now() - started };
      const turn = turnFromAnswer(context, result, actions, rest);
      const answered = result.responseMessages ?? result.response?.messages ?? [];
      await conversation?.keep(messages, { steps: result.steps, messages: answered });
      return turn;
    } catch (error) {
      signal?.throwIfAborted();
      if (isSetupError(error)) throw error;
      if (error instanceof ModelRequestError) return { text: '', error: error.failure };
      const { retryable: _, retryAfter: __, ...failure } = modelFailure(error);
      if (!hasAnswered && failsSetup(failure, error, true)) throw new ModelSetupError(failure, title, error);
      return { text: '', error: failure };
    }
  }

  return {
    name: title,
    begin: (episode) => ({
      ...(isMaker && { player: agent(episode) }),
      conversation: conversationFor(memory),
    }),
    act,
    identity: () => ({ ...memoryIdentity(memory), ...identity }),
  };
}

/** State of one episode. */
export interface ToolMemory {
  readonly player?: ToolLoopAgentLike;
  readonly conversation?: Conversation | undefined;
}

/** The result of `generate`, in both versions of the AI SDK. */
interface GeneratedAnswer {
  readonly text: string;
  readonly steps: readonly AnswerStep[];
  /** Messages of all steps, in version 7. */
  readonly responseMessages?: readonly SdkMessage[];
  readonly response?: { readonly messages?: readonly SdkMessage[] };
}

/** The agent has its own instructions; the environment's rules become the first user message. */
function userFirst(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) =>
    message.role === 'system' ? { role: 'user' as const, content: messageText(message) } : message,
  );
}

/** Usage of a step in the SDK's own form. */
function stepTokens({ usage }: AnswerStep) {
  const { inputTokenDetails, outputTokenDetails } = (usage ?? {}) as Record<
    string,
    Record<string, unknown> | undefined
  >;
  const tokens = tokensOf(usage);
  return {
    ...tokens,
    cachedInput: tokens.cachedInput ?? Number(inputTokenDetails?.cacheReadTokens ?? 0),
    reasoning: tokens.reasoning ?? Number(outputTokenDetails?.reasoningTokens ?? 0),
  };
}
