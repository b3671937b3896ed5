/**
 * Which importance weights a buffer needs, and how far its sampler was from the learner.
 *
 * Two programs that compute the same model differ: at temperature 1 and without cuts, two bf16 stacks move 7.5 % of the
 * tokens by more than a tenth (`huggingface/trl#6789`). So `auto` truncates weights wherever the sampler is not the code
 * that scores, or samples from another distribution than the one trained. Rules: `docs/specs/algorithms.md` 9.9 and 12.
 */
import type { CommonConfig } from '../config/types.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { RolloutBuffer } from '../rollout/record.js';
import type { ImportanceOptions } from './importance-weights.js';
import { importanceWeights } from './importance-weights.js';
import { klEstimate } from './kl-estimators.js';

/** Ratios outside of [1 − this, 1 + this] are counted. */
const NOTABLE = 0.1;

/** Options of `importanceWeights` for this buffer; `undefined` if every weight would be 1, or none are wanted. */
export function correctionOf(
  config: CommonConfig,
  { sampler = 'in-process' }: Pick<RolloutBuffer, 'sampler'>,
): ImportanceOptions | undefined {
  const { kind, level, cap, lower } = config.correction;
  const resolved = kind === 'auto' ? (sampler === 'remote' || hasSamplingMismatch(config) ? 'tis' : 'none') : kind;
  if (resolved === 'none') return undefined;
  return { level, cap, lower, mode: resolved === 'tis' ? 'truncate' : 'mask' };
}

/** The distribution sampled from is not the one trained: cuts, a penalty, or another temperature. */
function hasSamplingMismatch({ rollout, loss }: CommonConfig): boolean {
  const { temperature, topK, topP, repetitionPenalty } = rollout;
  return topK !== 0 || topP !== 1 || repetitionPenalty !== 1 || temperature !== loss.temperature;
}

/** How a buffer is measured whose weights nobody wants, although another program or other weights sampled it. */
const UNCORRECTED: ImportanceOptions = { level: 'token', mode: 'truncate', cap: Number.POSITIVE_INFINITY };

/** Metrics of the rescored steps of a buffer under `mismatch/` and `correction/`; nothing if every weight is 1 by construction. */
export function correctionMetrics(buffer: RolloutBuffer, config: CommonConfig, metrics: MetricsTally): void {
  const options = correctionOf(config, buffer) ?? (buffer.sampler === 'remote' ? UNCORRECTED : undefined);
  if (!options) return;
  const gaps: number[] = [];
  let tokens = 0;
  let changed = 0;
  let masked = 0;
  let sum = 0;
  let squares = 0;
  for (const step of buffer.steps) {
    const { behaviorLogProbs, oldLogProbs } = step;
    // an algorithm with a loop of its own may learn from the log-probs of its sampler
    if (!oldLogProbs) continue;
    const mask = new Uint8Array(behaviorLogProbs.length).fill(1);
    const raw = { level: options.level, mode: 'truncate', cap: Number.POSITIVE_INFINITY } as const;
    const limited = importanceWeights(oldLogProbs, behaviorLogProbs, mask, 1, options).tokens;
    const unlimited = importanceWeights(oldLogProbs, behaviorLogProbs, mask, 1, raw).tokens;
    for (let i = 0; i < mask.length; i++) {
      const gap = oldLogProbs[i]! - behaviorLogProbs[i]!;
      const weight = unlimited[i]!;
      gaps.push(Math.abs(gap));
      tokens += 1;
      if (limited[i] !== weight) changed += 1;
      if (limited[i] === 0) masked += 1;
      sum += weight;
      squares += weight * weight;
      // E over samples of the behavior: w − 1 − log w, never negative
      metrics.mean('mismatch/k3', klEstimate(-gap, 'k3'));
      metrics.mean('mismatch/abs-logprob-mean', Math.abs(gap));
      metrics.mean('mismatch/ratio-outside-0.9-1.1', Math.abs(Math.exp(gap) - 1) > NOTABLE ? 1 : 0);
    }
  }
  if (tokens === 0) return;
  gaps.sort((a, b) => a - b);
  metrics.setAll({
    'mismatch/abs-logprob-p99': gaps[Math.min(tokens - 1, Math.floor(0.99 * tokens))]!,
    'correction/clipped-share': (changed - masked) / tokens,
    'correction/masked-share': masked / tokens,
    'correction/ess': squares > 0 ? (sum * sum) / squares / tokens : 0,
  });
}
