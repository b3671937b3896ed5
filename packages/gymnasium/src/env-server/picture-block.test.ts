import { spaces } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PictureBlock } from './picture-block.js';

const [COUNT, HEIGHT, WIDTH] = [3, 40, 5];
const ROW = WIDTH * 3;

/** The client's part: the last block with the changed rows inserted. */
function receive(last: Uint8Array, answer: ReturnType<PictureBlock['answer']>): number {
  if ('stacked' in answer) {
    last.set(answer.stacked.data as unknown as Uint8Array);
    return answer.stacked.data.length;
  }
  const rows = answer.rows.data as unknown as Uint8Array;
  const ranges = answer.changed.data as unknown as Int32Array;
  let used = 0;
  for (let at = 0; at < ranges.length; at += 3) {
    const [index, top, bottom] = [ranges[at]!, ranges[at + 1]!, ranges[at + 2]!];
    last.set(rows.subarray(used, used + (bottom - top) * ROW), (index * HEIGHT + top) * ROW);
    used += (bottom - top) * ROW;
  }
  expect(used).toBe(rows.length);
  return rows.length;
}

describe('a block of pictures', () => {
  it('is at the client what it is here, whatever changes between two answers', () => {
    const change = fc.record({ at: fc.nat(COUNT * HEIGHT * ROW - 1), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 6 }), (rounds) => {
        const block = PictureBlock.of(spaces.image({ height: HEIGHT, width: WIDTH, channels: 3 }), COUNT)!;
        const last = new Uint8Array(block.frames.length);
        receive(last, block.answer());
        for (const round of rounds) {
          for (const { at, value } of round) block.frames[at] = value;
          receive(last, block.answer());
          expect(Buffer.compare(last, block.frames)).toBe(0);
        }
      }),
    );
  });

  it('compares what was drawn and nothing else, where environments mark it', () => {
    const block = PictureBlock.of(spaces.image({ height: HEIGHT, width: WIDTH, channels: 3 }), COUNT)!;
    const last = new Uint8Array(block.frames.length);
    for (const drawn of block.drawn) drawn.mark(0, HEIGHT);
    receive(last, block.answer());
    block.frames.fill(1, 10 * ROW, 12 * ROW);
    block.drawn[0]!.mark(5, 30);
    expect(receive(last, block.answer())).toBe(2 * ROW);
    expect(Buffer.compare(last, block.frames)).toBe(0);
    block.frames.fill(2, 10 * ROW, 12 * ROW); // not marked
    expect(receive(last, block.answer())).toBe(0);
    block.drawn[0]!.mark(11, 12);
    expect(receive(last, block.answer())).toBe(ROW);
  });

  it('costs the rows that changed', () => {
    const block = PictureBlock.of(spaces.image({ height: HEIGHT, width: WIDTH, channels: 3 }), COUNT)!;
    const last = new Uint8Array(block.frames.length);
    expect(receive(last, block.answer())).toBe(block.frames.length);
    expect(receive(last, block.answer())).toBe(0);
    block.frames.fill(1, (HEIGHT + 20) * ROW, (HEIGHT + 23) * ROW);
    expect(receive(last, block.answer())).toBe(3 * ROW);
  });
});
