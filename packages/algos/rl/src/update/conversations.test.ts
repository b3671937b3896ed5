/** Which sequences are read in one pass. */
import type { Image } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sequence } from '../policy.js';
import { conversations } from './conversations.js';

const picture = (byte: number): Image => ({ data: Uint8Array.of(byte, byte, byte), height: 1, width: 1, channels: 3 });
const sequence = (promptIds: number[], responseIds: number[], images: Image[] = []): Sequence => ({
  input: { promptIds: Int32Array.from(promptIds), images },
  responseIds: Int32Array.from(responseIds),
});

/** The definition, in its own words. */
function continues(later: Sequence, earlier: Sequence): boolean {
  const begins = (long: string, short: string) => long.startsWith(short);
  const text = (ids: Iterable<number>) => [...ids].map((id) => `${id},`).join('');
  const bytes = ({ input }: Sequence) => input.images.map(({ data }) => `${data[0]};`).join('');
  const read = text([...earlier.input.promptIds, ...earlier.responseIds.slice(0, -1)]);
  const isLonger = later.input.promptIds.length > earlier.input.promptIds.length;
  return isLonger && begins(text(later.input.promptIds), read) && begins(bytes(later), bytes(earlier));
}

describe('conversations', () => {
  it('are turns whose prompts hold the turns before them', () => {
    const first = sequence([1, 2], [3, 9]);
    const second = sequence([1, 2, 3, 9, 4], [5, 9]);
    const third = sequence([1, 2, 3, 9, 4, 5, 9, 6], [7]);
    const other = sequence([1, 2, 3, 9, 8], [5, 9]);
    expect(conversations([second, other, first, third])).toEqual([[1], [2, 0, 3]]);
  });

  it.each([
    ['the same prompt, answered twice', sequence([1, 2], [3]), sequence([1, 2], [4, 5])],
    ['the same answer to the same prompt', sequence([1, 2], [3, 4]), sequence([1, 2], [3, 4])],
    ['a response that the later prompt holds in other tokens', sequence([1], [3, 4, 9]), sequence([1, 34, 9, 5], [6])],
    ['another picture', sequence([1], [2], [picture(1)]), sequence([1, 2, 3], [4], [picture(2), picture(1)])],
    ['a picture that is left out later', sequence([1], [2], [picture(1)]), sequence([1, 2, 3], [4])],
  ])('are not: %s', (_, a, b) => {
    expect(conversations([a, b])).toEqual([[0], [1]]);
  });

  it('know pictures by their pixels', () => {
    const [a, b] = [sequence([1], [2], [picture(1)]), sequence([1, 2, 3], [4], [picture(1), picture(2)])];
    expect(conversations([a, b])).toEqual([[0, 1]]);
  });

  it('hold every sequence once, the longest continues the others of a group, and nothing is alone that need not be', () => {
    const ids = (min: number, max: number) =>
      fc.array(fc.integer({ min: 1, max: 2 }), { minLength: min, maxLength: max });
    const images = fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 2 });
    const sequences = fc.array(fc.tuple(ids(1, 6), ids(1, 3), images), { maxLength: 12 });
    fc.assert(
      fc.property(sequences, (drawn) => {
        const all = drawn.map(([prompt, response, pictures]) => sequence(prompt, response, pictures.map(picture)));
        const groups = conversations(all);
        expect(groups.flat().sort((a, b) => a - b)).toEqual([...all.keys()]);
        for (const group of groups) {
          const longest = all[group.at(-1)!]!;
          for (const i of group.slice(0, -1)) expect(continues(longest, all[i]!)).toBe(true);
          for (const other of groups) if (other !== group) expect(continues(all[other.at(-1)!]!, longest)).toBe(false);
        }
      }),
    );
  });
});
