/**
 * Metrics of the agent's behavior in a buffer: success, format, lengths, entropy, diversity, dependence on the picture.
 *
 * Definitions: `docs/specs/algorithms.md` 13 and 14. Diagnostics that need extra forwards look at a sample of the buffer.
 */

import { isUnreadable } from '@vlgym/core';
import { membersOf } from '../advantages/group.js';
import { moments } from '../advantages/normalize.js';
import type { CommonConfig } from '../config/types.js';
import { klEstimate } from '../losses/kl-estimators.js';
import type { Policy } from '../policy.js';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import { sequenceOf } from '../rollout/rescore.js';
import type { MetricsTally } from './metrics.js';
import { selfBleu2 } from './self-bleu.js';
import { measureSight } from './sight.js';

/** Steps looked at by diagnostics that cost forwards or compare all pairs. */
const SAMPLE = 32;

export function rolloutMetrics({ steps, episodes }: RolloutBuffer, policyVersion: number, metrics: MetricsTally): void {
  const share = (test: (step: StepRecord) => boolean) => steps.filter(test).length / Math.max(1, steps.length);
  const tokens = (step: StepRecord) => step.responseIds.length;
  const thoughtTokens = (step: StepRecord) => step.thoughtMask.reduce((sum, bit) => sum + bit, 0);
  const lengths = steps.map(tokens).sort((a, b) => a - b);

  metrics.setAll({
    'rollout/episodes': episodes.length,
    'rollout/reward-mean': moments(steps.map((step) => step.reward.environment)).mean,
    'rollout/format-reward-mean': moments(steps.map((step) => step.reward.format)).mean,
    'rollout/staleness': policyVersion - Math.min(...steps.map((step) => step.policyVersion)),
    'response/format-valid': share((step) => step.parsed.formatValid),
    'response/legal': share((step) => step.parsed.legal),
    'response/fallback': share((step) => step.fallback),
    'response/unreadable': share((step) => step.fallback || isUnreadable({ action: true, ...step.parsed })),
    'response/cut-by-length': share((step) => step.lengthTruncated),
    'response/environment-errors': share((step) => step.error !== undefined),
    'rollout/invalid-rewards': share((step) => step.error?.code === 'INVALID_REWARD'),
    'response/length-mean': moments(lengths).mean,
    'response/length-p95': lengths[Math.min(lengths.length - 1, Math.floor(0.95 * lengths.length))] ?? 0,
    'response/thought-length-mean': moments(steps.map(thoughtTokens)).mean,
  });
  for (const { parsed } of steps) {
    // a mean over the thoughts that the environment can check
    if (parsed.thoughtCorrect !== undefined) metrics.mean('response/thought-correct', parsed.thoughtCorrect ? 1 : 0);
  }
  for (const [reason, ended] of membersOf(episodes.map((episode) => episode.reason))) {
    metrics.set(`end/${reason}`, ended.length / episodes.length);
  }
  for (const { entropies, thoughtMask, actionMask } of steps) {
    for (let i = 0; i < entropies.length; i++) {
      metrics.mean('entropy/response', entropies[i]!);
      if (thoughtMask[i]) metrics.mean('entropy/thought', entropies[i]!);
      if (actionMask[i]) metrics.mean('entropy/action', entropies[i]!);
    }
  }
  const ofEpisodes = [...membersOf(steps.map((step) => step.episodeId)).values()];
  for (const rows of ofEpisodes) {
    if (rows.length < 2) continue;
    metrics.mean('text/self-bleu-2-episode', selfBleu2(rows.slice(0, SAMPLE).map((row) => steps[row]!.text)));
  }
  // one step per episode: different observations
  const firsts = ofEpisodes.map(([row]) => steps[row!]!.text);
  if (firsts.length > 1) metrics.set('text/self-bleu-2-observations', selfBleu2(firsts.slice(0, SAMPLE)));
}

/** KL to the reference, raw entropy, and sight, on a sample of the buffer. */
export async function sampledDiagnostics(
  policy: Policy,
  { steps }: RolloutBuffer,
  config: CommonConfig,
  metrics: MetricsTally,
): Promise<void> {
  const sample = ofManyEpisodes(steps);
  const { temperature } = config.loss;
  const sequences = sample.map(sequenceOf);
  const now = await policy.score(sequences, { temperature, entropies: false });
  const reference = await policy.score(sequences, { temperature, weights: 'reference', entropies: false });
  sample.forEach((step, row) => {
    // an algorithm that does not rescore learns from the log-probs of its sampler
    const oldLogProbs = step.oldLogProbs ?? step.behaviorLogProbs;
    for (let i = 0; i < step.responseIds.length; i++) {
      const old = oldLogProbs[i]!;
      // of the policy that chose these tokens: under the updated one they are not samples, and k3 would be off by nats
      metrics.mean('kl/reference-k1', old - reference.logProbs[row]![i]!);
      metrics.mean('kl/reference-k3', klEstimate(old - reference.logProbs[row]![i]!, 'k3'));
      metrics.mean('kl/old-k3', klEstimate(old - now.logProbs[row]![i]!, 'k3'));
    }
  });
  if (temperature !== 1) {
    const raw = await policy.score(sequences, { temperature: 1, logProbs: false });
    for (const entropies of raw.entropies) for (const entropy of entropies) metrics.mean('entropy/raw', entropy);
  }

  await measureSight(policy, sample, now, temperature, metrics);
}

/** Up to `SAMPLE` steps of as many episodes as there are: neighbors in time show nearly the same picture. */
function ofManyEpisodes(steps: readonly StepRecord[]): StepRecord[] {
  const episodes = [...membersOf(steps.map(({ episodeId }) => episodeId)).values()];
  const perEpisode = Math.ceil(SAMPLE / episodes.length);
  const rows = episodes.flatMap((members) => evenly(members, perEpisode));
  return evenly(rows, SAMPLE).map((row) => steps[row]!);
}

/** Up to `count` of the values at equal distances. */
function evenly<T>(values: readonly T[], count: number): T[] {
  const taken = Math.min(count, values.length);
  return Array.from({ length: taken }, (_, i) => values[Math.floor(((i + 0.5) * values.length) / taken)]!);
}
