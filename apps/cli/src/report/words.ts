/** Numbers and colours as the report writes them everywhere. */
export const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
export const whole = (share: number) => `${Math.round(100 * share)} %`;
/** CSS class of an algorithm, by its place. */
export const colour = (index: number) => `c${index % 6}`;
