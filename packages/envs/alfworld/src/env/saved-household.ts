/** Schema of the state of a household environment; a snapshot must match it before it is restored. */
import { generatorState, savedCount } from '@vlgym/core';
import { z } from 'zod';

/** Maximum length of texts, UTF-16 units. */
const MAX_TEXT = 100_000;
/** Maximum number of facts of a relation, relations, and numbers in a list. */
const MAX_ENTRIES = 100_000;

const text = z.string().max(MAX_TEXT);
const numbers = z.array(savedCount).max(MAX_ENTRIES);

const info = z.looseObject({
  won: z.boolean(),
  success: z.boolean(),
  admissibleCommands: z.array(text).max(MAX_ENTRIES),
  task: text,
  taskType: text,
  game: text,
  split: text,
  goalConditionSuccessRate: z.number().min(0).max(1),
  steps: savedCount,
  legal: z.boolean(),
  rewardParts: z.record(text, z.number()).optional(),
});

const episode = z.strictObject({
  game: text,
  /** Distinguishes games with different objects. */
  objects: savedCount,
  nameSeed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .optional(),
  /** `Play.load` checks names and numbers against the game. */
  play: z.strictObject({ moves: savedCount, facts: z.record(text, z.array(numbers).max(MAX_ENTRIES)) }),
  observation: text,
  steps: savedCount,
  best: savedCount,
  repeated: z.tuple([text, savedCount]),
  memory: numbers,
  end: z.strictObject({ reward: z.number(), terminated: z.boolean(), truncated: z.boolean(), info }).nullable(),
});

export const SAVED_HOUSEHOLD = z.strictObject({
  /** Checked by the source of games. */
  source: z.unknown(),
  rng: generatorState,
  episode: episode.nullable(),
});
