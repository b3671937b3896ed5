/**
 * Text to token ids and back, with the exact end of every token in the text.
 *
 * Byte-level BPE as in the files of the Qwen family; the merges are done by `@huggingface/tokenizers`. A character may be
 * spread over several tokens: it then belongs to the token that completes it, so that the pieces of a response always
 * add up to the whole (`docs/specs/algorithms.md` 3.3). `tokenizer.test.ts` pins spans and round trips.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { GymError } from '@vlgym/core';
import tinyTokenizer from '../../assets/tiny-tokenizer.json';
import { tokenBytes } from './byte-level.js';
import { checkDefinition } from './definition.js';

/** UTF-16 units that a normalizer composes into one, as four into U+1F82. */
const MOST_COMPOSED = 4;
/** Ten times the file of the Qwen family. */
const LARGEST_FILE = 2 ** 27;

/** A tokenizer file that is missing, is not JSON, or is not byte-level BPE. */
export class TokenizerFileError extends GymError {
  constructor(source: string, problem: string, cause?: unknown) {
    super(`The tokenizer ${source} cannot be used: ${problem}.`, {
      code: 'TOKENIZER_FILE',
      value: source,
      expected: 'a `tokenizer.json` with a byte-level BPE model',
      hint: 'point to the folder of a Qwen2-VL, Qwen2.5-VL or Qwen3-VL model',
      cause,
    });
  }
}

export interface DecodedTokens {
  /** Without special tokens. Bytes that are no UTF-8 show as U+FFFD. */
  readonly text: string;
  /** [tokens] UTF-16 offset in `text` at which each token ends; never decreases, the last one is `text.length`. */
  readonly tokenEnds: Int32Array;
}

export class TextTokenizer {
  /** One more than the largest id. */
  readonly size: number;
  readonly #tokenizer: Tokenizer;
  /** By id; empty for special tokens, which are no text. */
  readonly #bytes: Uint8Array[] = [];
  readonly #special = new Set<number>();
  /** UTF-16 units that one token covers at most: no more than its bytes, or the characters of an added one. */
  readonly #longest: number;
  #sha256: string | undefined;

  /**
   * @param definition  The object of a `tokenizer.json`.
   * @param source      Where it came from, for error messages.
   * @throws {TokenizerFileError}  It is not byte-level BPE.
   */
  constructor(
    private readonly definition: object,
    source = 'definition',
  ) {
    try {
      const checked = checkDefinition(definition);
      if (typeof checked === 'string') throw new TokenizerFileError(source, checked);
      this.#tokenizer = new Tokenizer(checked, {});
    } catch (cause) {
      if (cause instanceof TokenizerFileError) throw cause;
      throw new TokenizerFileError(source, 'it is not in the format of Hugging Face tokenizers', cause);
    }
    const added = this.#tokenizer.get_added_tokens_decoder();
    for (const [token, id] of this.#tokenizer.get_vocab(false)) {
      // an id between two others that no token has
      if (token === undefined) continue;
      const bytes = tokenBytes(token) ?? (added.has(id) ? new Uint8Array() : undefined);
      if (!bytes) throw new TokenizerFileError(source, `the token ${JSON.stringify(token)} is not written in bytes`);
      this.#bytes[id] = bytes;
    }
    for (const [id, { content, special }] of added) {
      this.#bytes[id] = special ? new Uint8Array() : new TextEncoder().encode(content);
      if (special) this.#special.add(id);
    }
    this.size = this.#bytes.length;
    // a token that takes the blanks beside it along covers any number of them
    const lengths = [...added.values()].map((each) => (each.lstrip || each.rstrip ? Infinity : each.content.length));
    for (const bytes of this.#bytes) lengths.push(bytes?.length ?? 0);
    this.#longest = lengths.reduce((longest, length) => Math.max(longest, length), 1);
  }

  /** SHA-256 of the definition in hex: equal where texts become equal ids. */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(JSON.stringify(this.definition)).digest('hex');
    return this.#sha256;
  }

  /** The 1,024 entries of the `tiny` preset. */
  static tiny(): TextTokenizer {
    return new TextTokenizer(tinyTokenizer, 'of the tiny preset');
  }

  /**
   * Reads `tokenizer.json` of a model folder.
   * @throws {TokenizerFileError}  The file is missing or not byte-level BPE.
   */
  static async fromFolder(folder: string): Promise<TextTokenizer> {
    const path = join(folder, 'tokenizer.json');
    let definition: object;
    try {
      const { size } = await stat(path);
      if (size > LARGEST_FILE) throw new TokenizerFileError(path, `it has ${size} bytes, more than ${LARGEST_FILE}`);
      definition = JSON.parse(await readFile(path, 'utf8'));
    } catch (cause) {
      if (cause instanceof TokenizerFileError) throw cause;
      throw new TokenizerFileError(path, 'it is missing or not JSON', cause);
    }
    return new TextTokenizer(definition, path);
  }

  /** A lower bound of the number of tokens, without encoding: the longest token, and what composing may take away. */
  leastTokens(text: string): number {
    return Math.ceil(text.length / (this.#longest * MOST_COMPOSED));
  }

  /** Ids of `text`; special tokens written in it count as such, as in the reference. No token is added. */
  encode(text: string): Int32Array {
    const { ids } = this.#tokenizer.encode(text, { add_special_tokens: false });
    if (!ids.every(Number.isInteger)) throw new TokenizerFileError('vocabulary', 'it has no token for part of a text');
    return Int32Array.from(ids);
  }

  /** Text of `ids` without special tokens; ids beyond the vocabulary (spare rows of a model) are no text either. */
  decode(ids: ArrayLike<number>): DecodedTokens {
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

  isSpecial(id: number): boolean {
    return this.#special.has(id);
  }

  /**
   * Id of one vocabulary entry, e.g. `<|im_end|>`.
   * @throws {TokenizerFileError}  There is none.
   */
  id(token: string): number {
    const id = this.#tokenizer.token_to_id(token);
    if (id === undefined) throw new TokenizerFileError('vocabulary', `it has no token ${JSON.stringify(token)}`);
    return id;
  }
}
