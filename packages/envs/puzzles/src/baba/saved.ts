/** A game as JSON data, and back. A damaged one is refused before it plays. */
import { option } from '@vlgym/core';
import { z } from 'zod';
import { BabaGame, LEVEL_STEPS } from './game.js';
import { Grid } from './grid.js';
import { BORDER, COLORS, OBJECTS, type Thing, WORDS, wordBlock } from './things.js';

/** Steps lay at most one thing on every cell. */
const MAX_STACK = 10 * LEVEL_STEPS;

const savedThing = z.union([
  z.literal('border'),
  option.oneOf(WORDS),
  z.tuple([option.oneOf(OBJECTS), option.oneOf(COLORS), option.integer(0, 3), option.boolean()]),
]);

/** The schema of a saved game of this size. */
export const savedBaba = (width: number, height: number) =>
  z
    .strictObject({
      steps: option.integer(0, LEVEL_STEPS),
      direction: option.integer(0, 3),
      at: z.tuple([option.integer(0, width - 1), option.integer(0, height - 1)]),
      stacks: z.array(z.array(savedThing).max(MAX_STACK)).length(width * height),
    })
    .refine(
      ({ stacks }) =>
        stacks.every((stack, at) => {
          const [x, y] = [at % width, Math.floor(at / width)];
          const isOutside = x === 0 || y === 0 || x === width - 1 || y === height - 1;
          return stack.includes('border') === isOutside && (!isOutside || stack.at(-1) === 'border');
        }),
      { error: 'a border around the level, and only there' },
    );

type SavedBaba = z.output<ReturnType<typeof savedBaba>>;

export const saveBaba = ({ steps, direction, at, grid }: BabaGame): SavedBaba => ({
  steps,
  direction,
  at: [...at],
  stacks: grid.stacks.map((stack) =>
    stack.map((thing) => {
      if (thing.kind === 'border') return thing.kind;
      if (thing.kind === 'word') return thing.word;
      return [thing.name, thing.color, thing.direction, thing.hasMoved];
    }),
  ),
});

export function loadBaba({ stacks, ...state }: SavedBaba, width: number, height: number): BabaGame {
  const things = stacks.map((stack) =>
    stack.map((saved): Thing => {
      if (saved === 'border') return BORDER;
      if (typeof saved === 'string') return wordBlock(saved);
      const [name, color, direction, hasMoved] = saved;
      return { kind: 'item', name, color, direction, hasMoved };
    }),
  );
  return new BabaGame(new Grid(width, height, things), state);
}
