/** What can be wrong with a world; each error names the value and the next step. */
import { closest, GymError } from '@vlgym/core';

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

/** A snapshot that this world cannot go on from: of a world made otherwise, or damaged. */
export class SnapshotError extends GymError {
  constructor(message: string, value: unknown, expected: string, hint?: string) {
    super(message, { code: 'SNAPSHOT_MISMATCH', value, expected, ...(hint === undefined ? {} : { hint }) });
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
