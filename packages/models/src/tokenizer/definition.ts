/**
 * The schema that a `tokenizer.json` must fit before anything is built from it: byte-level BPE, sizes within bounds. The format is that of `tokenizers` by Hugging Face; decoder and post-processor are not used here.
 */
import { isRecord } from '@vlgym/core/internal';
import { z } from 'zod';

/** Seven times the vocabulary of the Qwen family; as many merges. */
const MAX_TOKENS = 2 ** 20;
/** Characters of all added tokens: the tokenizer keeps a tree of them, a node for each. Published ones have some thousands. */
const MAX_ADDED_CHARACTERS = 2 ** 18;
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
  const excess = excessOf(definition);
  if (excess !== undefined) return excess;
  const result = definitionSchema.safeParse(definition);
  if (result.success) return { ...result.data, decoder: null, post_processor: null };
  const [issue] = result.error.issues;
  return `${issue?.path.join('.').slice(0, 80) || 'the whole'}: ${issue?.message ?? 'not as expected'}`;
}

/** Those of the Qwen family, which take linear time. */
const PUBLISHED = new Set([
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
]);

/** Does it split texts with an expression that nobody has looked at? @param checked  What `checkDefinition` returned. */
export function hasOwnPattern(checked: object): boolean {
  const { pre_tokenizer: first } = checked as z.output<typeof definitionSchema>;
  const steps = first === null ? [] : 'pretokenizers' in first ? first.pretokenizers : [first];
  return (steps as z.output<typeof preTokenizerStep>[]).some(
    (step) => step.type === 'Split' && 'Regex' in step.pattern && !PUBLISHED.has(step.pattern.Regex),
  );
}

/** The part that is too large, reported before anything is copied: a definition of 64 MB may hold ten million merges. */
function excessOf(definition: unknown): string | undefined {
  const { model, added_tokens: added } = recordOf(definition);
  const { vocab, merges } = recordOf(model);
  const tooMany = (what: string, count: number) => `${what}: ${count} of them, more than ${MAX_TOKENS}`;
  if (Array.isArray(merges) && merges.length > MAX_TOKENS) return tooMany('model.merges', merges.length);
  const tokens = Object.keys(recordOf(vocab)).length;
  if (tokens > MAX_TOKENS) return tooMany('model.vocab', tokens);
  if (!Array.isArray(added)) return undefined;
  const lengths = added.map((token) => lengthOf(recordOf(token).content));
  const characters = lengths.reduce((sum, length) => sum + length, 0);
  return characters > MAX_ADDED_CHARACTERS
    ? `added_tokens: ${characters} characters, more than ${MAX_ADDED_CHARACTERS}`
    : undefined;
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
