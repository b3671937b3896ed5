/** Warnings about a run that is going wrong, with the thresholds of `docs/specs/algorithms.md`, section 14. */
import type { AnyConfig } from '../config/types.js';
import type { Policy } from '../policy.js';
import type { Metrics } from './metrics.js';

export interface Alarm {
  /** Stable, e.g. `SUCCESS_FALLING`. */
  readonly code: string;
  /** Updates done. */
  readonly update: number;
  /** The observation, and a remedy to try. */
  readonly message: string;
  readonly metric: string;
  readonly value: number;
}

/** State of the alarms between updates, as JSON data. */
export interface AlarmState {
  readonly success: readonly number[];
  readonly thoughtLength?: number | undefined;
  readonly thoughtCorrect?: number | undefined;
  /** Updates in a row whose critic predicted worse than a constant. */
  readonly poorCritic?: number;
  /** Metrics of sight in the last updates, by name. */
  readonly sight?: Readonly<Record<string, readonly number[]>>;
}

interface Rule {
  readonly code: string;
  readonly metric: string;
  readonly isBad: (value: number, metrics: Metrics) => boolean;
  readonly message: string;
}

/** One poor update says little: returns of a few hundred steps are noisy. */
const POOR_CRITIC_UPDATES = 3;

/**
 * If returns cannot be predicted, as in one-step tasks that are still played at random, a fresh critic fits noise: its
 * explained variance scatters around 0, down to −0.1. This adds little noise to the advantages.
 */
const MIN_EXPLAINED_VARIANCE = -0.2;

/** Nats per token. */
const MIN_SIGHT = 0.05;

/** Nats per token of actions without a thought that could have read the picture; forms of words dilute it. */
const MIN_ACTION_SIGHT = 0.01;

/** It is measured on a few pairs of observations, so its mean over this many updates is judged, and nothing before. */
const SIGHT_UPDATES = 3;

/** Before this many episodes have ended, those that have are the short ones, and mostly successes. */
const MIN_EPISODES = 100;

/** Allowed first-pass |ratio − 1|, where the dtype of the weights has a mantissa of less than 23 bits. */
const RATIO_TOLERANCE: Readonly<Record<string, number>> = { bfloat16: 2e-2, float16: 2.5e-3 };

/** In float32 and float64. */
const USUAL_RATIO_TOLERANCE = 1e-3;

/** Nats per token. */
const REFERENCE_LIMIT = 1;

/**
 * The limits that follow from the run, as metrics next to those that they bound, so that alarms are a function of the metrics:
 * how far rounding may move a ratio, by the dtype of the policy; how far from the reference is too far, where the loss holds
 * the policy to it.
 *
 * @param ratioTolerance  Instead of the one of the dtype.
 */
export function alarmLimits(
  { dtype = 'float32' }: Pick<Policy, 'dtype'>,
  { regularizer }: AnyConfig,
  ratioTolerance = RATIO_TOLERANCE[dtype] ?? USUAL_RATIO_TOLERANCE,
): Metrics {
  const { kl = 'none', klTo, klCoefficient = 0 } = regularizer ?? {};
  const isHeld = kl !== 'none' && klTo === 'reference' && klCoefficient > 0;
  return { 'ratio/tolerance': ratioTolerance, ...(isHeld && { 'kl/reference-limit': REFERENCE_LIMIT }) };
}

export class Alarms {
  #success: number[] = [];
  #thoughtLength: number | undefined;
  #thoughtCorrect: number | undefined;
  #poorCritic = 0;
  readonly #sight = new Map<string, readonly number[]>();
  readonly #rules: readonly Rule[];

