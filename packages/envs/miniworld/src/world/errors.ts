/** What can be wrong with a world or with the options it is made from; each error names the value and the next step. */
import { closest, GymError, show } from '@vlgym/core';

/** An option with a value it cannot have; NaN and infinities included. */
export class InvalidOptionError extends GymError {
  constructor(
    readonly option: string,
    value: unknown,
    expected: string,
  ) {
    super(`The option \`${option}\` cannot be ${typeof value === 'number' ? value : show(value)}.`, {
      code: 'INVALID_OPTION',
      value,
      expected,
    });
  }
}

/** An option that this world does not have: a typing error that would change the task in silence. */
export class UnknownOptionError extends GymError {
  constructor(
    readonly option: string,
    known: readonly string[],
  ) {
    const near = closest(option, known);
    super(`This world has no option "${option}".`, {
      code: 'UNKNOWN_OPTION',
      value: option,
      hint: near ? `did you mean "${near}"?` : `it has: ${known.join(', ')}`,
    });
  }
}

/** A name that no texture has. */
export class UnknownTextureError extends GymError {
  constructor(
    readonly texture: string,
    known: readonly string[],
  ) {
    const near = closest(texture, known);
    super(`There is no texture "${texture}".`, {
      code: 'UNKNOWN_TEXTURE',
      value: texture,
      hint: near ? `did you mean "${near}"?` : 'add it with `defineTexture`, or take one of `textureNames()`',
    });
  }
}

/** A name that no mesh has. */
export class UnknownMeshError extends GymError {
  constructor(
    readonly mesh: string,
    known: readonly string[],
  ) {
    const near = closest(mesh, known);
    super(`There is no mesh "${mesh}".`, {
      code: 'UNKNOWN_MESH',
      value: mesh,
      hint: near ? `did you mean "${near}"?` : 'add it with `defineMesh`, or take one of `meshNames()`',
    });
  }
}

/** A room, portal or entity that cannot be built as asked. */
export class WorldError extends GymError {
  constructor(message: string, value: unknown, expected: string, hint?: string) {
    super(message, { code: 'INVALID_WORLD', value, expected, ...(hint === undefined ? {} : { hint }) });
  }
}

/** An entity found no free place: the world has no room for it. */
export class ImpossibleWorldError extends GymError {
  constructor(
    readonly entity: string,
    readonly attempts: number,
    readonly bounds: object,
  ) {
    super(`No free place was found for ${entity} in ${attempts} attempts.`, {
      code: 'IMPOSSIBLE_WORLD',
      value: { entity, ...bounds },
      expected: 'a room that holds its radius beside walls and earlier entities',
      hint: 'make the room larger or the bounds wider, or place fewer or smaller entities',
    });
  }
}

/** @throws {InvalidOptionError} `value` is no number from `low` to `high`. */
export function checkedNumber(option: string, value: unknown, low = -1e6, high = 1e6): number {
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw new InvalidOptionError(option, value, `a number from ${low} to ${high}`);
}

/** @throws {InvalidOptionError} `value` is no integer from `low` to `high`. */
export function checkedInteger(option: string, value: unknown, low: number, high: number): number {
  if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return value as number;
  throw new InvalidOptionError(option, value, `an integer from ${low} to ${high}`);
}
