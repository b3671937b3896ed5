import { defineAlgorithm, registerAlgorithms, registeredAlgorithms } from '@vlgym/rl';
import { commonOptions } from '@vlgym/rl/config';
import { expect, it } from 'vitest';
import { z } from 'zod';
import '../algorithms.js';
import { hyperparametersOf } from './hyperparameters.js';

it.each(Object.keys(registeredAlgorithms()))('every hyperparameter of %s is told in one line', (name) => {
  const told = hyperparametersOf(name);
  expect(told.length).toBeGreaterThan(20);
  expect(told.filter(({ description }) => !/^.{8,110}$/.test(description)).map((each) => each.name)).toEqual([]);
});

it('an algorithm from outside declares its own, and may leave one without words', () => {
  const wide = defineAlgorithm({
    name: 'wide',
    title: 'Wide',
    options: z.strictObject({
      ...commonOptions,
      width: z.number().min(1).default(2).describe('how wide it looks'),
      silent: z.boolean().default(true),
    }),
    recommended: {},
    update: () => Promise.reject(new Error('never trained')),
  });
  registerAlgorithms({ wide });
  expect(hyperparametersOf('wide').slice(-2)).toEqual([
    { name: 'width', default: 2, kind: 'algorithm', range: 'number >= 1', description: 'how wide it looks' },
    { name: 'silent', default: true, kind: 'algorithm', range: 'true, false', description: '' },
  ]);
});
