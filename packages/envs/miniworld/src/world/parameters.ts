/**
 * Physics, camera and light as numbers that domain randomization may draw.
 *
 * Names, defaults and ranges follow `Farama-Foundation/Miniworld`, `miniworld/params.py`. With randomization off no
 * number is drawn; with it on every sample draws, also where a range has been collapsed to its default.
 */
import { type Generator, InvalidOptionError, show, UnknownOptionError } from '@vlgym/core';

export type Triple = readonly [number, number, number];

export interface Range<Value = number> {
  readonly default: Value;
  readonly min: Value;
  readonly max: Value;
}

/** Every parameter with its range: meters, degrees, and colors from 0 to 1. */
export interface Parameters {
  readonly skyColor: Range<Triple>;
  /** Direction towards the light, after (1, 1, 1) has been added. */
  readonly lightPos: Range<Triple>;
  readonly lightColor: Range<Triple>;
  readonly lightAmbient: Range<Triple>;
  /** Added to the color of boxes. */
  readonly objColorBias: Range<Triple>;
  readonly forwardStep: Range;
  readonly forwardDrift: Range;
  /** Degrees. */
  readonly turnStep: Range;
  /** Without effect, as in the original. */
  readonly botRadius: Range;
  /** Degrees. */
  readonly camPitch: Range;
  /** Degrees. */
  readonly camFovY: Range;
  readonly camHeight: Range;
  readonly camFwdDisp: Range;
}

export type ParameterName = keyof Parameters;

/** What a caller may change: a number or triple fixes a parameter, a range gives what randomization draws from. */
export type ParameterOverrides = {
  readonly [Name in ParameterName]?: Parameters[Name] | Parameters[Name]['default'];
};

const scalar = (value: number, min: number, max: number): Range => ({ default: value, min, max });
const grey = (value: number, min: number, max: number): Range<Triple> => ({
  default: [value, value, value],
  min: [min, min, min],
  max: [max, max, max],
});

export const DEFAULT_PARAMETERS: Parameters = {
  skyColor: { default: [0.25, 0.82, 1], min: [0.1, 0.1, 0.1], max: [1, 1, 1] },
  lightPos: { default: [0, 2.5, 0], min: [-40, 2.5, -40], max: [40, 5, 40] },
  lightColor: grey(0.7, 0.45, 0.8),
  lightAmbient: grey(0.45, 0.35, 0.55),
  objColorBias: grey(0, -0.2, 0.2),
  forwardStep: scalar(0.15, 0.12, 0.17),
  forwardDrift: scalar(0, -0.05, 0.05),
  turnStep: scalar(15, 10, 20),
  botRadius: scalar(0.4, 0.38, 0.42),
  camPitch: scalar(0, -5, 5),
  camFovY: scalar(60, 55, 65),
  camHeight: scalar(1.5, 1.45, 1.55),
  camFwdDisp: scalar(0, -0.05, 0.1),
};

/** Larger steps, nothing random: every range is its default, steps are 0.7 m and 45 degrees. */
export const FAST_PARAMETERS: Parameters = withoutRandomness({
  ...DEFAULT_PARAMETERS,
  forwardStep: scalar(0.7, 0.7, 0.7),
  turnStep: scalar(45, 45, 45),
});

export const PARAMETER_SETS = { default: DEFAULT_PARAMETERS, fast: FAST_PARAMETERS } as const;

/** Every range collapsed to its default. */
export function withoutRandomness(parameters: Parameters): Parameters {
  const collapsed = Object.entries(parameters).map(([name, range]) => [
    name,
    { default: range.default, min: range.default, max: range.default },
  ]);
  return Object.fromEntries(collapsed) as Parameters;
}

/**
 * @param base  Checked as well: a task of one's own brings its own.
 * @throws {UnknownOptionError}  No parameter has this name.
 * @throws {InvalidOptionError}  NaN, an infinity, or min <= default <= max does not hold.
 */
export function overrideParameters(base: Parameters, overrides: ParameterOverrides): Parameters {
  for (const name of Object.keys(overrides)) {
    if (Object.hasOwn(DEFAULT_PARAMETERS, name)) continue;
    throw new UnknownOptionError(
      `parameters.${name}`,
      Object.keys(DEFAULT_PARAMETERS).map((known) => `parameters.${known}`),
    );
  }
  const names = Object.keys(DEFAULT_PARAMETERS) as ParameterName[];
  const checked = names.map((name) => {
    const given: unknown = overrides[name] === undefined ? base[name] : overrides[name];
    const range = isRange(given) ? given : { default: given, min: given, max: given };
    checkRange(name, range, DEFAULT_PARAMETERS[name]);
    // in one order of keys: snapshots compare
    return [name, { default: range.default, min: range.min, max: range.max }];
  });
  return Object.fromEntries(checked) as Parameters;
}

/** One value of a parameter: its default without a generator, else one draw per component. */
export function sampleScalar(range: Range, rng: Generator | undefined): number {
  return rng ? range.min + (range.max - range.min) * rng.random() : range.default;
}

export function sampleTriple(range: Range<Triple>, rng: Generator | undefined): Triple {
  if (!rng) return range.default;
  const draw = (axis: 0 | 1 | 2) => range.min[axis] + (range.max[axis] - range.min[axis]) * rng.random();
  return [draw(0), draw(1), draw(2)];
}

function isRange(given: unknown): given is Range<unknown> {
  return typeof given === 'object' && given !== null && 'default' in given && 'min' in given && 'max' in given;
}

/** Largest magnitude of any parameter: beyond it pictures and positions lose their meaning. */
const LIMIT = 1e4;
/** What would make a world or a picture without sense, beyond the order of min, default and max. */
const BOUNDS: { readonly [Name in ParameterName]?: readonly [number, number] } = {
  forwardStep: [0.001, LIMIT],
  turnStep: [0.01, 360],
  skyColor: [0, 1],
  camFovY: [1, 170],
  camPitch: [-90, 90],
};

function checkRange(name: ParameterName, range: Range<unknown>, like: Range<unknown>): void {
  const wanted = Array.isArray(like.default) ? like.default.length : undefined;
  const parts = (value: unknown): unknown[] => (wanted === undefined ? [value] : Array.isArray(value) ? value : []);
  const [low, high] = BOUNDS[name] ?? [-LIMIT, LIMIT];
  const [defaults, mins, maxs] = [parts(range.default), parts(range.min), parts(range.max)];
  const sound =
    [defaults, mins, maxs].every((list) => list.length === (wanted ?? 1)) &&
    defaults.every((value, axis) => {
      const [min, max] = [mins[axis], maxs[axis]];
      const numbers = [min, value, max].every((each) => typeof each === 'number' && each >= low && each <= high);
      return numbers && (min as number) <= (value as number) && (value as number) <= (max as number);
    });
  if (sound) return;
  const unit = wanted === undefined ? 'a number' : 'three numbers';
  const bad = [...defaults, ...mins, ...maxs].find((value) => Number.isNaN(value)) ?? range.default;
  throw new InvalidOptionError(
    `parameters.${name}`,
    bad,
    `${unit} from ${low} to ${high}, or { default, min, max } with min <= default <= max; got ${show(range)}`,
  );
}
