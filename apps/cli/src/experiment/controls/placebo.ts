import type { AlgorithmControl } from './control.js';

export const placebo: AlgorithmControl = {
  kind: 'algorithm',
  name: 'placebo',
  title: 'GTR-Turbo, permuted penalties',
  says: 'GTR-Turbo (KL) with the penalties of each buffer permuted at random over its steps: as large as the teacher’s, without its knowledge.',
  algorithm: 'gtr-turbo-kl',
  set: { guidance: { permute: true } },
};
