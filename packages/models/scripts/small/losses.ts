/** How well a model has learned each kind of a lesson, on fresh examples of the training side. */
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import type { VlmPolicy } from '@vlgym/models';
import { examplesOf, labeled } from './batches.js';
import type { WarmStartPlan } from './lesson.js';

/** Seed of the examples; those of training have the seed of the run and a number of a chunk. */
const SEED = 1_000_000;

export interface KindLoss {
  readonly kind: string;
  readonly examples: number;
  /** Tokens that are labels. */
  readonly labels: number;
  /** Mean over the labels, nats. */
  readonly loss: number;
  /** Share of the labels that are given less than half of the probability. */
  readonly missed: number;
}

export async function lossesByKind(lesson: WarmStartPlan, policy: VlmPolicy, examples: number): Promise<KindLoss[]> {
  const env = (await make(lesson.env, { options: { ...lesson.options, ...lesson.splits.train } })) as AnyEnv;
  try {
    const losses: KindLoss[] = [];
    for (const kind of lesson.mix) {
      const sequences = [];
      for await (const example of examplesOf([kind], env, new Generator(new SeedSequence([SEED])))) {
        sequences.push(labeled(policy, example));
        if (sequences.length === examples) break;
      }
      const { logProbs } = await policy.score(sequences);
      const read = sequences.flatMap(({ labelMask }, i) =>
        [...logProbs[i]!].filter((_, place) => labelMask[place] === 1),
      );
      const sum = read.reduce((total, logProb) => total - logProb, 0);
      const missed = read.filter((logProb) => logProb < Math.log(0.5)).length;
      losses.push({
        ...{ kind: kind.name, examples, labels: read.length },
        ...{ loss: sum / read.length, missed: missed / read.length },
      });
    }
    return losses;
  } finally {
    await env.close();
  }
}
