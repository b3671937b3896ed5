/** Observations of Baba Is AI, and what comes beside them. */
import type { RgbImage } from '@vlgym/core';
import type { BabaLevel } from './levels.js';

export interface BabaTextAndImage {
  readonly text: string;
  readonly image: RgbImage;
}
export type BabaObservation = BabaTextAndImage | RgbImage | string;

export interface BabaInfo extends Record<string, unknown> {
  readonly level: BabaLevel;
  /** Rules in force, such as `baba is you`. */
  readonly rules: readonly string[];
  /** 1 once it is won, else 0. */
  readonly progression: number;
  /** At the end: whether it is won. */
  readonly success?: boolean;
  readonly taskKey?: string;
}
