import type { ImitationControl } from './control.js';

export const imitation: ImitationControl = {
  kind: 'imitation',
  name: 'imitation',
  title: 'imitation, continued',
  says: 'The warm start learns on from labels of its own teacher, as many as the algorithms play steps: what play adds must be more than this.',
  teacher: 'warm-start',
};
