/**
 * Image tokens of a prompt, expanded as the model sees them and collapsed as engines want them.
 *
 * Processors of the Qwen-VL family replace one image token per picture by as many as the picture has. Sent expanded, the
 * first becomes many and the others stay as text, without an error (`docs/specs/algorithms.md` 0.1: a ratio on another prompt
 * is wrong from the first pass on).
 */
import { GymError } from '@vlgym/core';

/** One image token per picture; runs of them become one. */
export function collapseImages(promptIds: Int32Array, imageToken: number | undefined, images: number): number[] {
  if (imageToken === undefined) {
    if (images === 0) return Array.from(promptIds);
    throw new GymError('A prompt has pictures, but no image token is known.', {
      code: 'INVALID_OPTION',
      value: images,
      expected: '`imageToken` of the model',
    });
  }
  const collapsed = Array.from(promptIds).filter(
    (id, index) => id !== imageToken || promptIds[index - 1] !== imageToken,
  );
  const places = collapsed.filter((id) => id === imageToken).length;
  if (places === images) return collapsed;
  throw new GymError(`The prompt has ${places} image placeholders but ${images} images.`, {
    code: 'IMAGE_MISSING',
    value: images,
    expected: `${places} pictures, with something between two of them`,
    hint: 'put text between pictures that follow each other',
  });
}
