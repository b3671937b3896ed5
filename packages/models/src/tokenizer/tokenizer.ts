/**
 * Text to token ids and back, with the exact end of every token in the text.
 *
 * BPE over bytes as in the files of the Qwen family, or over pieces as in those of Llama 2 and Gemma; the merges are done by
 * `@huggingface/tokenizers`. A character may be spread over several tokens: it then belongs to the token that completes it, so
 * that the parts of a response always add up to the whole (`docs/specs/algorithms.md` 3.3). `tokenizer.test.ts` and
 * `pieces.test.ts` pin spans and round trips.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { GymError } from '@vlgym/core';
import { NotReadableFileError, readRegularFile } from '@vlgym/core/internal';
import { tokenBytes } from './byte-level.js';
import { checkDefinition, hasUnknownPattern, type PieceRules } from './definition.js';
import { type Piece, pieceByte, pieceText, pieceTexts } from './pieces.js';
import { startTokenOf } from './start-token.js';
import { withinTime } from './within-time.js';

/** UTF-16 units that a normalizer composes into one, as four into U+1F82. */
const MAX_COMPOSED_UNITS = 4;
/** Six times the size of the Qwen family's file. */
const MAX_FILE_BYTES = 2 ** 26;

/** Time of encoding where the file has a pattern that nobody has looked at: a hundred times what published ones take on a slow machine. */
const MIN_LIMIT_MS = 10_000;
const LIMIT_MS_PER_CHARACTER = 0.02;

/** Texts whose ids are kept: observations of a game, and the instructions of a task, come again and again. */
const KEPT_TEXTS = 256;
const MAX_KEPT_CHARACTERS = 4096;

/** A tokenizer file that is missing, is not JSON, or is not BPE over bytes or pieces. */
export class TokenizerFileError extends GymError {
  constructor(source: string, problem: string, cause?: unknown) {
    super(`Invalid tokenizer ${source}: ${problem}.`, {
      code: 'TOKENIZER_FILE',
      value: source,
      expected: 'a `tokenizer.json` with a BPE model over bytes, or over pieces with byte fallback',
      hint: 'point to the folder of a model with such a tokenizer, as Qwen2.5-VL, Llama 2 and 3, Gemma or SmolLM2 have',
      cause,
    });
  }
}

export interface DecodedTokens {
  /** Without special tokens. Bytes that are not UTF-8 show as U+FFFD. */
  readonly text: string;
  /** [tokens] UTF-16 offset in `text` at which each token ends; never decreases, the last one is `text.length`. */
  readonly tokenEnds: Int32Array;
}

export class TextTokenizer {
  /** One more than the largest id. */
  readonly size: number;
  readonly #tokenizer: Tokenizer;
  /** By id; empty for special tokens, which are not text. */
  readonly #bytes: Uint8Array[] = [];
  readonly #special = new Set<number>();
  /** Maximum number of UTF-16 units that one token covers: its bytes, or the characters of an added token. */
  readonly #maxTokenUnits: number;
  /** By text, the least recently used first. */
  readonly #kept = new Map<string, Int32Array>();
  #sha256: string | undefined;
  readonly #hasUnknownPattern: boolean;
  /** Null for a vocabulary of bytes. */
  readonly #pieces: PieceRules | null;

  /**
   * @param definition  The object of a `tokenizer.json`.
   * @param source      Where it came from, for error messages.
   * @throws {TokenizerFileError}  It is not BPE over bytes or pieces.
   */
  constructor(
    private readonly definition: object,
    source = 'definition',
  ) {
    try {
      const checked = checkDefinition(definition);
      if (typeof checked === 'string') throw new TokenizerFileError(source, checked);
      this.#tokenizer = new Tokenizer(checked.definition, {});
      this.#hasUnknownPattern = hasUnknownPattern(checked.definition);
      this.#pieces = checked.pieces;
    } catch (cause) {
      if (cause instanceof TokenizerFileError) throw cause;
      throw new TokenizerFileError(source, 'it is not in the format of Hugging Face tokenizers', cause);
    }
    const added = this.#tokenizer.get_added_tokens_decoder();
    for (const [token, id] of this.#tokenizer.get_vocab(false)) {
      // no token has this id
      if (token === undefined) continue;
      const bytes = this.#pieces
        ? bytesOfPiece(token)
        : (tokenBytes(token) ?? (added.has(id) ? new Uint8Array() : undefined));
      if (!bytes)
        throw new TokenizerFileError(source, `the token ${JSON.stringify(token)} is not in byte-level encoding`);
      this.#bytes[id] = bytes;
    }
    for (const [id, { content, special }] of added) {
      this.#bytes[id] = special
        ? new Uint8Array()
        : this.#pieces
          ? bytesOfPiece(content)
          : new TextEncoder().encode(content);
      if (special) this.#special.add(id);
    }
    this.size = this.#bytes.length;
    // a token that includes the blanks next to it covers any number of them
    const lengths = [...added.values()].map(({ content, lstrip, rstrip }) =>
      lstrip || rstrip ? Infinity : content.length,
    );
    for (const bytes of this.#bytes) lengths.push(bytes?.length ?? 0);
    this.#maxTokenUnits = lengths.reduce((most, length) => Math.max(most, length), 1);
  }

  /** SHA-256 of the definition in hex: equal where texts become equal ids. */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(JSON.stringify(this.definition)).digest('hex');
    return this.#sha256;
  }

