/**
 * A control: what a result is compared with before it is called an effect of the algorithm.
 *
 * Some are separate runs, one per training seed, with a row next to the algorithms; those that are an algorithm with one
 * part removed are defined by that algorithm (`defineAlgorithm`). Others evaluate every finished run again with other
 * pictures. Each of the command line's own is a file in this folder, listed in `index.ts`.
 */
import type { AnyEnv } from '@vlgym/core';
import type { StartPictures } from './replaced-pictures.js';

interface Described {
  /** Name of its folders and in `--control`. */
  readonly name: string;
  /** Name in tables. */
  readonly title: string;
  /** One sentence for the report: what this control shows. */
  readonly says: string;
}

/** An algorithm with one part removed. */
export interface AlgorithmControl extends Described {
  readonly kind: 'algorithm';
  /** Name of a preset. */
  readonly algorithm: string;
  /** Choices over all others. */
  readonly set: Readonly<Record<string, unknown>>;
}

/** Supervised learning instead of rollouts. */
export interface ImitationControl extends Described {
  readonly kind: 'imitation';
  /** `warm-start`: its weights continue to learn from its teacher. `expert`: random weights learn from a teacher without mistakes. */
  readonly teacher: 'warm-start' | 'expert';
}

/** Evaluation with other pictures. */
export interface PictureControl extends Described {
  readonly kind: 'pictures';
  /** @param pool  Pictures of other episodes. */
  readonly wrap: (env: AnyEnv, pool: readonly StartPictures[]) => AnyEnv;
}

export type RunControl = AlgorithmControl | ImitationControl;
export type Control = RunControl | PictureControl;
