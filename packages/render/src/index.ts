/** @vlgym/render: pictures of three.js scenes, headless and the same on every machine. */
export { RenderError, type RenderErrorCode, type RenderErrorDetails } from './errors.js';
export { type Frame, type FrameOf, type FrameRequest, MAX_FRAME_PIXELS, MAX_FRAME_SIDE } from './frame.js';
export { createRenderer, type Renderer, type RendererOptions, type RenderJob } from './renderer.js';
export type { CameraLike, SceneLike } from './scene-types.js';
export { createSoftRenderer, type SoftRenderer, type SoftRendererOptions } from './soft/soft-renderer.js';
