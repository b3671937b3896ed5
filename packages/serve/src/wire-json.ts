/** Any value as JSON data for the wire; what has no JSON form is written as text rather than losing the answer. */
import type { Image } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import { toJson } from '@vlgym/core/internal';

export function toJsonData(value: unknown, image: (image: Image) => unknown = (each) => hashImage(each)): unknown {
  return toJson(value, { image: image as Parameters<typeof toJson>[1]['image'] });
}
