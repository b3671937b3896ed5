/** Preload (`--import`): every look at the clock sees another time, up to a year off; `VLGYM_CLOCK_SEED` draws them. */
import { Generator } from '@vlgym/core';

const YEAR = 365 * 86_400_000;
const rng = new Generator(Number(process.env.VLGYM_CLOCK_SEED ?? 0));
const RealDate = Date;
const now = () => RealDate.now() + Math.round((2 * rng.random() - 1) * YEAR);

globalThis.Date = class extends RealDate {
  constructor(...values: [] | ConstructorParameters<DateConstructor>) {
    if (values.length === 0) super(now());
    else super(...(values as ConstructorParameters<DateConstructor>));
  }
  static override now = now;
} as DateConstructor;
