/**
 * Structural types of the three.js objects that a renderer accepts. Scenes and cameras of any copy of three.js match,
 * whether or not its types are installed.
 */
import { RenderError } from './errors.js';

/** A `Scene` of three.js. */
export interface SceneLike {
  readonly isScene: boolean;
  readonly background: unknown;
  readonly children: readonly object[];
  updateMatrixWorld(force?: boolean): void;
}

/** A `PerspectiveCamera` or `OrthographicCamera` of three.js. */
export interface CameraLike {
  readonly isCamera: boolean;
  readonly matrixWorldInverse: { readonly elements: readonly number[] };
  readonly projectionMatrix: { readonly elements: readonly number[] };
  updateMatrixWorld(force?: boolean): void;
}

/** @throws {RenderError} UNSUPPORTED_SCENE or INVALID_CAMERA if one is missing or of another type. */
export function checkSceneAndCamera(scene: SceneLike | null | undefined, camera: CameraLike | null | undefined): void {
  if (!scene?.isScene) {
    throw new RenderError(`Invalid scene: ${nameOf(scene)}.`, {
      code: 'UNSUPPORTED_SCENE',
      value: scene,
      expected: 'a Scene of three.js',
      hint: 'call render(scene, camera, { width: 80, height: 60 }); wrap an object with new Scene().add(object)',
    });
  }
  if (!camera?.isCamera) {
    throw new RenderError(`Invalid camera: ${nameOf(camera)}.`, {
      code: 'INVALID_CAMERA',
      value: camera,
      expected: 'a PerspectiveCamera or an OrthographicCamera of three.js',
      hint: 'call render(scene, camera, { width: 80, height: 60 })',
    });
  }
}

function nameOf(value: unknown): string {
  return (value as { type?: string } | undefined)?.type ?? String(value);
}
