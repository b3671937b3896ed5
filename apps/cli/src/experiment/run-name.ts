/** What a run is called: its folder, and its name in tables and messages. */
import { titleOf } from './algorithms.js';
import { runControl } from './controls/index.js';
import type { RunSpec } from './spec.js';

type Named = Pick<RunSpec, 'algorithm' | 'seed' | 'control'>;

/** A variant's colon is not allowed in file names everywhere. */
export const runName = ({ algorithm, seed, control }: Named) =>
  `${(control ?? algorithm).replaceAll(':', '_')}-${seed}`;

export const runTitle = ({ algorithm, control }: Pick<Named, 'algorithm' | 'control'>) =>
  control === undefined ? titleOf(algorithm) : runControl(control).title;
