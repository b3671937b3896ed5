import type { ImitationControl } from './control.js';

export const imitation: ImitationControl = {
  kind: 'imitation',
  name: 'imitation',
  title: 'imitation, continued',
  says: 'The warm start continues to learn from labels of its teacher, as many as the algorithms play steps: play must add more than this.',
  teacher: 'warm-start',
};
