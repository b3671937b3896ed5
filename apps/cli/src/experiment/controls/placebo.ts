import type { AlgorithmControl } from './control.js';

export const placebo: AlgorithmControl = {
  kind: 'algorithm',
  name: 'placebo',
  title: 'GTR-Turbo, β = 0.01',
  says: 'GTR-Turbo (KL) with a penalty too small to guide: what a nudge without information would give.',
  algorithm: 'gtr-turbo-kl',
  set: { guidance: { klCoefficient: 0.01 } },
};
