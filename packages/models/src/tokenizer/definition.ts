/**
 * The schema that a `tokenizer.json` must fit before anything is built from it: byte-level BPE, sizes within bounds. The format is that of `tokenizers` by Hugging Face; decoder and post-processor are not used here.
 */
import { z } from 'zod';

/** Fifteen times the vocabulary of the Qwen family. */
const MAX_TOKENS = 2 ** 21;
const MAX_PATTERN_LENGTH = 10_000;
const MAX_STEPS = 8;

const id = z.number().int().nonnegative().max(MAX_TOKENS);
const flag = z.boolean().optional();
const pattern = z.string().max(MAX_PATTERN_LENGTH);

const preTokenizerStep = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('ByteLevel'), add_prefix_space: flag, trim_offsets: flag, use_regex: flag }),
  z.looseObject({
    type: z.literal('Split'),
    pattern: z.union([z.object({ Regex: pattern }), z.object({ String: pattern })]),
    behavior: z.string().optional(),
    invert: flag,
  }),
  z.looseObject({ type: z.literal('Digits'), individual_digits: flag }),
]);
const normalizerStep = z.looseObject({ type: z.enum(['NFC', 'NFD', 'NFKC', 'NFKD']) });

const definitionSchema = z.looseObject({
  model: z.looseObject({
    type: z.literal('BPE'),
    vocab: z.record(z.string(), id),
    merges: z.union([z.array(z.string().regex(/^\S+ \S+$/)), z.array(z.tuple([z.string(), z.string()]))]),
    unk_token: z.string().nullish(),
    continuing_subword_prefix: z.literal('').nullish(),
    continuing_subword_suffix: z.literal('').nullish(),
    end_of_word_suffix: z.literal('').nullish(),
    byte_fallback: flag,
    ignore_merges: flag,
  }),
  added_tokens: z.array(
    z.looseObject({
      id,
      content: z.string().min(1),
      special: flag,
      lstrip: flag,
      rstrip: flag,
      single_word: flag,
      normalized: flag,
    }),
  ),
  normalizer: z
    .union([
      normalizerStep,
      z.looseObject({ type: z.literal('Sequence'), normalizers: z.array(normalizerStep).max(MAX_STEPS) }),
    ])
    .nullable(),
  pre_tokenizer: z
    .union([
      preTokenizerStep,
      z.looseObject({ type: z.literal('Sequence'), pretokenizers: z.array(preTokenizerStep).max(MAX_STEPS) }),
    ])
    .nullable(),
});

/** @returns The parts of a definition that encoding uses, or a description of what is wrong with it. */
export function checkDefinition(definition: unknown): object | string {
  const result = definitionSchema.safeParse(definition);
  if (result.success) return { ...result.data, decoder: null, post_processor: null };
  const [issue] = result.error.issues;
  return `${issue?.path.join('.').slice(0, 80) || 'the whole'}: ${issue?.message ?? 'not as expected'}`;
}
