/** Numbers and colors as the report writes them everywhere. */
import { percent } from '../terminal/style.js';
import type { PartialRuns } from './data.js';

export const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
/** A share as percentage points with its sign. */
export const points = (share: number) => signed(100 * share);
export const whole = (share: number): string => percent(share, 0);

export const partialText = ({ runs, planned }: PartialRuns): string =>
  `Partial: ${runs} of ${planned} runs have a result. Rows and comparisons change as others end.`;
