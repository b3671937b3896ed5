/** Bytes that are not a picture, or not the picture they claim to be. */
import { GymError, type GymErrorOptions } from '../errors.js';

export class ImageInvalidError extends GymError {
  constructor(message: string, options: Omit<GymErrorOptions, 'code'> = {}) {
    super(message, { code: 'IMAGE_INVALID', ...options });
  }
}
