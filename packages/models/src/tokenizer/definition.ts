/**
 * The schema that a `tokenizer.json` must fit before anything is built from it: BPE over bytes or over pieces, sizes within
 * bounds. The format is that of `tokenizers` by Hugging Face; the post-processor is not used here, the decoder of bytes neither.
 */
import { isRecord } from '@vlgym/core/internal';
import { z } from 'zod';
import { BLANK, missingByte } from './pieces.js';

/** Seven times the vocabulary of the Qwen family; as many merges. */
const MAX_TOKENS = 2 ** 20;
/** Characters of all added tokens: the tokenizer keeps a tree of them, a node for each. Published ones have some thousands. */
const MAX_ADDED_CHARACTERS = 2 ** 18;
const MAX_PATTERN_LENGTH = 10_000;
const MAX_STEPS = 8;

const id = z.number().int().nonnegative().max(MAX_TOKENS);
const flag = z.boolean().optional();
const pattern = z.string().max(MAX_PATTERN_LENGTH);

interface Split {
  readonly pattern: { readonly Regex: string } | { readonly String: string };
  readonly behavior: string;
  readonly invert?: boolean | undefined;
}

/** `@huggingface/tokenizers` divides texts as `tokenizers` does with these alone; `definition.test.ts` compares. */
function isRead({ pattern, behavior, invert = false }: Split): boolean {
  if (behavior === 'Isolated') return !invert;
  if ('Regex' in pattern) return behavior === 'Removed';
  // finds nothing in pieces, whose blanks are written otherwise
  return pattern.String === ' ' && behavior === 'MergedWithPrevious' && !invert;
}

const preTokenizerStep = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('ByteLevel'), add_prefix_space: flag, trim_offsets: flag, use_regex: flag }),
  z
    .looseObject({
      type: z.literal('Split'),
      pattern: z.union([z.object({ Regex: pattern }), z.object({ String: pattern })]),
      behavior: z.string(),
      invert: flag,
    })
    .refine(isRead, 'expected behavior "Isolated" without invert, or "Removed" with a Regex'),
  z.looseObject({ type: z.literal('Digits'), individual_digits: flag }),
  z.looseObject({
    type: z.literal('Metaspace'),
    replacement: z.literal(BLANK),
    prepend_scheme: z.enum(['always', 'first', 'never']),
    split: z.literal(false),
  }),
]);
const unicodeStep = z.looseObject({ type: z.enum(['NFC', 'NFD', 'NFKC', 'NFKD']) });

const replace = (from: string, to: string) =>
  z.looseObject({
    type: z.literal('Replace'),
    pattern: z.strictObject({ String: z.literal(from) }),
    content: z.literal(to),
  });
const normalizerStep = z.union([
  unicodeStep,
  z.looseObject({ type: z.literal('Prepend'), prepend: z.literal(BLANK) }),
  replace(' ', BLANK),
]);

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
      single_word: z.literal(false, 'expected false: such tokens are read inside words too').optional(),
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

type Definition = z.output<typeof definitionSchema>;

/** How pieces become text. */
export interface PieceRules {
  /** A blank at the beginning of a text is left out. */
  readonly stripsStart: boolean;
}

/** A definition that fits. */
export interface CheckedDefinition {
  /** The parts that encoding uses. */
  readonly definition: object;
  /** Null for a vocabulary of bytes. */
  readonly pieces: PieceRules | null;
}

/** @returns A description of what is wrong with a definition that does not fit. */
export function checkDefinition(definition: unknown): CheckedDefinition | string {
  const excess = excessOf(definition);
  if (excess !== undefined) return excess;
  const result = definitionSchema.safeParse(definition);
  if (!result.success) return problem(result.error);
  const contested = contestedBlanks(result.data);
  if (contested !== undefined) return contested;
  const pre_tokenizer = withNumbers(result.data.pre_tokenizer);
  const checked = { ...result.data, pre_tokenizer, decoder: null, post_processor: null };
  const steps = [...normalizerSteps(result.data), ...preTokenizerSteps(result.data)].map(({ type }) => type);
  if (result.data.model.byte_fallback !== true || steps.includes('ByteLevel')) {
    const wrong = steps.find((type) => OF_PIECES.has(type)) ?? preTokenizerSteps(result.data).find(splitsNothing)?.type;
    if (wrong !== undefined) return `${wrong}: only in a vocabulary of pieces, with \`byte_fallback\``;
    return { definition: checked, pieces: null };
  }
  return piecesOf(result.data, definition, checked);
}

/** Steps that make pieces of a text. */
const OF_PIECES: ReadonlySet<string> = new Set(['Prepend', 'Replace', 'Metaspace']);

const stripStep = z.looseObject({
  type: z.literal('Strip'),
  content: z.literal(' '),
  start: z.literal(1),
  stop: z.literal(0),
});
const backSteps = [
  replace(BLANK, ' '),
  z.looseObject({ type: z.literal('ByteFallback') }),
  z.looseObject({ type: z.literal('Fuse') }),
] as const;
const decoderSchema = z.object({
  decoder: z.looseObject({
    type: z.literal('Sequence'),
    decoders: z.union([z.tuple([...backSteps]), z.tuple([...backSteps, stripStep])]),
  }),
});

