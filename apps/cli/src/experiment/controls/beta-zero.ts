import type { AlgorithmControl } from './control.js';

export const betaZero: AlgorithmControl = {
  kind: 'algorithm',
  name: 'beta-0',
  title: 'GTR-Turbo, β = 0',
  says: 'GTR-Turbo (KL) with the teacher’s penalty off: what remains without its guidance.',
  algorithm: 'gtr-turbo-kl',
  set: { guidance: { klCoefficient: 0 } },
};
