/** Numbers and colors as the report writes them everywhere. */
import { percent } from '../terminal/style.js';

/** With its sign and one decimal; what rounds to zero is `+0.0`. */
export function signed(value: number): string {
  const size = Math.abs(value).toFixed(1);
  return `${value < 0 && size !== '0.0' ? '−' : '+'}${size}`;
}
/** A share as percentage points with its sign. */
export const points = (share: number) => signed(100 * share);
export const whole = (share: number): string => percent(share, 0);
