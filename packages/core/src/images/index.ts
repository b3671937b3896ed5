/** Pictures: PNG, hashes, resizing. */
export * from './data-url.js';
export * from './grayscale.js';
export * from './hash-image.js';
export * from './image-error.js';
export * from './is-image.js';
export { decodePng, encodePng, MAX_PNG_PIXELS } from './png.js';
export * from './resize-image.js';
