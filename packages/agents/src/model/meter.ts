/**
 * The meter between an agent and its model: every request passes the rate limit and the budget, has a time limit, is
 * retried, and is counted. It wraps the model object itself, so that requests inside a tool loop are metered too.
 */
import { GymError, InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { Usage } from '../agent.js';
import { type Clock, systemClock } from '../clock.js';
import { withDeadline } from '../deadline.js';
import { type TurnName, turnName } from '../events/turn-events.js';
import { currentScope } from '../scope.js';
import type { LanguageModelLike } from './ai-sdk.js';
import { type AnswerPart, wholeAnswer } from './answer-stream.js';
import { BUDGET_NAMES, type Budget, PRICE_NAMES, type Prices, requestUsage } from './budget.js';
import { BudgetLedger } from './budget-ledger.js';
import { failsSetup, ModelRequestError, ModelSetupError, modelFailure } from './model-failure.js';
import { observedRequest } from './observed-request.js';
import { RateLimiter, type RateLimits } from './rate-limiter.js';
import { inputBound } from './request-bound.js';
import { tokensOf } from './tokens.js';

export interface MeterOptions {
  /** Retries of one request after a temporary failure (rate limit, server error, time-out). */
  readonly retries?: number | undefined;
  /** Time limit of one request, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Counted over all episodes and lanes of one agent. */
  readonly budget?: Budget | undefined;
  /** Without prices every cost is 0. */
  readonly prices?: Prices | undefined;
  /** For all lanes together; one `RateLimiter` may serve several agents of one account. */
  readonly limits?: RateLimits | RateLimiter | undefined;
  /**
   * Called with each piece of an answer as it is written; in an evaluation with id, seed and step of the turn. Requests are
   * streamed if it is given.
   */
  readonly onPart?: ((part: AnswerPart & Partial<TurnName>) => void) | undefined;
  /** Time; tests replace it. */
  readonly clock?: Clock | undefined;
}

export const METER_NAMES = names<MeterOptions>({
  ...{ retries: 0, timeoutMs: 0, budget: 0, prices: 0, limits: 0, onPart: 0, clock: 0 },
});

const MAX_PAUSE_MS = 60_000;

interface CallOptions {
  readonly prompt?: readonly { readonly content?: unknown }[];
  readonly tools?: readonly unknown[];
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
}

interface Answer {
  readonly usage?: unknown;
}

interface CallableModel extends LanguageModelLike {
  readonly supportedUrls?: unknown;
  doGenerate(options: CallOptions): PromiseLike<Answer>;
  doStream(options: CallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

export class Meter {
  readonly ledger: BudgetLedger;
  readonly #limiter: RateLimiter;
  readonly #clock: Clock;
  readonly #options: MeterOptions;

  constructor(
    readonly name: string,
    options: MeterOptions,
    private readonly secrets: readonly string[] = [],
    private readonly setupHint?: string,
  ) {
    checkNames('budget', options.budget, BUDGET_NAMES);
    checkNames('prices', options.prices, PRICE_NAMES);
    const { retries = 3, timeoutMs = 120_000, limits = {}, clock = systemClock, budget = {}, prices } = options;
    for (const [option, value] of Object.entries({ retries, timeoutMs })) {
      if (!(value >= 0)) throw new InvalidOptionError(option, value, '0 or more');
    }
    this.#options = { ...options, retries, timeoutMs };
    this.#clock = clock;
    this.#limiter = limits instanceof RateLimiter ? limits : new RateLimiter(limits, clock);
    this.ledger = new BudgetLedger(budget, prices);
  }

  /** The same model, metered. @param onUsage  Called with the usage of every answered request. */
  wrap(model: LanguageModelLike, onUsage: (usage: Usage) => void = () => {}): LanguageModelLike {
    const inner = model as CallableModel;
    const { specificationVersion, provider, modelId, supportedUrls = {} } = inner;
    const ask = (call: CallOptions) => {
      const onPart = this.#partsWanted();
      return this.#request(call, onUsage, async (abortSignal) => {
        if (!onPart) return inner.doGenerate({ ...call, abortSignal });
        const { stream } = await inner.doStream({ ...call, abortSignal });
        return wholeAnswer(stream, onPart);
      });
    };
    const generate = (call: CallOptions) => observedRequest({ provider, modelId, call }, () => ask(call));
    return {
      specificationVersion,
      provider,
      modelId,
      supportedUrls,
      doGenerate: generate,
      doStream: async (call: CallOptions) => ({ stream: streamOf(await generate(call)) }),
    } as LanguageModelLike;
  }

  /** Where pieces of answers go: to the option, and to the evaluation that asked for them. */
  #partsWanted(): ((part: AnswerPart) => void) | undefined {
    const { onPart } = this.#options;
    const scope = currentScope();
    if (!scope) return onPart;
    const wanted = scope.onPart;
    if (!wanted) return onPart && ((part) => onPart({ ...part, ...turnName(scope) }));
    return (part) => {
      const named = { ...part, ...turnName(scope) };
      onPart?.(named);
      wanted(named);
    };
  }

  async #request(
    call: CallOptions,
    onUsage: (usage: Usage) => void,
    send: (signal: AbortSignal) => PromiseLike<Answer>,
  ): Promise<Answer> {
    const { retries = 0 } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#send(call, onUsage, send);
      } catch (error) {
        await this.#afterFailure(error, attempt < retries, attempt, call.abortSignal);
      }
    }
  }

  /** One attempt: booked, in turn, timed, counted. */
  async #send(
    call: CallOptions,
    onUsage: (usage: Usage) => void,
    send: (signal: AbortSignal) => PromiseLike<Answer>,
  ): Promise<Answer> {
    const { abortSignal: signal } = call;
    const { timeoutMs = 0, prices } = this.#options;
    const most = inputBound(call);
    const bound = this.ledger.bound(most, call.maxOutputTokens);
    const booking = await this.ledger.book(bound, signal);
    let usage: Usage | undefined;
    try {
      const ticket = await this.#limiter.acquire(bound.expected, signal);
      booking.sent();
      try {
        const deadline = { what: this.name, code: 'MODEL_TIMEOUT', milliseconds: timeoutMs, signal };
        const answer = await withDeadline(send, deadline);
        usage = requestUsage(tokensOf(answer.usage), prices);
        this.ledger.noteInput(usage.inputTokens, most);
        onUsage(usage);
        return answer;
      } finally {
        ticket.settle((usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0));
      }
    } finally {
      booking.settle(usage);
    }
  }

  /** Waits before a retry, or throws for good. */
  async #afterFailure(error: unknown, mayRetry: boolean, attempt: number, signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    const { retryable, retryAfter, ...failure } = modelFailure(error, this.secrets);
    if (!this.ledger.hasAnswered && failsSetup(failure, error, !retryable || !mayRetry)) {
      throw new ModelSetupError(
        failure,
        this.name,
        error,
        failure.code === 'MODEL_UNREACHABLE' ? this.setupHint : undefined,
      );
    }
    if (GymError.isInstance(error) && !retryable) throw error;
    const pause = Math.min(retryAfter ?? 1000 * 2 ** attempt, MAX_PAUSE_MS);
    // a rate limit is everyone's: no lane sends before the pause is over
    const isRateLimit = failure.code === 'MODEL_RATE_LIMITED';
    if (isRateLimit) this.#limiter.pause(pause);
    if (!retryable || !mayRetry) throw new ModelRequestError(failure, error);
    if (!this.ledger.takeRetry()) {
      const message = `${failure.message} (no retry: the retry budget is spent)`;
      throw new ModelRequestError({ ...failure, message }, error);
    }
    if (!isRateLimit) await this.#clock.sleep(pause, signal);
  }
}

