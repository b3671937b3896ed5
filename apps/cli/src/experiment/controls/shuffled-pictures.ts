import type { PictureControl } from './control.js';
import { shuffled } from './replaced-pictures.js';

export const shuffledPictures: PictureControl = {
  kind: 'pictures',
  name: 'shuffled',
  title: 'wrong pictures',
  says: 'The first picture of an episode about another task in place of every picture: success while looking at something else.',
  wrap: shuffled,
};
