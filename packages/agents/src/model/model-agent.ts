/**
 * Any model of the AI SDK as an agent: prompt, tools, and repair turns for invalid responses; requests pass a meter.
 *
 * A provider's failure is data in the turn (`error.boundary: 'model'`), never an exception: it ends one episode and no
 * other. The promise rejects for the caller's abort, and where no episode could be played: a package that is not
 * installed, a wrong key, a wrong model, no server.
 */
import { type Info, InvalidOptionError, redactSecrets } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { Agent, AgentTurn, BegunEpisode, BoundaryError, ToolCall, TurnContext, Usage } from '../agent.js';
import { InvalidModelError, isSetupError, toBoundaryError } from '../errors.js';
import { actionTools } from '../tools/action-tools.js';
import { callOneTool, toolPrompt } from '../tools/tool-prompt.js';
import { answerLength, MAX_ANSWER_LENGTH, turnFromAnswer } from '../tools/turn-from-answer.js';
import { promptMessages } from '../turn.js';
import {
  type AnswerStep,
  assertLanguageModel,
  gatewayModel,
  generateAnswer,
  type LanguageModelLike,
  type ModelAnswer,
  type ModelSettings,
  type SdkMessage,
  sdkPrompt,
  type ToolsLike,
} from './ai-sdk.js';
import { addUsage, NO_USAGE } from './budget.js';
import {
  type Conversation,
  checkMemory,
  conversationFor,
  type Memory,
  memoryIdentity,
  openCalls,
} from './conversation.js';
import { METER_NAMES, Meter, type MeterOptions } from './meter.js';
import { ModelRequestError, modelFailure } from './model-failure.js';
import { observedTools } from './observed-request.js';

export interface ModelAgentOptions extends MeterOptions {
  /** For reports; default `<provider>/<model>`. */
  readonly name?: string | undefined;
  readonly settings?: ModelSettings | undefined;
  /**
   * How the model acts: by a written response, or by calling a tool (`actionTools`). `auto` (default) offers tools where
   * the environment's prompt asks for a call.
   */
  readonly actions?: 'auto' | 'text' | 'tools' | undefined;
  /** The agent's own tools, called any number of times before an action. A function makes them for each episode. */
  readonly tools?: ToolsLike | ((episode: BegunEpisode) => ToolsLike) | undefined;
  /** Maximum number of requests of one turn, for tools; default 20. */
  readonly maxToolSteps?: number | undefined;
  /** How much of the episode is sent again in later turns; default `turn`: nothing, as the environments' prompts expect. */
  readonly memory?: Memory | undefined;
  /** Maximum number of retries after an invalid response or call; each retry includes the error. */
  readonly repairTurns?: number | undefined;
}

export const MODEL_AGENT_NAMES = [
  ...METER_NAMES,
  ...names<Omit<ModelAgentOptions, keyof MeterOptions>>({
    ...{ name: 0, settings: 0, actions: 0, tools: 0, maxToolSteps: 0, repairTurns: 0, memory: 0 },
  }),
];
const SETTING_NAMES = names<ModelSettings>({
  ...{ temperature: 0, maxOutputTokens: 0, topP: 0, topK: 0, presencePenalty: 0, frequencyPenalty: 0 },
  ...{ stopSequences: 0, seed: 0, headers: 0, providerOptions: 0 },
});

export interface ModelAgent<O = unknown, A = unknown, I extends Info = Info>
  extends Agent<O, A, I, ModelMemory | undefined> {
  /** Total usage so far, over all episodes. */
  readonly spent: Usage;
}

/** State of one episode. */
export interface ModelMemory {
  readonly tools: ToolsLike;
  readonly conversation?: Conversation | undefined;
}

/**
 * @param model  A model object of any AI SDK provider, e.g. `openai('gpt-…')`, or `provider/model` for the SDK's gateway.
 * @throws {InvalidModelError}  `model` is neither.
 *
 * @example
 * const agent = modelAgent('anthropic/claude-…', { budget: { cost: 5 }, prices, repairTurns: 1 });
 */
export function modelAgent<O = unknown, A = unknown, I extends Info = Info>(
  model: LanguageModelLike | string,
  options: ModelAgentOptions = {},
): ModelAgent<O, A, I> {
  if (typeof model === 'string') {
    if (!/^[^/\s]+\/\S+$/.test(model)) throw new InvalidModelError(model);
    return lazyModelAgent(() => gatewayModel(model), model, { name: model, ...options });
  }
  assertLanguageModel(model);
  const modelName = `${model.provider}/${model.modelId}`;
  return lazyModelAgent(async () => model, modelName, { name: modelName, ...options });
}

