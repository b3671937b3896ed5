/** @vlgym/render: pictures of three.js scenes, headless and the same on every machine. */
export { createRenderer, type RendererOptions } from './create-renderer.js';
export { RenderError, type RenderErrorCode, type RenderErrorDetails } from './errors.js';
export { type Frame, type FrameOf, type FrameRequest, MAX_FRAME_PIXELS, MAX_FRAME_SIDE } from './frame.js';
export type { Renderer, RenderJob } from './renderer.js';
export type { CameraLike, SceneLike } from './scene-types.js';
export { createSoftRenderer, type SoftRenderer, type SoftRendererOptions } from './soft/soft-renderer.js';
