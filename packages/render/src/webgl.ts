/** @vlgym/render/webgl: the same scenes on a canvas, for people, by THREE.WebGLRenderer. */
export { createWebGLRenderer, type WebGLCanvas, type WebGLFrames, type WebGLOptions } from './webgl/webgl-renderer.js';
