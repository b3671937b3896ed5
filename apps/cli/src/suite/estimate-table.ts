/** An estimate of the requests and the time that a run needs, before any request is sent. */
import type { SuiteEnvironment } from '@vlgym/agents';
import { type Estimate, estimate } from '@vlgym/agents/statistics';
import type { GivenModelOptions } from '../model-options.js';
import { duration, money, table } from '../terminal/style.js';

/** An assumption, which the table names: no request is sent to measure it. */
const SECONDS_PER_REQUEST = 5;

export interface Asked
  extends Pick<SuiteEnvironment, 'env' | 'maxSteps' | 'resetOptions'>,
    Pick<GivenModelOptions, 'settings' | 'prices' | 'limits'> {
  readonly agent: string;
  /** Name of the environment. */
  readonly environment: string;
  readonly episodes: number;
  readonly parallel: number;
}

export interface AskedEstimate extends Estimate {
  readonly agent: string;
  readonly environment: string;
  readonly secondsPerRequest: number;
  /** Without prices the cost is unknown. */
  readonly priced: boolean;
}

export async function estimates(asked: readonly Asked[]): Promise<AskedEstimate[]> {
  const found: AskedEstimate[] = [];
  for (const { agent, environment, settings, prices, limits, ...options } of asked) {
    const maxOutputTokens = settings?.maxOutputTokens;
    found.push({
      agent,
      environment,
      secondsPerRequest: SECONDS_PER_REQUEST,
      priced: prices !== undefined,
      ...(await estimate({
        ...options,
        secondsPerRequest: SECONDS_PER_REQUEST,
        ...(maxOutputTokens !== undefined && { outputTokensPerTurn: maxOutputTokens }),
        ...(prices && { prices }),
        ...(limits && { limits }),
      })),
    });
  }
  return found;
}

export function estimateTable(found: readonly AskedEstimate[]): string {
  if (found.length === 0) return 'No agent here asks a language model by name: nothing to estimate.';
  const rows = found.map(({ agent, environment, requests, inputTokens, outputTokens, cost, minutes, priced }) => [
    `${agent} on ${environment}`,
    ...[requests, inputTokens, outputTokens].map((count) => count.toLocaleString('en')),
    priced ? money(cost) : '–',
    duration(60 * minutes),
  ]);
  const total = (of: (each: AskedEstimate) => number) => found.reduce((sum, each) => sum + of(each), 0);
  const sums = [
    'all, one after the other',
    ...[total((each) => each.requests), total((each) => each.inputTokens), total((each) => each.outputTokens)].map(
      (count) => count.toLocaleString('en'),
    ),
    found.every(({ priced }) => priced) ? money(total(({ cost }) => cost)) : '–',
    duration(60 * total(({ minutes }) => minutes)),
  ];
  return [
    table([
      ['estimate', 'requests', 'tokens in', 'tokens out', 'cost', 'time'],
      ...rows,
      ...(rows.length > 1 ? [sums] : []),
    ]),
    '',
    `From a few episodes played at random: take it as an order of magnitude. Time: ${SECONDS_PER_REQUEST} s per request, or as long as the limits`,
    `take. ${found.every(({ priced }) => priced) ? '' : 'Cost needs prices: { inputPerMillion, outputPerMillion }. '}Nothing was sent.`,
  ].join('\n');
}
