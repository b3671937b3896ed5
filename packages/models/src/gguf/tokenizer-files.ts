/**
 * `tokenizer.json` and `tokenizer_config.json` out of the metadata: byte-level BPE, split as the name of the pre-tokenizer says,
 * or the pieces of SentencePiece (`piece-vocabulary.ts`).
 *
 * Keys and types of tokens: GGUF of ggml-org/ggml, "Tokenizer". Expressions by name: `src/llama-vocab.cpp` of
 * ggml-org/llama.cpp, written here as in the `tokenizer.json` of the models that bear the name.
 */
import { show } from '@vlgym/core';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { GgufInvalidError, GgufUnsupportedError } from './errors.js';
import type { Fields } from './fields.js';
import { type KindParts, readPieces } from './piece-vocabulary.js';

/** Types of tokens. */
const UNKNOWN = 2;
const CONTROL = 3;
const USER_DEFINED = 4;
const UNUSED = 5;

const WORDS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+";
const REST = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
const byteLevel = (usesRegex: boolean) => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: usesRegex,
  use_regex: usesRegex,
});
const split = (pattern: string) => [
  { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
  byteLevel(false),
];

interface Splitting {
  readonly steps: readonly object[];
  readonly normalizer?: object;
  /** Is a piece that is a token taken whole, without merges? */
  readonly ignoresMerges?: boolean;
}

const SPLITTINGS: Readonly<Record<string, Splitting>> = {
  'gpt-2': { steps: [byteLevel(true)] },
  smollm: { steps: [{ type: 'Digits', individual_digits: true }, byteLevel(true)] },
  'llama-bpe': { steps: split(`${WORDS}|\\p{N}{1,3}|${REST}`), ignoresMerges: true },
  qwen2: { steps: split(`${WORDS}|\\p{N}|${REST}`), normalizer: { type: 'NFC' } },
};

export interface TokenIds {
  readonly bos?: number | undefined;
  readonly eos?: number | undefined;
  readonly unknown?: number | undefined;
  readonly padding?: number | undefined;
  /** Ends a turn where this is another token than `eos`. */
  readonly endOfTurn?: number | undefined;
}

export interface TokenizerFiles {
  /** `tokenizer.json`. */
  readonly definition: object;
  /** `tokenizer_config.json`. */
  readonly config: object;
  readonly ids: TokenIds;
}

/** @throws {GgufUnsupportedError} Another kind of vocabulary, or an unknown pre-tokenizer. @throws {GgufInvalidError} */
export function readTokenizer(fields: Fields): TokenizerFiles {
  const kind = readKind(fields);
  const tokens = fields.texts('tokenizer.ggml.tokens');
  const types = fields.integers('tokenizer.ggml.token_type');
  if (types.length !== tokens.length) {
    throw new GgufInvalidError(fields.path, `it has ${tokens.length} tokens and ${types.length} types of tokens`, {
      value: types.length,
      expected: `${tokens.length}`,
    });
  }
  const vocabulary = readVocabulary(fields, tokens, types);
  const ids = readIds(fields, tokens.length);
  const added = tokens.flatMap((content, id) => {
    const special = types[id] === CONTROL || types[id] === UNKNOWN;
    if (!special && types[id] !== USER_DEFINED) return [];
    return [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special }];
  });
  const { normalizer, preTokenizer, decoder, model } = KINDS[kind](fields, tokens, types);
  const definition = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer,
    pre_tokenizer: preTokenizer,
    post_processor: startOfText(fields, { kind, tokens, ids }),
    decoder,
    model: {
      type: 'BPE',
      dropout: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      vocab: Object.fromEntries(vocabulary),
      ...model,
    },
  };
  checkDefinition(fields.path, definition);
  return { definition, config: tokenizerConfig(fields, { kind, tokens, ids, added }), ids };
}

/** By `tokenizer.ggml.model`. */
const KINDS = { gpt2: readBytes, llama: readPieces } as const;
type Kind = keyof typeof KINDS;

function readKind(fields: Fields): Kind {
  const model = fields.text('tokenizer.ggml.model');
  if (model !== undefined && Object.hasOwn(KINDS, model)) return model as Kind;
  throw new GgufUnsupportedError(fields.path, `its tokenizer is ${show(model)}`, {
    value: model,
    expected: 'gpt2, which is byte-level BPE, or llama, which are the pieces of SentencePiece',
    hint: 'choose a model with one of these, for example of the families SmolLM2, Llama, Mistral, Qwen2 or Qwen3',
  });
}

