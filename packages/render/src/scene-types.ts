/**
 * The three.js objects that a renderer takes, named by what every one of them has. Scenes and cameras of any copy of
 * three.js fit, whether or not its types are installed.
 */

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
