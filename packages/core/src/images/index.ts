/** Pictures: PNG, resizing, hashes. */
export { toDataUrl } from './data-url.js';
export { grayscale } from './grayscale.js';
export { hashImage } from './hash-image.js';
export { ImageInvalidError } from './image-error.js';
export { assertImage, isImage } from './is-image.js';
export { decodePng, encodePng } from './png.js';
export { MAX_PNG_PIXELS } from './png-memory.js';
export { resizeImage } from './resize-image.js';
