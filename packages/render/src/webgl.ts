/** @vlgym/render/webgl: draws the same scenes on a canvas with THREE.WebGLRenderer, for people to watch. */
export { createWebGLRenderer, type WebGLCanvas, type WebGLFrames, type WebGLOptions } from './webgl/webgl-renderer.js';
