/**
 * Pictures with transparency, on white paper: what the published processors do before they resize (`convert_to_rgb` in
 * `image_transforms.py` of huggingface/transformers 5). `image-processor.test.ts` pins bytes of Pillow.
 */
import type { Image } from '@vlgym/core';

/** A byte of color under an alpha, over white, to the byte as `Image.alpha_composite` of Pillow computes it. */
function overWhite(color: number, alpha: number): number {
  // 7 bits below the byte, and a division by 255 that rounds
  const sum = (color * alpha + 255 * (255 - alpha) + 0x80) << 7;
  return ((sum >> 8) + sum) >> 15;
}

/** The picture without alpha; one that has none is returned as it is. */
export function onWhite(image: Image): Image {
  if (image.channels !== 4) return image;
  const { data, height, width } = image;
  const colors = new Uint8Array(height * width * 3);
  for (let pixel = 0; pixel < height * width; pixel += 1) {
    const alpha = data[pixel * 4 + 3]!;
    for (let channel = 0; channel < 3; channel += 1)
      colors[pixel * 3 + channel] = overWhite(data[pixel * 4 + channel]!, alpha);
  }
  return { data: colors, height, width, channels: 3 };
}
