/** Numbers and colors as the report writes them everywhere. */
import { percent } from '../terminal/style.js';

export const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
/** A share as percentage points with its sign. */
export const points = (share: number) => signed(100 * share);
export const whole = (share: number): string => percent(share, 0);
