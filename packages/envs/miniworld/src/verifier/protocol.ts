/** The answers of `python/original.py`. */
import { z } from 'zod';

const numbers = z.array(z.number());

/** The agent, the entities in order, and the index of the carried one or -1. */
const state = z.tuple([numbers, z.array(numbers), z.int()]);
/** State, increment, and the buffered half of NumPy's PCG64. */
const generator = z.tuple([z.string(), z.string(), z.int(), z.int()]);
/** Base64 of bytes and of 32-bit floats, rows from the top. */
const view = z.object({ rgb: z.base64(), depth: z.base64() }).nullable();

export const playedSchema = z.object({
  start: z.object({ state, generator, view }),
  rows: z.array(z.tuple([z.number(), z.boolean(), z.boolean(), state])),
  generator,
  view,
});

export type Played = z.output<typeof playedSchema>;
export type State = z.output<typeof state>;
export type GeneratorState = z.output<typeof generator>;
