/** A verdict about the pictures that a trainer or an agent gets, from its answers. */
import { InvalidOptionError } from '@vlgym/core';
import type { CanaryCounts } from './canary-env.js';

export type CanaryVerdict =
  /** Answers follow the picture that they were given for. */
  | 'pixels arrive'
  /** Answers follow the picture before it. */
  | 'one step late'
  /** No better than guessing: after training, the pictures were dropped or are those of other episodes. */
  | 'no sight'
  /** Too few answers, or answers between guessing and seeing. */
  | 'cannot tell';

export interface CanaryReport extends CanaryCounts {
  readonly verdict: CanaryVerdict;
  /** The verdict in a sentence, with its figures. */
  readonly text: string;
}

const CHANCE = 1 / 4;
/** Two-sided 1 in 10,000: a hundred healthy trainers must not ring. */
const Z = 3.891;
/** Someone who sees is right more often than this. */
const SEEN = 0.4;

/**
 * Judges the answers of many episodes, the `info.canary` of each one's last step. For a trainer: those of its last
 * episodes; before it has learned to read four colors, nothing tells it from a blind one.
 *
 * @throws {InvalidOptionError} Counts are not whole numbers, or are more than the turns.
 */
export function canaryVerdict(episodes: Iterable<CanaryCounts>): CanaryReport {
  let [turns, current, previous, withPrevious] = [0, 0, 0, 0];
  for (const each of episodes) {
    const counts = [each.turns, each.current, each.previous];
    if (!counts.every((count) => Number.isInteger(count) && count >= 0 && count <= each.turns)) {
      throw new InvalidOptionError('episodes', each, 'counts of `info.canary`: whole numbers from 0 to `turns`');
    }
    turns += each.turns;
    current += each.current;
    previous += each.previous;
    // the first picture has none before it
    withPrevious += Math.max(0, each.turns - 1);
  }
  const [now, late] = [wilson(current, turns), wilson(previous, withPrevious)];
  const share = (hits: number, of: number) => `${hits} of ${of}`;
  const report = (verdict: CanaryVerdict, text: string) => ({ turns, current, previous, verdict, text });
  if (now.low > CHANCE) {
    return report(
      'pixels arrive',
      `${share(current, turns)} answers named the color of their picture; guessing gives a quarter`,
    );
  }
  if (late.low > CHANCE) {
    const text = `${share(previous, withPrevious)} answers named the color of the picture before: pictures come one step late`;
    return report('one step late', text);
  }
  if (turns > 0 && now.high < SEEN) {
    const text = `${share(current, turns)} answers were right, as by guessing: pictures are dropped or mixed up, or nothing was learned yet`;
    return report('no sight', text);
  }
  return report('cannot tell', `${share(current, turns)} answers were right; play more episodes`);
}

/** Wilson's score interval of a share. */
function wilson(hits: number, of: number): { readonly low: number; readonly high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const [share, z2] = [hits / of, Z * Z];
  const middle = share + z2 / (2 * of);
  const half = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return { low: (middle - half) / (1 + z2 / of), high: (middle + half) / (1 + z2 / of) };
}
