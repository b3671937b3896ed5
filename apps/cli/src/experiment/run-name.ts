/** Names of runs: the folder, and the name in tables and messages. */
import { DIGESTED, withDigest } from '../digested-name.js';
import { titleOf, variantOf } from './algorithms.js';
import { runControl } from './controls/index.js';
import type { RunSpec } from './spec.js';

type Named = Pick<RunSpec, 'algorithm' | 'seed' | 'control'>;

/**
 * A variant's colon is not allowed in file names everywhere, and becomes a `_`. Where the name of the algorithm has one of
 * its own, a digest keeps `a_b` and `a:b` two folders.
 */
export function runName({ algorithm, seed, control }: Named): string {
  const whole = control ?? algorithm;
  const name = whole.replaceAll(/[:/\\]/g, '_');
  const isAmbiguous = /[_:/\\]/.test(variantOf(whole)[0]) || DIGESTED.test(name);
  return `${isAmbiguous ? withDigest(name, whole) : name}-${seed}`;
}

export const runTitle = ({ algorithm, control }: Pick<Named, 'algorithm' | 'control'>) =>
  control === undefined ? titleOf(algorithm) : runControl(control).title;
