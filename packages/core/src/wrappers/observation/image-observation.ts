/** resizeObservation and grayscaleObservation: for environments whose observation is a picture. */
import type { Env, Info } from '../../env.js';
import { GymError } from '../../errors.js';
import type { Image } from '../../image.js';
import { grayscale } from '../../images/grayscale.js';
import { resizeImage } from '../../images/resize-image.js';
import { checkNames } from '../../options.js';
import { ImageSpace } from '../../spaces/image.js';
import type { Space } from '../../spaces/space.js';
import { ObservationWrapper } from './transform-observation.js';

type Channels = 1 | 3 | 4;

const RESIZE_OBSERVATION_OPTIONS = ['height', 'width'];

/**
 * Bilinear, as in the training of vision-language models (`resizeImage`). The dialogue stays, with the resized picture.
 *
 * @throws {GymError} `NOT_AN_IMAGE_SPACE`: the observation is not a picture.
 */
export function resizeObservation(options: { readonly height: number; readonly width: number }) {
  checkNames('options', options, RESIZE_OBSERVATION_OPTIONS);
  const { height, width } = options;
  return <C extends Channels, Action, I extends Info>(env: Env<Image<C>, Action, I>) => {
    const { channels } = imageSpace(env.observationSpace);
    return new ObservationWrapper<Image<C>, Image<C>, Action, I>(
      env,
      (image) => resizeImage(image, { height, width }),
      new ImageSpace({ height, width, channels: channels as C }),
      { name: 'resizeObservation', options: { height, width } },
    );
  };
}

/** One channel, as Pillow's mode `L`. The dialogue stays. Errors as for `resizeObservation`. */
export function grayscaleObservation() {
  return <Action, I extends Info>(env: Env<Image, Action, I> | Env<Image<3>, Action, I>) => {
    const { height, width } = imageSpace(env.observationSpace);
    return new ObservationWrapper<Image, Image<1>, Action, I>(
      env as Env<Image, Action, I>,
      grayscale,
      new ImageSpace({ height, width, channels: 1 }),
      { name: 'grayscaleObservation' },
    );
  };
}

function imageSpace(space: Space): ImageSpace<Channels> {
  // not `instanceof`: the environment may come from another copy of this package
  if (space.type === 'image') return space as unknown as ImageSpace<Channels>;
  throw new GymError(`The observation is ${space.describe()}.`, {
    code: 'NOT_AN_IMAGE_SPACE',
    value: space.type,
    expected: 'a space made by `spaces.image`',
    hint: 'extract the picture first: transformObservation((observation) => observation.picture, pictureSpace)',
  });
}
