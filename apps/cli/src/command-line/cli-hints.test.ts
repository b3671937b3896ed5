import { GymError } from '@vlgym/core';
import { FolderInUseError } from '@vlgym/rl';
import { expect, it } from 'vitest';
import { forCommandLine } from './cli-hints.js';

it.each<[what: string, error: GymError, keys: string[], says: string]>([
  [
    'a used folder',
    new FolderInUseError('runs/a'),
    [],
    'runs/a already contains a run.\n  hint: add --resume to continue it, or choose another --folder',
  ],
  [
    'an option of code',
    new GymError('The option `stepsPerUpdate` cannot be 7.', {
      code: 'INVALID_OPTION',
      expected: 'a positive multiple of numEnvs = 2',
    }),
    ['stepsPerUpdate', 'numEnvs', 'seed'],
    'The option --steps-per-update cannot be 7.\n  expected: a positive multiple of --num-envs = 2',
  ],
  [
    'an import',
    new GymError('No environment is registered as "x/Y-v0".', {
      code: 'UNKNOWN_ENV',
      hint: "`import 'their-env'` registers it (on the command line: --import their-env)",
    }),
    ['import'],
    'No environment is registered as "x/Y-v0".\n  hint: add --import their-env',
  ],
  [
    'an option of an environment, which is not a flag',
    new GymError('Unknown option "cardCount".', { code: 'UNKNOWN_OPTION', hint: 'did you mean "cards"?' }),
    ['envOptions'],
    'Unknown option "cardCount".\n  hint: did you mean "cards"?',
  ],
])('tells %s in the words of the command line', (_, error, keys, says) => {
  expect(forCommandLine(error, keys)).toBe(says);
});
