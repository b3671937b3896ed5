import { expect, it } from 'vitest';
import { errorLine } from './error-line.js';

it('is the line with the code, and not the hint after it', () => {
  const hint = '  expected: one run\n  hint: wait until it ends\n';
  expect(errorLine(`training 3 %\nFOLDER_LOCKED Another process uses the folder.\n${hint}`)).toBe(
    'FOLDER_LOCKED Another process uses the folder.',
  );
});

it('is the last line of a program that says it in its own words', () => {
  expect(errorLine('loading\nTypeError: x is undefined\n')).toBe('TypeError: x is undefined');
  expect(errorLine('\n')).toBeUndefined();
});
