/** A picture as text, for HTML pages and model APIs. */
import type { Image } from '../image.js';
import { encodePng } from './png.js';

/** `data:image/png;base64,…` */
export function toDataUrl(image: Image): string {
  return `data:image/png;base64,${toBase64(encodePng(image))}`;
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}