/** A whole answer as a stream, for callers that stream through a metered or a recorded model. */
export function streamOf(answer: Answer): ReadableStream {
  const { content = [], finishReason, usage, warnings = [] } = answer as Readonly<Record<string, unknown>>;
  const parts = [
    { type: 'stream-start', warnings },
    ...(content as { type: string; text?: string }[]).flatMap((part, index) => {
      if (part.type !== 'text' && part.type !== 'reasoning') return [part];
      const id = String(index);
      return [
        { type: `${part.type}-start`, id },
        { type: `${part.type}-delta`, id, delta: part.text ?? '' },
        { type: `${part.type}-end`, id },
      ];
    }),
    { type: 'finish', finishReason, usage },
  ];
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

export interface MeteredModel extends LanguageModelLike {
  /** Total usage so far. */
  readonly spent: Usage;
}

/**
 * A model with limits, budget, retries and a bill, for agents that call it themselves.
 *
 * @example
 * const model = meteredModel(anthropic('claude-…'), { limits: { requestsPerMinute: 50 }, budget: { cost: 5 }, prices });
 * const agent = toolAgent(new ToolLoopAgent({ model, tools }));
 */
export function meteredModel<Model extends LanguageModelLike>(
  model: Model,
  options: MeterOptions = {},
): Model & MeteredModel {
  checkNames('options', options, METER_NAMES);
  const meter = new Meter(`${model.provider}/${model.modelId}`, options);
  const wrapped = meter.wrap(model);
  return Object.defineProperty(wrapped, 'spent', { get: () => meter.ledger.spent, enumerable: false }) as Model &
    MeteredModel;
}
