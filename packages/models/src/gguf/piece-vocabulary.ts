/**
 * A vocabulary of SentencePiece (`tokenizer.ggml.model` = `llama`) as BPE with merges, as in the `tokenizer.json` of Llama 2.
 *
 * The file has a score per piece and no merges: of two neighbors that make a piece together, those with the highest score are
 * joined first, bytes take the place of what is in no piece, and a text begins with a blank (`llm_tokenizer_spm` in
 * `src/llama-vocab.cpp` of ggml-org/llama.cpp). Each way to divide a piece into two is a merge here, those of one piece in the
 * order of huggingface/transformers (`convert_slow_tokenizer.py`, `generate_merges`). `tokenizer-files.test.ts` compares with
 * ids of the library sentencepiece.
 */
import { BLANK } from '../tokenizer/pieces.js';
import { GgufInvalidError, GgufUnsupportedError } from './errors.js';
import type { Fields } from './fields.js';

const NORMAL = 1;

/** Characters of a piece, which bound the ways to divide it. SentencePiece makes pieces of up to 16 by default. */
const MAX_PIECE = 256;

/** The parts of `tokenizer.json` that differ between the kinds of vocabularies. */
export interface KindParts {
  readonly normalizer: object | null;
  readonly preTokenizer: object | null;
  readonly decoder: object;
  /** Keys of the model besides those that both kinds have. */
  readonly model: object;
}

/** @throws {GgufUnsupportedError} Texts are changed in a way that is not read here. @throws {GgufInvalidError} */
export function readPieces(fields: Fields, tokens: readonly string[], types: ArrayLike<number>): KindParts {
  for (const key of ['tokenizer.ggml.remove_extra_whitespaces', 'tokenizer.ggml.precompiled_charsmap']) {
    const value = fields.get(key);
    if (value === undefined || value === false) continue;
    throw new GgufUnsupportedError(fields.path, `it sets ${key}, which changes texts before they are divided`, {
      value: key,
      expected: 'texts that stay as they are',
    });
  }
  const startsWithBlank = fields.flag('tokenizer.ggml.add_space_prefix') ?? true;
  const blanks = { type: 'Replace', pattern: { String: ' ' }, content: BLANK };
  const back = [
    { type: 'Replace', pattern: { String: BLANK }, content: ' ' },
    { type: 'ByteFallback' },
    { type: 'Fuse' },
  ];
  const strip = { type: 'Strip', content: ' ', start: 1, stop: 0 };
  return {
    normalizer: startsWithBlank
      ? { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: BLANK }, blanks] }
      : blanks,
    preTokenizer: null,
    decoder: { type: 'Sequence', decoders: startsWithBlank ? [...back, strip] : back },
    model: {
      unk_token: tokens[fields.token('tokenizer.ggml.unknown_token_id', tokens.length) ?? -1] ?? null,
      fuse_unk: true,
      byte_fallback: true,
      ignore_merges: false,
      merges: mergesOf(fields.path, tokens, types, scoresOf(fields, tokens.length)),
    },
  };
}

function scoresOf(fields: Fields, tokens: number): Float32Array {
  const scores = fields.floats('tokenizer.ggml.scores');
  if (scores.length === tokens && scores.every(Number.isFinite)) return scores;
  throw new GgufInvalidError(
    fields.path,
    `it has ${tokens} tokens and ${scores.length} scores, or one that is not finite`,
    {
      value: scores.length,
      expected: `${tokens} finite numbers`,
    },
  );
}

interface Merge {
  readonly parts: readonly [string, string];
  readonly score: number;
  /** Characters of both parts. */
  readonly lengths: readonly [number, number];
}

/** The first are done first. */
function mergesOf(
  path: string,
  tokens: readonly string[],
  types: ArrayLike<number>,
  scores: Float32Array,
): [string, string][] {
  const pieces = new Set(tokens.filter((_, id) => types[id] === NORMAL));
  const merges: Merge[] = [];
  for (const [id, piece] of tokens.entries()) {
    const characters = types[id] === NORMAL ? [...piece] : [];
    if (characters.length > MAX_PIECE) {
      throw new GgufUnsupportedError(path, `the piece ${id} has ${characters.length} characters`, {
        value: characters.length,
        expected: `at most ${MAX_PIECE}`,
      });
    }
    for (let at = 1; at < characters.length; at += 1) {
      const parts = [characters.slice(0, at).join(''), characters.slice(at).join('')] as const;
      if (!pieces.has(parts[0]) || !pieces.has(parts[1])) continue;
      merges.push({ parts, score: scores[id]!, lengths: [at, characters.length - at] });
    }
  }
  // the sort is stable: merges of one piece are in the order of the lengths of their first parts
  merges.sort((a, b) => b.score - a.score || b.lengths[0] - a.lengths[0] || b.lengths[1] - a.lengths[1]);
  return merges.map(({ parts }) => [...parts]);
}
