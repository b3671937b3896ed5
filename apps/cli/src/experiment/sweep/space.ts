/**
 * The points of a sweep: hyperparameters with listed values (`loss.clipLow=0.1,0.2,0.3`) or ranges that are drawn from
 * (`optimizer.learningRate.initial=log:1e-5..1e-3`, `advantage.lambda=0.9..1`, `optimizer.epochs=int:1..8`).
 */
import { Generator, show } from '@vlgym/core';
import { isRecord, mergeDeep } from '@vlgym/core/internal';
import { UsageError } from '../../command-line/usage-error.js';

export const SEARCHES = ['grid', 'random', 'halving'] as const;

interface Range {
  readonly scale: 'linear' | 'log' | 'int';
  readonly low: number;
  readonly high: number;
}

/** A hyperparameter that is varied. */
export interface Dimension {
  /** Its path, e.g. `loss.clipLow`. */
  readonly key: string;
  readonly values: readonly unknown[] | Range;
}

/** One choice of every varied hyperparameter, by path. */
export type Values = Readonly<Record<string, unknown>>;

/** More points than anybody means to train. */
const MAX_POINTS = 10_000;

const FORMS = 'values as 0.1,0.2,0.3, or a range as 0.9..1, log:1e-5..1e-3 or int:1..8';

/** @throws {UsageError} Nothing is varied, a list has fewer than two values, or a range is invalid. */
export function dimensionsOf(over: Readonly<Record<string, unknown>>): Dimension[] {
  const dimensions = leavesOf(over, '').map(([key, value]) => ({ key, values: valuesOf(key, value) }));
  if (dimensions.length === 0) {
    throw new UsageError('Nothing is varied.', {
      expected: '--over HYPERPARAMETER=VALUES, which may be repeated',
      hint: '`vlgym algorithms NAME` lists the hyperparameters',
    });
  }
  return dimensions;
}

const isRange = (values: Dimension['values']): values is Range => !Array.isArray(values);

/** Every combination of listed values; the first hyperparameter changes slowest. @throws {UsageError} One is a range. */
export function gridOf(dimensions: readonly Dimension[]): Values[] {
  const ranges = dimensions.filter(({ values }) => isRange(values));
  if (ranges.length > 0) {
    throw new UsageError(`A grid cannot search the range of ${ranges.map(({ key }) => key).join(', ')}.`, {
      expected: 'lists of values',
      hint: '--search random --samples 20 draws from ranges',
    });
  }
  const size = dimensions.reduce((product, { values }) => product * (values as readonly unknown[]).length, 1);
  if (size > MAX_POINTS) {
    throw new UsageError(`The grid has ${size} points.`, {
      expected: `at most ${MAX_POINTS}`,
      hint: '--search random',
    });
  }
  return dimensions.reduce<Values[]>(
    (points, { key, values }) =>
      points.flatMap((point) => (values as readonly unknown[]).map((value) => ({ ...point, [key]: value }))),
    [{}],
  );
}

/** Points drawn independently, each hyperparameter uniform over its values or on the scale of its range. */
export function drawnFrom(dimensions: readonly Dimension[], samples: number, seed: number): Values[] {
  const random = new Generator(seed);
  return Array.from({ length: samples }, () =>
    Object.fromEntries(dimensions.map(({ key, values }) => [key, drawn(values, random)])),
  );
}

function drawn(values: Dimension['values'], random: Generator): unknown {
  if (!isRange(values)) return values[random.integers(values.length)];
  const { scale, low, high } = values;
  if (scale === 'int') return low + random.integers(high - low + 1);
  const share = random.random();
  const value = scale === 'log' ? low * (high / low) ** share : low + (high - low) * share;
  return Number(value.toPrecision(4)); // what is printed is what runs
}

/** As `--set` has them: `{ 'loss.clipLow': 0.1 }` → `{ loss: { clipLow: 0.1 } }`. */
export const asSettings = (values: Values): Record<string, unknown> =>
  Object.entries(values).reduce<Record<string, unknown>>((settings, [key, value]) => {
    const nested = key.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
    return mergeDeep(settings, nested as Record<string, unknown>);
  }, {});

function leavesOf(value: unknown, path: string): [key: string, value: unknown][] {
  if (!isRecord(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

function valuesOf(key: string, given: unknown): Dimension['values'] {
  const refuse = (expected = FORMS) => new UsageError(`--over ${key} cannot be ${show(given)}.`, { expected });
  const range = typeof given === 'string' ? /^(?:(log|int):)?([^.:,]+(?:\.\d+)?)\.\.([^:,]+)$/.exec(given) : null;
  if (range) {
    const [low, high] = [Number(range[2]), Number(range[3])];
    const scale = (range[1] as 'log' | 'int' | undefined) ?? 'linear';
    if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) throw refuse('LOW..HIGH with LOW < HIGH');
    if (scale === 'log' && low <= 0) throw refuse('log:LOW..HIGH with LOW above 0');
    if (scale === 'int' && !(Number.isInteger(low) && Number.isInteger(high))) throw refuse('int:LOW..HIGH, whole');
    return { scale, low, high };
  }
  const values = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',').map(plain) : [given];
  const distinct = new Set(values.map((value) => JSON.stringify(value)));
  if (values.length < 2 || distinct.size < values.length) throw refuse(`two or more different ${FORMS}`);
  return values;
}

/** JSON where it is JSON, else the text: as `--set` reads a value. */
function plain(text: string): unknown {
  try {
    return JSON.parse(text.trim()) as unknown;
  } catch {
    return text.trim();
  }
}
