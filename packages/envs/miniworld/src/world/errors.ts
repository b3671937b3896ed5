/** Errors of worlds. */
import { closest, GymError } from '@vlgym/core';

/** An unknown texture name. */
export class UnknownTextureError extends GymError {
  constructor(
    readonly texture: string,
    known: readonly string[],
  ) {
    const suggestion = closest(texture, known);
    super(`Unknown texture "${texture}".`, {
      code: 'UNKNOWN_TEXTURE',
      value: texture,
      hint: suggestion ? `did you mean "${suggestion}"?` : 'define it with `defineTexture`, or use `textureNames()`',
    });
  }
}

/** An unknown mesh name. */
export class UnknownMeshError extends GymError {
  constructor(
    readonly mesh: string,
    known: readonly string[],
  ) {
    const suggestion = closest(mesh, known);
    super(`Unknown mesh "${mesh}".`, {
      code: 'UNKNOWN_MESH',
      value: mesh,
      hint: suggestion ? `did you mean "${suggestion}"?` : 'define it with `defineMesh`, or use `meshNames()`',
    });
  }
}

/** An invalid room, portal, entity or task. */
export class WorldError extends GymError {
  constructor(message: string, value: unknown, expected: string, hint?: string) {
    super(message, { code: 'INVALID_WORLD', value, expected, ...(hint === undefined ? {} : { hint }) });
  }
}

/** A snapshot that this world cannot restore: it is damaged, or its world was created with other options. */
export class SnapshotError extends GymError {
  constructor(message: string, value: unknown, expected: string, hint?: string) {
    super(message, { code: 'SNAPSHOT_MISMATCH', value, expected, ...(hint === undefined ? {} : { hint }) });
  }
}

/** The world has no free place for an entity. */
export class ImpossibleWorldError extends GymError {
  constructor(
    readonly entity: string,
    readonly attempts: number,
    readonly bounds: object,
  ) {
    super(`No free place was found for ${entity} in ${attempts} attempts.`, {
      code: 'IMPOSSIBLE_WORLD',
      value: { entity, ...bounds },
      expected: 'enough space for its radius between walls and earlier entities',
      hint: 'make the room larger or the bounds wider, or place fewer or smaller entities',
    });
  }
}
