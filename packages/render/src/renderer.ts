/** The interface of every backend. */
import type { Frame, FrameOf, FrameRequest } from './frame.js';
import type { CameraLike, SceneLike } from './scene-types.js';

/** One picture of a batch. */
export interface RenderJob extends FrameRequest {
  readonly scene: SceneLike;
  readonly camera: CameraLike;
}

/**
 * Draws scenes. A renderer caches geometries and textures, so use one for many scenes. It shares no state: each worker
 * thread creates its own.
 *
 * Colors are three.js's: components of `material.color` and `light.color` are linear light, textures are decoded where
 * `texture.colorSpace` is `SRGBColorSpace`, and the picture is encoded in the output color space, sRGB by default.
 */
export interface Renderer {
  readonly backend: 'wasm' | 'webgl' | 'webgpu';
  /** @throws {RenderError} The frame, the camera or an object cannot be drawn; `code` says which. */
  render<Request extends FrameRequest>(
    scene: SceneLike,
    camera: CameraLike,
    request: Request,
  ): FrameOf<Request> | Promise<FrameOf<Request>>;
  /** Draws several cameras or scenes. Frames are in the order of the jobs. */
  renderBatch(jobs: readonly RenderJob[]): Frame[] | Promise<Frame[]>;
  /** Releases all memory. A second call does nothing; any other call throws `CLOSED`. */
  dispose(): void;
}
