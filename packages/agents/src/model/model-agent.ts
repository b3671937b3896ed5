/**
 * Any model of the AI SDK as an agent: prompt, retries, time limit, budget, and a second chance to write it right.
 *
 * A provider's failure is data in the turn (`error.boundary: 'model'`), never an exception: it ends one episode and no
 * other. What rejects is a caller's abort, and a package that is not installed.
 */
import { type ChatMessage, type Info, InvalidOptionError, redactSecrets } from '@vlgym/core';
import type { Agent, AgentContext, AgentTurn, BoundaryError, Usage } from '../agent.js';
import { sleep as realSleep, withDeadline } from '../deadline.js';
import { isSetupError } from '../errors.js';
import { hear, promptMessages } from '../speech.js';
import {
  assertLanguageModel,
  generateAnswer,
  type LanguageModelLike,
  type ModelAnswer,
  type ModelSettings,
} from './ai-sdk.js';
import { addUsage, type Budget, checkBudget, NO_USAGE, type Prices, requestUsage } from './budget.js';
import { modelFailure } from './model-failure.js';

export interface ModelAgentOptions {
  /** For reports; default `<provider>/<model>`. */
  readonly name?: string;
  readonly settings?: ModelSettings;
  /** Further attempts after a failure that may pass (rate limit, server error, time-out). */
  readonly retries?: number;
  /** Limit of one request, in milliseconds. */
  readonly timeoutMs?: number;
  readonly budget?: Budget;
  /** Without prices every cost is 0. */
  readonly prices?: Prices;
  /** How often a response without a legal action is answered with what is wrong with it. */
  readonly repairTurns?: number;
  /** Pauses between attempts; tests put their own here. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface ModelAgent<O = unknown, A = unknown, I extends Info = Info> extends Agent<O, A, I> {
  /** All that was consumed so far, over all episodes. */
  readonly spent: Usage;
}

/**
 * @param model  A model object of any AI SDK provider, e.g. `openai('gpt-…')`.
 * @throws {InvalidModelError}  `model` is none (a model id alone is not enough).
 *
 * @example
 * const agent = modelAgent(anthropic('claude-…'), { budget: { cost: 5 }, prices, repairTurns: 1 });
 */
export function modelAgent<O = unknown, A = unknown, I extends Info = Info>(
  model: LanguageModelLike,
  options: ModelAgentOptions = {},
): ModelAgent<O, A, I> {
  assertLanguageModel(model);
  const modelName = `${model.provider}/${model.modelId}`;
  return lazyModelAgent(async () => model, modelName, { name: modelName, ...options });
}

const LONGEST_PAUSE = 60_000;

/** The same for a model that is loaded when it first speaks. */
export function lazyModelAgent<O, A, I extends Info>(
  loadModel: () => Promise<LanguageModelLike>,
  modelName: string,
  {
    name = 'model',
    settings = {},
    retries = 3,
    timeoutMs = 120_000,
    budget = {},
    prices,
    repairTurns = 0,
    sleep = realSleep,
  }: ModelAgentOptions,
  ownSecrets: readonly string[] = [],
): ModelAgent<O, A, I> {
  const secrets = [...ownSecrets, ...headerSecrets(settings.headers)];
  for (const [option, value] of Object.entries({ retries, timeoutMs, repairTurns })) {
    if (!(value >= 0)) throw new InvalidOptionError(option, value, '0 or more');
  }
  let spent = NO_USAGE;

  async function ask(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<ModelAnswer | BoundaryError> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        checkBudget(budget, spent);
        const model = await loadModel();
        return await withDeadline((inner) => generateAnswer(model, messages, settings, inner), {
          what: name,
          code: 'MODEL_TIMEOUT',
          milliseconds: timeoutMs,
          signal,
        });
      } catch (error) {
        signal?.throwIfAborted();
        if (isSetupError(error)) throw error;
        const { retryable, retryAfter, ...failure } = modelFailure(error, secrets);
        if (!retryable || attempt >= retries) return failure;
        await sleep(Math.min(retryAfter ?? 1000 * 2 ** attempt, LONGEST_PAUSE), signal);
      }
    }
  }

  async function act(context: AgentContext<O, A, I>): Promise<AgentTurn<A>> {
    const messages = [...promptMessages(context)];
    let usage = NO_USAGE;
    for (let repair = 0; ; repair += 1) {
      const asked = await ask(messages, context.signal);
      if ('boundary' in asked) return { text: '', usage, error: asked };
      const answer = { ...asked, text: withoutOwn(asked.text, secrets) };
      const request = requestUsage(answer.inputTokens, answer.outputTokens, prices);
      spent = addUsage(spent, request);
      usage = addUsage(usage, request);
      const turn = hear(context, answer.text, { usage });
      const hint = turn.parsed?.legal ? undefined : turn.parsed?.repairHint;
      if (hint === undefined || repair >= repairTurns) return turn;
      // an empty assistant message is refused by several providers
      if (answer.text.trim() !== '') messages.push({ role: 'assistant', content: answer.text });
      messages.push({ role: 'user', content: hint });
    }
  }

  const { headers: _, ...openSettings } = settings;
  return {
    name,
    act,
    // it is stored; `providerOptions` may hold anything
    identity: () =>
      JSON.parse(redactSecrets(JSON.stringify({ model: modelName, settings: openSettings, repairTurns }), secrets)),
    get spent() {
      return spent;
    },
  };
}

/** Values of headers that carry a key, with and without the name of their scheme. */
export function headerSecrets(headers: Readonly<Record<string, string>> = {}): string[] {
  const sensitive = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name));
  return sensitive.flatMap(([, value]) => [value, value.slice(value.lastIndexOf(' ') + 1)]);
}

/** An answer stays as the model wrote it, but for the very key it was asked with: a gateway may have put it there. */
function withoutOwn(text: string, secrets: readonly string[]): string {
  return secrets.some((secret) => secret.length >= 8 && text.includes(secret)) ? redactSecrets(text, secrets) : text;
}
