import { describe, expect, it } from 'vitest';
import { mergeDeep } from './merge-deep.js';
import {
  checkedInteger,
  checkedNumber,
  checkedOneOf,
  checkNames,
  InvalidOptionError,
  withDefaults,
} from './options.js';

const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error as InvalidOptionError;
  }
  throw new Error('nothing was refused');
};

describe('an option', () => {
  it('passes if it is valid', () => {
    expect(checkedInteger('size', 3, 1, 3)).toBe(3);
    expect(checkedNumber('rate', 0.5, 0, 1)).toBe(0.5);
    expect(checkedOneOf('view', 'top', ['agent', 'top'])).toBe('top');
    checkNames('options', { size: undefined }, ['size']);
  });

  it.each([
    [() => checkedInteger('size', 1.5, 1, 3), 'size', 'an integer from 1 to 3'],
    [() => checkedInteger('size', '2', 1, 3), 'size', 'an integer from 1 to 3'],
    [() => checkedInteger('size', 0, 1), 'size', 'an integer 1 or more'],
    [() => checkedNumber('rate', Number.NaN, 0, 1), 'rate', 'a number from 0 to 1'],
    [() => checkedNumber('rate', Number.POSITIVE_INFINITY, 0, 1e9), 'rate', 'a number from 0 to 1000000000'],
    [() => checkedOneOf('view', 'front', ['agent', 'top']), 'view', "'agent', 'top'"],
  ])('is refused with its name, its value and what was expected: %s', (act, option, expected) => {
    const error = refusal(act);
    expect(error).toBeInstanceOf(InvalidOptionError);
    expect(error).toMatchObject({ code: 'INVALID_OPTION', option, expected });
  });

  it('has its default where it is missing or undefined', () => {
    expect(withDefaults({ rate: 1, name: 'a', on: true }, { rate: undefined, on: false })).toEqual({
      rate: 1,
      name: 'a',
      on: false,
    });
  });

  it('shows NaN and infinities by name', () => {
    expect(refusal(() => checkedNumber('rate', Number.NaN, 0, 1)).message).toContain('Invalid rate: NaN.');
  });

  it.each([
    ['siez', 'did you mean "size"?'],
    ['color', 'known: size, view'],
  ])('that does not exist is refused with the next step: %s', (option, hint) => {
    expect(refusal(() => checkNames('options', { [option]: 1 }, ['size', 'view']))).toMatchObject({
      code: 'UNKNOWN_OPTION',
      option,
      hint,
    });
  });
});

it('layers of options keep a key named `__proto__`, so that a check can name it', () => {
  const layer = (text: string) => JSON.parse(text) as Record<string, unknown>;
  const merged = mergeDeep(layer('{"a":{"__proto__":{"x":1}}}'), layer('{"a":{"__proto__":{"y":2}},"__proto__":3}'));
  expect(JSON.stringify(merged)).toBe('{"a":{"__proto__":{"x":1,"y":2}},"__proto__":3}');
});
