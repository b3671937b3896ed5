/**
 * Estimates the requests of a run before any is sent: it plays episodes at random and measures their prompts.
 *
 * Tokens are estimated from text (four characters each) and pictures (one token for 28 × 28 pixels). Providers count
 * differently, and a model may play longer or shorter episodes than a random one; take the result as an order of magnitude.
 */
import { type ChatMessage, messageText, promptImages } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { AnyAgent } from '../agent.js';
import { evaluate } from '../evaluate/evaluate.js';
import type { EvaluateOptions } from '../evaluate/types.js';
import { costOf, PRICE_NAMES, type Prices } from '../model/budget.js';
import { LIMIT_NAMES, type RateLimits } from '../model/rate-limiter.js';
import { randomAgent } from '../random-agent.js';

const CHARACTERS_PER_TOKEN = 4;
const PIXELS_PER_TOKEN = 28 * 28;

export interface EstimateOptions extends Pick<EvaluateOptions, 'env' | 'maxSteps' | 'resetOptions'> {
  /** Episodes of the run. */
  readonly episodes: number;
  /** Episodes to measure; default 5. */
  readonly sample?: number | undefined;
  /** Tokens of one response; default 200. */
  readonly outputTokensPerTurn?: number | undefined;
  readonly prices?: Prices | undefined;
  readonly limits?: RateLimits | undefined;
  /** Seconds per answer; default 0, so that only the rate limits count. */
  readonly secondsPerRequest?: number | undefined;
  /** Episodes in parallel; default 1. */
  readonly parallel?: number | undefined;
}

const ESTIMATE_OPTIONS = names<EstimateOptions>({
  ...{ env: 0, maxSteps: 0, resetOptions: 0, episodes: 0, sample: 0, outputTokensPerTurn: 0, prices: 0, limits: 0 },
  ...{ secondsPerRequest: 0, parallel: 0 },
});

export interface Estimate {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** 0 without prices. */
  readonly cost: number;
  /** Time from `secondsPerRequest` and `parallel`, but at least the time that the rate limits require; 0 without either. */
  readonly minutes: number;
}

/** Plays no model and sends nothing. */
export async function estimate(given: EstimateOptions): Promise<Estimate> {
  checkNames('options', given, ESTIMATE_OPTIONS);
  checkNames('prices', given.prices, PRICE_NAMES);
  checkNames('limits', given.limits, LIMIT_NAMES);
  const { episodes, sample = 5, outputTokensPerTurn = 200, prices, limits = {}, ...timed } = given;
  const { secondsPerRequest = 0, parallel = 1, ...options } = timed;
  let turns = 0;
  let tokens = 0;
  const random = randomAgent();
  const measuring: AnyAgent = {
    name: 'measuring',
    act: (context) => {
      turns += 1;
      tokens += promptTokens(context.messages ?? []);
      return random.act(context);
    },
  };
  const played = Math.min(sample, episodes);
  await evaluate({ ...options, agent: measuring, episodes: played });
  const share = episodes / played;
  const requests = Math.ceil(turns * share);
  const inputTokens = Math.ceil(tokens * share);
  const outputTokens = requests * outputTokensPerTurn;
  const { requestsPerMinute = Number.POSITIVE_INFINITY, tokensPerMinute = Number.POSITIVE_INFINITY } = limits;
  return {
    requests,
    inputTokens,
    outputTokens,
    cost: costOf({ input: inputTokens, output: outputTokens }, prices),
    minutes: Math.max(
      requests / requestsPerMinute,
      (inputTokens + outputTokens) / tokensPerMinute,
      (requests * secondsPerRequest) / 60 / Math.min(parallel, episodes),
    ),
  };
}

function promptTokens(messages: readonly ChatMessage[]): number {
  const text = messages.reduce((sum, message) => sum + messageText(message).length, 0);
  const pixels = promptImages(messages).reduce((sum, { height, width }) => sum + height * width, 0);
  return text / CHARACTERS_PER_TOKEN + pixels / PIXELS_PER_TOKEN;
}