/** The same for a model that is loaded at its first request. */
export function lazyModelAgent<O, A, I extends Info>(
  loadModel: () => Promise<LanguageModelLike>,
  modelName: string,
  options: ModelAgentOptions,
  knownSecrets: readonly string[] = [],
  setupHint?: string,
): ModelAgent<O, A, I> {
  checkNames('options', options, MODEL_AGENT_NAMES);
  checkNames('settings', options.settings, SETTING_NAMES);
  const { name = modelName, settings = {}, actions = 'auto', tools = {}, maxToolSteps = 20, repairTurns = 0 } = options;
  const { memory = 'turn' } = options;
  checkMemory(memory);
  if (!['auto', 'text', 'tools'].includes(actions))
    throw new InvalidOptionError('actions', actions, 'auto, text or tools');
  const secrets = [...knownSecrets, ...headerSecrets(settings.headers)];
  for (const [option, value] of Object.entries({ repairTurns, maxToolSteps })) {
    if (!(value >= 0)) throw new InvalidOptionError(option, value, '0 or more');
  }
  const meter = new Meter(name, options, secrets, setupHint);
  const { headers: _, ...openSettings } = settings;
  // redacted because it is stored, and `providerOptions` may hold secrets
  const sampling = JSON.parse(redactSecrets(JSON.stringify(openSettings), secrets)) as Readonly<
    Record<string, unknown>
  >;
  const toolsOf = (episode: BegunEpisode) => (typeof tools === 'function' ? tools(episode) : tools);

  async function act(context: TurnContext<O, A, I, ModelMemory | undefined>): Promise<AgentTurn<A>> {
    const { env, signal } = context;
    const own = context.memory?.tools ?? toolsOf({ ...context, id: context.episodeId } as unknown as BegunEpisode);
    const asTools = actions === 'tools' || (actions === 'auto' && env.dialogue?.tools !== undefined);
    const choices = asTools ? actionTools(env) : {};
    const given = promptMessages(context);
    const prompt = asTools ? toolPrompt(given, Object.keys(choices)) : given;
    const { system, messages: asked } = sdkPrompt(prompt);
    const conversation = context.memory?.conversation;
    const messages = conversation?.with(asked) ?? asked;
    const earlier = messages.length - asked.length;
    let usage = NO_USAGE;
    const latency = options.clock ?? performance;
    const started = latency.now();
    const facts = () => ({
      ...(asTools && { prompt }),
      usage,
      latencyMs: latency.now() - started,
      ...(Object.keys(sampling).length > 0 && { sampling }),
    });
    const failed = (error: BoundaryError): AgentTurn<A> => ({ text: '', ...facts(), error });
    try {
      const model = meter.wrap(await loadModel(), (used) => {
        usage = addUsage(usage, used);
      });
      const invalid = { left: repairTurns };
      const refused: ToolCall[] = []; // calls of answers that came back with what is wrong with them
      for (;;) {
        const answer = await generateAnswer({
          model,
          system,
          messages,
          settings,
          tools: observedTools({ ...own, ...choices }),
          isOver: (steps) => steps.length >= maxToolSteps || invalidSteps(steps) > invalid.left,
          signal,
        });
        if (answerLength(answer.steps) > MAX_ANSWER_LENGTH) return failed(TOO_LONG);
        const turn = turnFromAnswer(context, answer, Object.keys(choices), facts(), secrets);
        invalid.left -= invalidSteps(answer.steps);
        const { toolCalls = [] } = turn;
        const wrong = turn.parsed?.legal ? undefined : turn.parsed?.repairHint;
        // the hint of a dialogue is about written answers
        const hint = wrong && asTools && toolCalls.length === 0 ? callOneTool(Object.keys(choices)) : wrong;
        if (hint === undefined || invalid.left <= 0) {
          await conversation?.keep(messages.slice(earlier), answer);
          return refused.length > 0 ? { ...turn, toolCalls: [...refused, ...toolCalls] } : turn;
        }
        invalid.left -= 1;
        refused.push(...toolCalls.map((call) => (call.name in choices ? { error: hint, ...call } : call)));
        messages.push(...repairMessages(answer, turn.text, hint));
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isSetupError(error)) throw error;
      if (error instanceof ModelRequestError) return failed(error.failure);
      const { retryable: _retryable, retryAfter: _retryAfter, ...failure } = modelFailure(error, secrets);
      return failed(failure);
    }
  }

  return {
    name,
    begin: (episode) => ({
      tools: toolsOf(episode as unknown as BegunEpisode),
      conversation: conversationFor(memory),
    }),
    act,
    identity: () => ({
      ...{ model: modelName, settings: sampling, repairTurns },
      ...(actions === 'auto' ? {} : { actions }),
      ...memoryIdentity(memory),
    }),
    get spent() {
      return meter.ledger.spent;
    },
  };
}

const TOO_LONG: BoundaryError = toBoundaryError(
  new Error(`The answer has more than ${MAX_ANSWER_LENGTH} characters.`),
  'model',
);

/** Steps with a call that is not valid: the SDK tells the model and asks again. */
const invalidSteps = (steps: readonly AnswerStep[]): number =>
  steps.filter(({ content }) => content.some(({ type, invalid }) => type === 'tool-call' && invalid)).length;

/** The model's answer and a description of the problem, as the result of its call or as a message. */
function repairMessages({ messages, steps }: ModelAnswer, text: string, hint: string): SdkMessage[] {
  const open = openCalls(steps);
  if (open.length > 0) {
    const content = open.map(({ toolCallId = '', toolName = '' }) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName,
      output: { type: 'text' as const, value: hint },
    }));
    return [...messages, { role: 'tool', content }];
  }
  // several providers refuse an empty assistant message
  return [...(text.trim() === '' ? [] : messages), { role: 'user', content: hint }];
}

/** Values of headers that carry a key, with and without their authorization scheme. */
export function headerSecrets(headers: Readonly<Record<string, string>> = {}): string[] {
  const sensitive = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name));
  return sensitive.flatMap(([, value]) => [value, value.slice(value.lastIndexOf(' ') + 1)]);
}
