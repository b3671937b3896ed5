import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchAction } from './match-action.js';

describe('matchAction', () => {
  it.each([
    ['exact beats case', 'A', ['a', 'A'], 1],
    ['case does not matter', 'HIT', ['stand', 'hit'], 1],
    ['the longest at one position', 'I take mug 1 from desk 1!', ['take mug 1', 'take mug 1 from desk 1', 'desk 1'], 1],
    ['the same action twice', 'look, yes: look', ['look'], 0],
    ['a number at the end of a sentence', 'I take 5.', ['5'], 0],
    ['a minus that is an action', '-', ['-', '+'], 0],
    ['letters of other scripts', 'idź na północ!', ['południe', 'północ'], 1],
    ['symbols need no blanks', '"="', ['=', '+'], 0],
  ] as const)('finds it: %s', (_name, text, actions, index) => {
    expect(matchAction(text, actions)).toEqual({ kind: 'found', index });
  });

  it.each([
    ['a negative number', '-1', ['0', '1']],
    ['part of a word with letters of other scripts', 'północny', ['północ']],
    ['part of an identifier', 'go_left', ['left']],
    ['a mathematical letter before', '𝐀left', ['left']],
    ['no actions', 'left', []],
    ['an empty action', 'left', ['']],
  ] as const)('finds none: %s', (_name, text, actions) => {
    expect(matchAction(text, actions)).toEqual({ kind: 'none' });
  });

  it('names two contradicting actions', () => {
    expect(matchAction('stand or hit', ['stand', 'hit'])).toEqual({ kind: 'ambiguous', indices: [0, 1] });
  });

  it('finds every action by its own text, for any list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), (actions, pick) => {
        const index = pick % actions.length;
        expect(matchAction(actions[index]!, actions)).toEqual({ kind: 'found', index });
      }),
    );
  });
});
