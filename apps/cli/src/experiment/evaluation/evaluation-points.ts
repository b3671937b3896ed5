/** Points of the report's curves, from an evaluation or from the metrics of an update. */
import type { Scores } from '@vlgym/agents';
import type { UpdateRecord } from '@vlgym/rl';
import type { EvaluationPoint, MetricSeries } from '../../report/data.js';
import { algorithmCharts } from '../algorithms.js';

/** Metrics that the report plots for every algorithm, by their name in the report; algorithms add their own. */
const SERIES: Readonly<Record<string, string>> = {
  trainingSuccess: 'train/success-rate',
  thoughtCorrect: 'response/thought-correct',
  unreadable: 'response/unreadable',
  entropy: 'entropy/response',
  thoughtTokens: 'response/thought-length-mean',
  thoughtSight: 'sight/thought-swapped',
  actionSight: 'sight/action-swapped',
  thoughtSightGray: 'sight/thought-gray',
  actionSightGray: 'sight/action-gray',
  referenceKl: 'kl/reference-k3',
  explainedVariance: 'value/explained-variance',
  clipFraction: 'ratio/clipped-high',
  legalRate: 'response/legal',
  gradNorm: 'optimizer/grad-norm',
  valueGradNorm: 'optimizer/value-grad-norm',
  updateSeconds: 'time/update',
  tokensPerSecond: 'time/tokens-sampled-per-second',
};

export function seriesOf(records: readonly UpdateRecord[]): MetricSeries {
  const own = Object.entries(algorithmCharts()).map(([key, { metric }]) => [key, metric] as const);
  const series = [...Object.entries(SERIES), ...own].map(([key, name]) => {
    const points = records.flatMap(({ update, metrics }) =>
      // before the first update no episode of training has ended
      metrics[name] === undefined || update === 0 ? [] : [[update, metrics[name]] as const],
    );
    return [key, points] as const;
  });
  return Object.fromEntries(series.filter(([, points]) => points.length > 0));
}

/** The point of an update that was evaluated. */
export function evaluationPoint({ update, environmentSteps, metrics }: UpdateRecord): EvaluationPoint | undefined {
  const rate = metrics['evaluation/success-rate'];
  const episodes = metrics['evaluation/episodes'];
  if (rate === undefined || episodes === undefined) return undefined;
  const strict = metrics['evaluation/strict-success-rate'];
  return pointOf(update, environmentSteps, {
    successes: Math.round(rate * episodes),
    counted: episodes,
    meanReturn: metrics['evaluation/return'] ?? 0,
    meanLength: metrics['evaluation/episode-length'] ?? 0,
    legalRate: metrics['evaluation/legal'],
    strictSuccesses: strict === undefined ? undefined : Math.round(strict * episodes),
    thoughtRate: metrics['evaluation/thought-correct'],
  });
}

type Measured = Pick<Scores, 'successes' | 'counted' | 'meanReturn' | 'meanLength'> & {
  readonly [Key in 'legalRate' | 'strictSuccesses' | 'thoughtRate']: number | undefined;
};

export function pointOf(update: number, steps: number, scores: Measured): EvaluationPoint {
  const { successes, counted, meanReturn, meanLength, legalRate, strictSuccesses, thoughtRate } = scores;
  return {
    update,
    steps,
    successes,
    episodes: counted,
    meanReturn,
    meanLength,
    ...(legalRate !== undefined && { legalRate }),
    ...(strictSuccesses !== undefined && { strictSuccesses }),
    ...(thoughtRate !== undefined && { thoughtRate }),
  };
}
