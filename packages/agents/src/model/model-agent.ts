/**
 * Any model of the AI SDK as an agent: prompt, retries, time limit, budget, and repair turns for invalid responses.
 *
 * A provider's failure is data in the turn (`error.boundary: 'model'`), never an exception: it ends one episode and no
 * other. The promise rejects only for the caller's abort and for a package that is not installed.
 */
import { type ChatMessage, type Info, InvalidOptionError, redactSecrets } from '@vlgym/core';
import type { Agent, AgentContext, AgentTurn, BoundaryError, Usage } from '../agent.js';
import { sleep as realSleep, withDeadline } from '../deadline.js';
import { isSetupError } from '../errors.js';
import { promptMessages, turnFromResponse } from '../turn.js';
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
  /** Retries after a temporary failure (rate limit, server error, time-out). */
  readonly retries?: number;
  /** Time limit of one request, in milliseconds. */
  readonly timeoutMs?: number;
  readonly budget?: Budget;
  /** Without prices every cost is 0. */
  readonly prices?: Prices;
  /** Maximum number of retries after an invalid response; each retry includes the error. */
  readonly repairTurns?: number;
  /** Pauses between attempts; tests replace it. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface ModelAgent<O = unknown, A = unknown, I extends Info = Info> extends Agent<O, A, I> {
  /** Total usage so far, over all episodes. */
  readonly spent: Usage;
}

/**
 * @param model  A model object of any AI SDK provider, e.g. `openai('gpt-…')`.
 * @throws {InvalidModelError}  `model` is not a model object (a model id is not enough).
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

const MAX_PAUSE_MS = 60_000;

/** The same for a model that is loaded at its first request. */
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
  knownSecrets: readonly string[] = [],
): ModelAgent<O, A, I> {
  const secrets = [...knownSecrets, ...headerSecrets(settings.headers)];
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
        await sleep(Math.min(retryAfter ?? 1000 * 2 ** attempt, MAX_PAUSE_MS), signal);
      }
    }
  }

  async function act(context: AgentContext<O, A, I>): Promise<AgentTurn<A>> {
    const messages = [...promptMessages(context)];
    let usage = NO_USAGE;
    for (let repair = 0; ; repair += 1) {
      const asked = await ask(messages, context.signal);
      if ('boundary' in asked) return { text: '', usage, error: asked };
      const answer = { ...asked, text: withoutSecrets(asked.text, secrets) };
      const request = requestUsage(answer.inputTokens, answer.outputTokens, prices);
      spent = addUsage(spent, request);
      usage = addUsage(usage, request);
      const turn = turnFromResponse(context, answer.text, { usage });
      const hint = turn.parsed?.legal ? undefined : turn.parsed?.repairHint;
      if (hint === undefined || repair >= repairTurns) return turn;
      // several providers refuse an empty assistant message
      if (answer.text.trim() !== '') messages.push({ role: 'assistant', content: answer.text });
      messages.push({ role: 'user', content: hint });
    }
  }

  const { headers: _, ...openSettings } = settings;
  return {
    name,
    act,
    // redacted because it is stored, and `providerOptions` may hold secrets
    identity: () =>
      JSON.parse(redactSecrets(JSON.stringify({ model: modelName, settings: openSettings, repairTurns }), secrets)),
    get spent() {
      return spent;
    },
  };
}

/** Values of headers that carry a key, with and without their authorization scheme. */
export function headerSecrets(headers: Readonly<Record<string, string>> = {}): string[] {
  const sensitive = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name));
  return sensitive.flatMap(([, value]) => [value, value.slice(value.lastIndexOf(' ') + 1)]);
}

/** Redacts the request's own key from an answer, because a gateway may repeat it; other text stays as the model wrote it. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.some((secret) => secret.length >= 8 && text.includes(secret)) ? redactSecrets(text, secrets) : text;
}