  /**
   * Reads `tokenizer.json` of a model folder.
   * @throws {TokenizerFileError}  The file is missing or not BPE over bytes or pieces.
   */
  static async fromFolder(folder: string): Promise<TextTokenizer> {
    const path = join(folder, 'tokenizer.json');
    let definition: object;
    try {
      definition = JSON.parse(await readRegularFile(path, MAX_FILE_BYTES));
    } catch (cause) {
      if (cause instanceof NotReadableFileError) throw new TokenizerFileError(path, cause.problem, cause);
      throw new TokenizerFileError(path, 'it is missing or not JSON', cause);
    }
    return new TextTokenizer(definition, path);
  }

  /** A lower bound of the number of tokens, without encoding: every token as long as the longest, all characters composed. */
  minTokens(text: string): number {
    return Math.ceil(text.length / (this.#maxTokenUnits * MAX_COMPOSED_UNITS));
  }

  /**
   * Ids of `text`; special tokens written in it count as such, as in the reference. No token is added.
   * @throws {TokenizerFileError}  The vocabulary lacks a part of the text, or a pattern of the file takes too long on it.
   */
  encode(text: string): Int32Array {
    const known = this.#kept.get(text);
    const ids = known ?? this.#idsOf(text);
    if (known) this.#kept.delete(text);
    if (text.length <= MAX_KEPT_CHARACTERS) this.#kept.set(text, ids);
    if (this.#kept.size > KEPT_TEXTS) this.#kept.delete(this.#kept.keys().next().value!);
    return ids.slice();
  }

  #idsOf(text: string): Int32Array {
    const { ids } = this.#encoded(text);
    if (!ids.every(Number.isInteger)) throw new TokenizerFileError('vocabulary', 'it has no token for part of a text');
    return Int32Array.from(ids);
  }

  #encoded(text: string): { readonly ids: number[] } {
    const encode = () => this.#tokenizer.encode(text, { add_special_tokens: false });
    if (!this.#hasUnknownPattern) return encode();
    const limit = Math.ceil(MIN_LIMIT_MS + LIMIT_MS_PER_CHARACTER * text.length);
    try {
      return withinTime(encode, limit);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
      const problem = `a pattern of its pre_tokenizer took more than ${limit / 1000} s on ${text.length} characters`;
      throw new TokenizerFileError('tokenizer.json', problem, cause);
    }
  }

  /** Text of `ids` without special tokens; ids beyond the vocabulary (spare rows of a model) are not text either. */
  decode(ids: ArrayLike<number>): DecodedTokens {
    if (this.#pieces) return this.#decodePieces(Array.from(ids), this.#pieces);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const tokenEnds = new Int32Array(ids.length);
    let text = '';
    for (let i = 0; i < ids.length; i += 1) {
      const id = ids[i]!;
      if (this.#special.has(id)) {
        // a character left unfinished belongs to the token before this one
        text += decoder.decode();
        if (i > 0) tokenEnds[i - 1] = text.length;
      } else {
        text += decoder.decode(this.#bytes[id] ?? new Uint8Array(), { stream: true });
      }
      tokenEnds[i] = text.length;
    }
    text += decoder.decode();
    if (ids.length > 0) tokenEnds[ids.length - 1] = text.length;
    return { text, tokenEnds };
  }

  #decodePieces(ids: readonly number[], { stripsStart }: PieceRules): DecodedTokens {
    const pieces = ids.map((id): Piece => {
      const token = this.#special.has(id) ? undefined : this.token(id);
      return token === undefined ? undefined : (pieceByte(token) ?? pieceText(token));
    });
    const texts = pieceTexts(pieces, stripsStart);
    let end = 0;
    const tokenEnds = Int32Array.from(texts, (text) => {
      end += text.length;
      return end;
    });
    return { text: texts.join(''), tokenEnds };
  }

  /** The special token that the post-processor of the file puts before a text; null if it puts none. `encode` never does. */
  get startToken(): string | null {
    return startTokenOf((this.definition as { readonly post_processor?: unknown }).post_processor);
  }

  /** Text of `ids` with special tokens written out. */
  decodeAll(ids: ArrayLike<number>): string {
    const encoder = new TextEncoder();
    const bytes = Array.from(ids, (id) =>
      this.#special.has(id) ? encoder.encode(this.token(id) ?? '') : (this.#bytes[id] ?? new Uint8Array()),
    );
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(bytes));
  }

  /** The vocabulary entry of an id, e.g. `<|im_end|>`; undefined if the vocabulary has none. */
  token(id: number): string | undefined {
    return this.#tokenizer.id_to_token(id) ?? undefined;
  }

  /** Bytes of a token, empty for special tokens; undefined if the vocabulary has none. */
  bytesOf(id: number): Uint8Array | undefined {
    return this.#bytes[id];
  }

  isSpecial(id: number): boolean {
    return this.#special.has(id);
  }

  /**
   * Id of one vocabulary entry, e.g. `<|im_end|>`.
   * @throws {TokenizerFileError}  The vocabulary does not have it.
   */
  id(token: string): number {
    const id = this.#tokenizer.token_to_id(token);
    if (id === undefined) throw new TokenizerFileError('vocabulary', `it has no token ${JSON.stringify(token)}`);
    return id;
  }
}

function bytesOfPiece(token: string): Uint8Array {
  const byte = pieceByte(token);
  return byte === undefined ? new TextEncoder().encode(pieceText(token)) : Uint8Array.of(byte);
}
