/** A picture as text, for HTML pages and model APIs. */
import type { Image } from '../image.js';
import { toBase64 } from '../spaces/serialization/json-data.js';
import { encodePng } from './png.js';

/** `data:image/png;base64,…` */
export function toDataUrl(image: Image): string {
  return `data:image/png;base64,${toBase64(encodePng(image))}`;
}