function readBytes(fields: Fields): KindParts {
  const { steps, normalizer = null, ignoresMerges = false } = readSplitting(fields);
  return {
    normalizer,
    preTokenizer: { type: 'Sequence', pretokenizers: steps },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      unk_token: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: ignoresMerges,
      merges: fields.texts('tokenizer.ggml.merges'),
    },
  };
}

function readSplitting(fields: Fields): Splitting {
  const name = fields.text('tokenizer.ggml.pre');
  const splitting = name !== undefined && Object.hasOwn(SPLITTINGS, name) ? SPLITTINGS[name] : undefined;
  if (!splitting) {
    throw new GgufUnsupportedError(fields.path, `its pre-tokenizer is ${show(name)}`, {
      value: name,
      expected: Object.keys(SPLITTINGS).join(', '),
      hint: 'choose a model with one of these; texts would be split into other tokens',
    });
  }
  if (fields.flag('tokenizer.ggml.add_space_prefix')) {
    throw new GgufUnsupportedError(fields.path, 'its tokenizer puts a space in front of texts', {
      value: true,
      expected: 'tokenizer.ggml.add_space_prefix = false',
    });
  }
  return splitting;
}

/** Without tokens that only fill the embedding up. */
function readVocabulary(
  { path }: Fields,
  tokens: readonly string[],
  types: ArrayLike<number>,
): ReadonlyMap<string, number> {
  const vocabulary = new Map<string, number>();
  for (const [id, token] of tokens.entries()) {
    if (types[id] === UNUSED) continue;
    const other = vocabulary.get(token);
    if (other !== undefined) {
      throw new GgufInvalidError(path, `the token ${show(token)} has the ids ${other} and ${id}`, {
        value: token,
        expected: 'each token once',
      });
    }
    vocabulary.set(token, id);
  }
  return vocabulary;
}

function readIds(fields: Fields, tokens: number): TokenIds {
  const id = (name: string) => fields.token(`tokenizer.ggml.${name}_token_id`, tokens);
  return { bos: id('bos'), eos: id('eos'), unknown: id('unknown'), padding: id('padding'), endOfTurn: id('eot') };
}

/** The step of `tokenizers` that puts the first token in front of each text, if the file asks for it. */
function startOfText(
  fields: Fields,
  { kind, tokens, ids: { bos } }: Pick<Texts, 'kind' | 'tokens' | 'ids'>,
): object | null {
  // left out, llama.cpp takes it for set with pieces
  const isAsked = fields.flag('tokenizer.ggml.add_bos_token') ?? kind === 'llama';
  if (!isAsked || bos === undefined) return null;
  const id = tokens[bos]!;
  const first = { SpecialToken: { id, type_id: 0 } };
  const text = (name: string) => ({ Sequence: { id: name, type_id: 0 } });
  return {
    type: 'TemplateProcessing',
    single: [first, text('A')],
    pair: [first, text('A'), text('B')],
    special_tokens: { [id]: { id, ids: [bos], tokens: [id] } },
  };
}

/** Building it finds merges and tokens that are not byte-level BPE. */
function checkDefinition(path: string, definition: object): void {
  try {
    new TextTokenizer(definition, path);
  } catch (cause) {
    throw new GgufInvalidError(path, `its tokenizer cannot be built: ${(cause as Error).message.split('\n')[0]}`, {
      expected: 'the tokens and merges of byte-level BPE, or pieces with all bytes',
      cause,
    });
  }
}

interface Texts {
  readonly kind: Kind;
  readonly tokens: readonly string[];
  readonly ids: TokenIds;
  readonly added: readonly { readonly id: number }[];
}

function tokenizerConfig(fields: Fields, { kind, tokens, ids, added }: Texts): object {
  const texts = { bos_token: ids.bos, eos_token: ids.eos, unk_token: ids.unknown, pad_token: ids.padding };
  const named = Object.entries(texts).filter(([, id]) => id !== undefined);
  const template = fields.text('tokenizer.chat_template');
  return {
    tokenizer_class: 'PreTrainedTokenizerFast',
    // of bytes alone: pieces have it in their normalizer
    ...(kind === 'gpt2' && { add_prefix_space: false }),
    added_tokens_decoder: Object.fromEntries(added.map(({ id, ...token }) => [id, token])),
    ...Object.fromEntries(named.map(([name, id]) => [name, tokens[id!]])),
    clean_up_tokenization_spaces: false,
    model_max_length: fields.size(`${fields.text('general.architecture')}.context_length`),
    ...(template === undefined ? {} : { chat_template: template }),
  };
}