function piecesOf(data: Definition, whole: unknown, checked: object): CheckedDefinition | string {
  const decoder = decoderSchema.safeParse(whole);
  if (!decoder.success) return `decoder: must be Replace, ByteFallback, Fuse, and Strip or nothing`;
  const other = preTokenizerSteps(data).find((step) => step.type !== 'Metaspace' && !splitsNothing(step));
  if (other) return `pre_tokenizer: ${other.type} splits what pieces may join`;
  const steps = normalizerSteps(data).map(({ type }) => type);
  if (preTokenizerSteps(data).some(splitsNothing) && !steps.includes('Replace'))
    return 'pre_tokenizer: Split divides at blanks that the normalizer does not replace';
  const changed = data.added_tokens.find(({ special, normalized }) => normalized === true && special !== true);
  if (changed && steps.includes('Prepend'))
    return `added_tokens: ${JSON.stringify(changed.content)} is \`normalized\`, which puts a blank before it`;
  const missing = missingByte(data.model.vocab);
  if (missing !== undefined) return `model.vocab: it lacks ${missing}`;
  return { definition: checked, pieces: { stripsStart: decoder.data.decoder.decoders.length > backSteps.length } };
}

type PreTokenizerStep = z.output<typeof preTokenizerStep>;
type NormalizerStep = z.output<typeof normalizerStep>;

/** Blanks are written otherwise before a text is split. */
const splitsNothing = (step: PreTokenizerStep): boolean =>
  step.type === 'Split' && 'String' in step.pattern && step.behavior !== 'Isolated';

/** Tokens that include the blanks next to them, beside others that begin or end with blanks: who gets them is not settled here. */
function contestedBlanks({ added_tokens: added }: Definition): string | undefined {
  const greedy = added.find(({ lstrip, rstrip }) => lstrip === true || rstrip === true);
  const other = greedy && added.find((token) => token !== greedy && token.content !== token.content.trim());
  if (!other) return undefined;
  const [first, second] = [greedy.content, other.content].map((content) => JSON.stringify(content));
  return `added_tokens: ${first} strips blanks that ${second} has`;
}

/** Digits are what Unicode calls numbers (`char::is_numeric`), not 0 to 9 alone: as a pattern. */
function withNumbers(part: Definition['pre_tokenizer']): Definition['pre_tokenizer'] {
  if (part?.type === 'Sequence') {
    const pretokenizers = (part.pretokenizers as PreTokenizerStep[]).map((step) => withNumbers(step));
    return { ...part, pretokenizers } as Definition['pre_tokenizer'];
  }
  if (part?.type !== 'Digits') return part;
  const Regex = (part as { readonly individual_digits?: unknown }).individual_digits === true ? NUMBER : NUMBERS;
  return { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false };
}

const NUMBER = '\\p{N}';
const NUMBERS = '\\p{N}+';

function preTokenizerSteps({ pre_tokenizer: part }: Definition): PreTokenizerStep[] {
  if (part === null) return [];
  return part.type === 'Sequence' ? (part.pretokenizers as PreTokenizerStep[]) : [part as PreTokenizerStep];
}

function normalizerSteps({ normalizer: part }: Definition): NormalizerStep[] {
  if (part === null) return [];
  return part.type === 'Sequence' ? (part.normalizers as NormalizerStep[]) : [part as NormalizerStep];
}

function problem({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.').slice(0, 80) || 'the whole'}: ${issue?.message ?? 'not as expected'}`;
}

/**
 * Those of the Qwen family, of Llama 3, and of our own `tiny` and `small`: read in linear time, so no timer has to watch them.
 * An alternative that repeats fails after one walk over what it repeats, and the next one takes all of that.
 */
const LINEAR = new Set([
  NUMBER,
  NUMBERS,
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  '\\p{N}| ?[+*/=()\\-](?: (?=\\p{N}))?|[^\\s\\p{L}\\p{N}+*/=()\\-]+(?: [^\\s\\p{L}\\p{N}+*/=()\\-]+)*(?: (?=\\p{N}))?| ?\\p{L}+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  '\\p{Lu}(?=[\\p{Lu}\\p{N}])|(?<=\\p{Lu})\\p{N}|\\p{N}(?=\\p{Lu})|[\\]"}]*[{,]? ?"\\p{L}+": ?["\\[]?| \\[SEP\\] |[.,] (?:The|On the|In it|you see)(?: nothing)?(?=[ .,])|, (?:and )?a(?= )|(?:You|Your|On|In|Looking)(?: \\p{Ll}+(?!\\p{L}| \\p{N})){1,6}| ?\\p{N}{1,3}| ?[+*/=()\\-](?: (?=\\p{N}))?|[^\\s\\p{L}\\p{N}+*/=()\\-]+(?: [^\\s\\p{L}\\p{N}+*/=()\\-]+)*(?: (?=\\p{N}))?| ?\\p{L}+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
]);

/** Does it split texts with an expression that nobody has looked at? @param checked  What `checkDefinition` returned. */
export function hasUnknownPattern(checked: object): boolean {
  return preTokenizerSteps(checked as Definition).some(
    (step) => step.type === 'Split' && 'Regex' in step.pattern && !LINEAR.has(step.pattern.Regex),
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
