/**
 * Loads three.js and the renderer only when pictures are requested, so that text games start as fast as without them.
 */
import { GymError } from '@vlgym/core';

type Painter = typeof import('./painter.js');

let loaded: Painter | undefined;

/**
 * Loads three.js and the renderer. `make` and `createAlfworld` do so if the options need pictures; call it only before
 * `new AlfworldEnv({ observation: 'image' })`.
 *
 * @throws {GymError} `PICTURES_UNAVAILABLE`: three.js or `@vlgym/render` could not be loaded; see `cause`.
 */
export async function loadPictures(): Promise<void> {
  try {
    loaded ??= await import('./painter.js');
  } catch (error) {
    throw new GymError('Pictures cannot be drawn: three.js and the renderer could not be loaded.', {
      code: 'PICTURES_UNAVAILABLE',
      expected: 'three and @vlgym/render',
      hint: 'npm install three @vlgym/render',
      cause: error,
    });
  }
}

/** @throws {GymError} `PICTURES_NOT_LOADED` */
export function painter(): Painter {
  if (loaded) return loaded;
  throw new GymError('Pictures are not loaded yet.', {
    code: 'PICTURES_NOT_LOADED',
    hint: 'await loadPictures() first, or build the environment with `make` or `createAlfworld`',
  });
}