  constructor() {
    this.#rules = [
      {
        code: 'RESPONSES_ALIKE',
        metric: 'text/self-bleu-2-observations',
        // answers of one form, such as JSON, are alike by nature; those that follow the picture are no cause for alarm
        isBad: (value, metrics) => value > 0.9 && !((metrics['sight/thought-swapped'] ?? 0) >= MIN_SIGHT),
        message: 'different observations get nearly the same response; raise the KL or entropy coefficient',
      },
      {
        code: 'INPUT_IGNORED',
        metric: 'sight/thought-swapped',
        isBad: (value) => value < MIN_SIGHT,
        message: 'thoughts hardly depend on the picture; guide the thoughts or start from a better warm start',
      },
      {
        code: 'PICTURES_UNUSED',
        metric: 'sight/action-swapped',
        isBad: (value, metrics) => value < MIN_ACTION_SIGHT && metrics['sight/thought-swapped'] === undefined,
        message: 'actions hardly depend on the picture; check that pictures reach the model (vlgym/Canary-v1)',
      },
      {
        code: 'FAR_FROM_REFERENCE',
        metric: 'kl/reference-k3',
        // far from a reference that nothing holds it to, a policy has learned
        isBad: (value, metrics) => value > (metrics['kl/reference-limit'] ?? Number.POSITIVE_INFINITY),
        message: 'more than 1 nat per token from the reference; lower the learning rate or raise the KL coefficient',
      },
      {
        code: 'RATIO_NOT_ONE',
        metric: 'ratio/first-pass-deviation',
        isBad: (value, metrics) => value > (metrics['ratio/tolerance'] ?? USUAL_RATIO_TOLERANCE),
        message: 'unchanged weights give other log-probabilities than stored; sampling and training disagree',
      },
      {
        code: 'REWARDS_INVALID',
        metric: 'rollout/invalid-rewards',
        isBad: (value) => value > 0,
        message: 'the environment gave rewards that are not numbers or overflow; those episodes were cut short',
      },
      {
        code: 'SAMPLER_DIFFERS',
        metric: 'mismatch/k3',
        // stale weights explain a distance; without them it is numerics, or another adapter
        isBad: (value, metrics) => value > 0.02 && (metrics['async/staleness-max'] ?? 0) === 0,
        message: 'sampler and learner give other probabilities for the same weights; check model, adapter and dtype',
      },
      {
        code: 'WEIGHTS_UNEVEN',
        metric: 'correction/ess',
        isBad: (value) => value < 0.5,
        message: 'a few tokens carry the loss; lower the staleness or the learning rate',
      },
      {
        code: 'STALE_WITHHELD',
        metric: 'async/withheld-share',
        isBad: (value) => value > 0.1,
        message: 'steps of weights older than the bound are discarded; publish faster or raise --max-staleness',
      },
      {
        code: 'LEARNER_IDLE',
        metric: 'queue/idle-learner-share',
        isBad: (value) => value > 0.5,
        message: 'the learner waits for episodes more than it learns; start more workers or samplers',
      },
    ];
  }

  /** The alarms of one update. */
  check(update: number, measured: Metrics): Alarm[] {
    const metrics = this.#smoothed(measured);
    const raised: Alarm[] = [];
    const raise = (code: string, metric: string, value: number, message: string) =>
      raised.push({ code, update, metric, value, message: `${metric} is ${value.toPrecision(3)}: ${message}` });

    for (const { code, metric, isBad, message } of this.#rules) {
      const value = metrics[metric];
      const seen = this.#sight.get(metric)?.length ?? SIGHT_UPDATES;
      if (value !== undefined && seen >= SIGHT_UPDATES && isBad(value, metrics)) raise(code, metric, value, message);
    }
    const success = metrics['train/success-rate'];
    if (success !== undefined && (metrics['train/episodes'] ?? MIN_EPISODES) >= MIN_EPISODES) {
      this.#success = [...this.#success, success].slice(-4);
      const before = this.#success[0]!;
      if (this.#success.length === 4 && success < 0.7 * before) {
        raise('SUCCESS_FALLING', 'train/success-rate', success, `down from ${before.toPrecision(3)} three updates ago`);
      }
    }
    const explained = metrics['value/explained-variance'];
    // a critic that is still warmed up predicts what its fresh weights say
    if (explained !== undefined && metrics['optimizer/only-value'] !== 1) {
      this.#poorCritic = explained < MIN_EXPLAINED_VARIANCE ? this.#poorCritic + 1 : 0;
      // once for each time it turns poor: the same again at every update would hide other alarms
      if (this.#poorCritic === POOR_CRITIC_UPDATES) {
        const message = `for ${POOR_CRITIC_UPDATES} updates the critic has predicted worse than a constant; lengthen the value warm-up, or give the critic its own epochs`;
        raise('CRITIC_WORSE_THAN_MEAN', 'value/explained-variance', explained, message);
      }
    }
    const length = metrics['response/thought-length-mean'];
    if (length !== undefined) {
      this.#thoughtLength ??= length;
      if (length < 0.5 * this.#thoughtLength) {
        const start = this.#thoughtLength.toPrecision(3);
        raise(
          'THOUGHTS_SHRINKING',
          'response/thought-length-mean',
          length,
          `thoughts had ${start} tokens at the start`,
        );
      }
    }
    const correct = metrics['response/thought-correct'];
    if (correct !== undefined) {
      this.#thoughtCorrect ??= correct;
      if (correct < 0.7 * this.#thoughtCorrect) {
        const start = this.#thoughtCorrect.toPrecision(3);
        const message = `fewer thoughts are true than at the start, ${start}; guide them, or raise the KL coefficient`;
        raise('THOUGHTS_WRONG', 'response/thought-correct', correct, message);
      }
    }
    return raised;
  }

  save(): AlarmState {
    return {
      success: this.#success,
      thoughtLength: this.#thoughtLength,
      thoughtCorrect: this.#thoughtCorrect,
      poorCritic: this.#poorCritic,
      sight: Object.fromEntries(this.#sight),
    };
  }

  load({ success, thoughtLength, thoughtCorrect, poorCritic = 0, sight = {} }: AlarmState): void {
    this.#success = [...success];
    this.#thoughtLength = thoughtLength;
    this.#thoughtCorrect = thoughtCorrect;
    this.#poorCritic = poorCritic;
    this.#sight.clear();
    for (const [name, values] of Object.entries(sight)) this.#sight.set(name, values);
  }

  /** Metrics of sight as their means over the last updates. */
  #smoothed(metrics: Metrics): Metrics {
    const smoothed: Record<string, number> = { ...metrics };
    for (const [name, value] of Object.entries(metrics)) {
      if (!name.startsWith('sight/')) continue;
      const last = [...(this.#sight.get(name) ?? []), value].slice(-SIGHT_UPDATES);
      this.#sight.set(name, last);
      smoothed[name] = last.reduce((sum, each) => sum + each, 0) / last.length;
    }
    return smoothed;
  }
}
