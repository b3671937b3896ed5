import type { PictureControl } from './control.js';
import { blanked } from './replaced-pictures.js';

export const blankedPictures: PictureControl = {
  kind: 'pictures',
  name: 'blanked',
  title: 'gray pictures',
  says: 'Every picture an even gray: success without looking.',
  wrap: blanked,
};
