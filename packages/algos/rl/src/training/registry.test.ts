import { expect, it } from 'vitest';
import { z } from 'zod';
import { commonOptions, tokenLossOptions } from '../config/option-groups.js';
import { defineAlgorithm } from './algorithm.js';
import { registerAlgorithms, registeredAlgorithms } from './registry.js';

const make = (title: string) =>
  defineAlgorithm({
    name: 'walk',
    title,
    options: z.strictObject({ ...commonOptions, loss: tokenLossOptions }),
    update: async (run) => run.collector.collectSteps(run),
  });

it('a registered preset is found by its name, makes an algorithm, and refuses unknown options', () => {
  const walk = make('Walk');
  registerAlgorithms({ walk });
  registerAlgorithms({ walk }); // imported twice
  const found = registeredAlgorithms().walk!;
  expect(found({ loss: { clipLow: 0.3 } })).toMatchObject({
    name: 'walk',
    title: 'Walk',
    config: { loss: { clipLow: 0.3 } },
  });
  expect(() => found({ advantage: {} })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  expect(() => found({}, { replicate: true })).toThrow(expect.objectContaining({ path: 'replicate' }));
});

it('a name is given once', () => {
  expect(() => registerAlgorithms({ walk: make('Another') })).toThrow(
    expect.objectContaining({ code: 'ALGORITHM_NAME_TAKEN' }),
  );
  expect(() => registerAlgorithms({ none: {} as never })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});
