/**
 * Parameters of physics, camera and light, which domain randomization draws.
 *
 * Names, defaults and ranges follow `Farama-Foundation/Miniworld`, `miniworld/params.py`. Without randomization nothing
 * is drawn. With it every sample draws a number, even if the range is a single value.
 */
import { type Generator, InvalidOptionError, show, UnknownOptionError } from '@vlgym/core';

export type Triple = readonly [number, number, number];

export interface Range<Value = number> {
  readonly default: Value;
  readonly min: Value;
  readonly max: Value;
}

/** Every parameter with its range, in meters or degrees; colors are from 0 to 1. */
export interface Parameters {
  readonly skyColor: Range<Triple>;
  /** The direction toward the light is this plus (1, 1, 1). */
  readonly lightPos: Range<Triple>;
  readonly lightColor: Range<Triple>;
  readonly lightAmbient: Range<Triple>;
  /** Added to the color of boxes. */
  readonly objColorBias: Range<Triple>;
  readonly forwardStep: Range;
  readonly forwardDrift: Range;
  /** Degrees. */
  readonly turnStep: Range;
  /** Has no effect, as in the original. */
  readonly botRadius: Range;
  /** Degrees. */
  readonly camPitch: Range;
  /** Degrees. */
  readonly camFovY: Range;
  readonly camHeight: Range;
  readonly camFwdDisp: Range;
}

export type ParameterName = keyof Parameters;

/** Overrides of parameters: a number or triple fixes a parameter; a range sets its default and its random range. */
export type ParameterOverrides = {
  readonly [Name in ParameterName]?: Parameters[Name] | Parameters[Name]['default'];
};

const scalar = (value: number, min: number, max: number): Range => ({ default: value, min, max });
const gray = (value: number, min: number, max: number): Range<Triple> => ({
  default: [value, value, value],
  min: [min, min, min],
  max: [max, max, max],
});

export const DEFAULT_PARAMETERS: Parameters = {
  skyColor: { default: [0.25, 0.82, 1], min: [0.1, 0.1, 0.1], max: [1, 1, 1] },
  lightPos: { default: [0, 2.5, 0], min: [-40, 2.5, -40], max: [40, 5, 40] },
  lightColor: gray(0.7, 0.45, 0.8),
  lightAmbient: gray(0.45, 0.35, 0.55),
  objColorBias: gray(0, -0.2, 0.2),
  forwardStep: scalar(0.15, 0.12, 0.17),
  forwardDrift: scalar(0, -0.05, 0.05),
  turnStep: scalar(15, 10, 20),
  botRadius: scalar(0.4, 0.38, 0.42),
  camPitch: scalar(0, -5, 5),
  camFovY: scalar(60, 55, 65),
  camHeight: scalar(1.5, 1.45, 1.55),
  camFwdDisp: scalar(0, -0.05, 0.1),
};

/** Steps of 0.7 m and 45 degrees, without randomness: every range is a single value. */
export const FAST_PARAMETERS: Parameters = withoutRandomness({
  ...DEFAULT_PARAMETERS,
  forwardStep: scalar(0.7, 0.7, 0.7),
  turnStep: scalar(45, 45, 45),
});

/** Reduces every range to its default. */
function withoutRandomness(parameters: Parameters): Parameters {
  const collapsed = Object.entries(parameters).map(([name, range]) => [
    name,
    { default: range.default, min: range.default, max: range.default },
  ]);
  return Object.fromEntries(collapsed) as Parameters;
}

/**
 * @param base  Parameters of the task; also checked, because the task may be a user's.
 * @throws {UnknownOptionError}  Unknown parameter.
 * @throws {InvalidOptionError}  A value is not finite or out of bounds, or not min <= default <= max.
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
    // A fixed order of keys, because snapshots compare options as JSON.
    return [name, { default: range.default, min: range.min, max: range.max }];
  });
  return Object.fromEntries(checked) as Parameters;
}

/** The default without a generator, otherwise one draw. */
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

/** Largest magnitude of any parameter. */
const LIMIT = 1e4;
/** Narrower bounds of some parameters, outside which a world or a picture would not make sense. */
const BOUNDS: { readonly [Name in ParameterName]?: readonly [number, number] } = {
  forwardStep: [0.001, LIMIT],
  turnStep: [0.01, 360],
  skyColor: [0, 1],
  camFovY: [1, 170],
  camPitch: [-90, 90],
};

function checkRange(name: ParameterName, range: Range<unknown>, like: Range<unknown>): void {
  const length = Array.isArray(like.default) ? like.default.length : undefined;
  const parts = (value: unknown): unknown[] => (length === undefined ? [value] : Array.isArray(value) ? value : []);
  const [low, high] = BOUNDS[name] ?? [-LIMIT, LIMIT];
  const [defaults, mins, maxs] = [parts(range.default), parts(range.min), parts(range.max)];
  const isValid =
    [defaults, mins, maxs].every((list) => list.length === (length ?? 1)) &&
    defaults.every((value, axis) => {
      const [min, max] = [mins[axis], maxs[axis]];
      const inBounds = [min, value, max].every((bound) => typeof bound === 'number' && bound >= low && bound <= high);
      return inBounds && (min as number) <= (value as number) && (value as number) <= (max as number);
    });
  if (isValid) return;
  const unit = length === undefined ? 'a number' : 'three numbers';
  const bad = [...defaults, ...mins, ...maxs].find((value) => Number.isNaN(value)) ?? range.default;
  throw new InvalidOptionError(
    `parameters.${name}`,
    bad,
    `${unit} from ${low} to ${high}, or { default, min, max } with min <= default <= max; got ${show(range)}`,
  );
}
