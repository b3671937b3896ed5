import type { ImitationControl } from './control.js';

export const imitationExpert: ImitationControl = {
  kind: 'imitation',
  name: 'imitation-expert',
  title: 'imitation of an expert',
  says: 'Random weights learn from as many labels as warm start and training have together, of a teacher without mistakes: what supervision alone could reach.',
  teacher: 'expert',
};
