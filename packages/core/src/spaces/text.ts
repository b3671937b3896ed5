/**
 * Strings of a bounded length. Lengths count Unicode code points.
 *
 * Without a charset any Unicode text is a member (see `Farama-Foundation/MiniWoB-plusplus#67`), and samples consist of
 * letters and digits. Sampling and mask rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/text.py`. A string
 * with half a surrogate pair is not a member: it cannot be written to a file.
 */
import { checkNames, names } from '../options.js';
import { BaseSpace } from './base-space.js';
import { InvalidMaskError, InvalidSpaceError } from './errors.js';
import { MAX_TEXT_LENGTH, refuseTooLarge } from './limits.js';
import { allowedIndices, checkedWeights, type EntryMask, type MaskOptions, onlyOne } from './masks.js';
import type { JsonSchema, SpaceJson } from './space.js';

/** Gymnasium's default characters, in its order. */
export const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface TextOptions {
  /** Maximum number of code points. */
  readonly maxLength: number;
  /** Minimum number of code points. */
  readonly minLength?: number | undefined;
  /** The only characters allowed; a string or list keeps its order, a set is sorted. */
  readonly charset?: string | readonly string[] | ReadonlySet<string> | undefined;
}

/** Length (or null for any) and one entry per character of the charset (or null for a uniform draw). */
export type TextMask = readonly [length: number | null, characters: EntryMask | null];

/** A description in JSON has more. */
const TEXT_SPACE_OPTIONS = [...names<TextOptions>({ maxLength: 0, minLength: 0, charset: 0 }), 'type'];

const TEXT_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class TextSpace extends BaseSpace<string> {
  readonly type = 'text';
  readonly minLength: number;
  readonly maxLength: number;
  /** The allowed characters in the order of masks; `undefined`: any Unicode. */
  readonly charset: readonly string[] | undefined;
  readonly #allowed: ReadonlySet<string> | undefined;

  /** @throws {InvalidSpaceError} Lengths out of order, or a charset entry that is not a single character. */
  constructor(options: TextOptions) {
    checkNames('options', options, TEXT_SPACE_OPTIONS);
    const { maxLength, minLength = 1, charset } = options;
    super();
    if (
      !Number.isSafeInteger(minLength) ||
      !Number.isSafeInteger(maxLength) ||
      minLength < 0 ||
      minLength > maxLength
    ) {
      throw new InvalidSpaceError('text', { minLength, maxLength }, 'whole numbers with 0 <= minLength <= maxLength');
    }
    refuseTooLarge('text', maxLength, maxLength, MAX_TEXT_LENGTH, 'code points');
    this.minLength = minLength;
    this.maxLength = maxLength;
    this.charset = charset === undefined ? undefined : checkedCharset(charset, maxLength);
    this.#allowed = this.charset && new Set(this.charset);
  }

  /** The characters of samples, in the order of masks. */
  get sampledCharacters(): readonly string[] {
    return this.charset ?? [...ALPHANUMERIC];
  }

  /**
   * @param options  `mask` and `probability` are pairs of a length and entries per character of `sampledCharacters`.
   * @throws {InvalidMaskError}  A wrong layout; or no character is allowed and the empty string is not a member.
   */
  override sample(options: MaskOptions<TextMask> = {}): string {
    checkNames('options', options, TEXT_SPACE_SAMPLE_OPTIONS);

    const characters = this.sampledCharacters;
    const given = onlyOne(options);
    let weights: ArrayLike<number> = new Float64Array(characters.length).fill(1 / characters.length);
    let length: number | undefined;
    if (given) {
      const [wantedLength, entries] = this.#checkedPair(given.kind, given.value);
      length = wantedLength ?? undefined;
      if (entries !== null) {
        weights =
          given.kind === 'mask' ? evenly(entries, characters.length) : checkedWeights(entries, characters.length);
      }
    }
    length ??= this.generator.integers(this.minLength, this.maxLength + 1);
    if (Array.prototype.every.call(weights, (weight) => weight === 0)) {
      if (this.minLength === 0) return '';
      throw new InvalidMaskError('mask', given?.value, 'at least one character, because the text cannot be empty');
    }
    return this.generator.choice(characters, { size: length, p: weights }).join('');
  }

  toJSON(): SpaceJson {
    return {
      type: this.type,
      minLength: this.minLength,
      maxLength: this.maxLength,
      ...(this.charset ? { charset: this.charset.join('') } : {}),
    };
  }

  toJsonSchema(): JsonSchema {
    return {
      type: 'string',
      minLength: this.minLength,
      maxLength: this.maxLength,
      ...(this.charset ? { pattern: `^[${this.charset.map(escaped).join('')}]*$`, 'x-vlgym': this.toJSON() } : {}),
    };
  }

  /** Without a charset, any Unicode. */
  override toString(): string {
    const charset = this.charset ? `, charset=${this.charset.join('')}` : '';
    return `Text(${this.minLength}, ${this.maxLength}${charset})`;
  }

  describe(): string {
    const length =
      this.minLength === this.maxLength
        ? `${this.maxLength} characters`
        : `${this.minLength} to ${this.maxLength} characters`;
    return this.charset ? `text of ${length} out of "${this.charset.join('')}"` : `text of ${length}`;
  }

  clone(): TextSpace {
    const { minLength, maxLength, charset } = this;
    return new TextSpace({ minLength, maxLength, ...(charset ? { charset } : {}) });
  }

  protected includes(value: unknown): boolean {
    if (typeof value !== 'string') return false;
    // a code point has one or two UTF-16 units, so most long strings need not be scanned
    if (value.length < this.minLength || value.length > 2 * this.maxLength) return false;
    let length = 0;
    for (const character of value) {
      length += 1;
      if (length > this.maxLength || isHalfPair(character)) return false;
      if (this.#allowed && !this.#allowed.has(character)) return false;
    }
    return length >= this.minLength;
  }

  protected write(value: string): string {
    return value;
  }

  protected read(json: unknown): unknown {
    return json;
  }

  #checkedPair(kind: 'mask' | 'probability', value: unknown): TextMask {
    const [length, entries] = Array.isArray(value) && value.length === 2 ? value : [undefined, undefined];
    const soundLength =
      length === null || (Number.isInteger(length) && length >= this.minLength && length <= this.maxLength);
    if (!soundLength) {
      throw new InvalidMaskError(
        kind,
        value,
        `[length from ${this.minLength} to ${this.maxLength} or null, entries per character or null]`,
      );
    }
    return [length, entries ?? null];
  }
}

function evenly(mask: EntryMask, length: number): Float64Array {
  const allowed = allowedIndices(mask, length);
  const weights = new Float64Array(length);
  for (const index of allowed) weights[index] = 1 / allowed.length;
  return weights;
}

function checkedCharset(charset: NonNullable<TextOptions['charset']>, maxLength: number): readonly string[] {
  const listed = charset instanceof Set ? [...charset].sort(byCodePoint) : [...(charset as Iterable<string>)];
  const wrong = listed.find((entry) => typeof entry !== 'string' || [...entry].length !== 1 || isHalfPair(entry));
  if (wrong !== undefined) throw new InvalidSpaceError('text', wrong, 'a charset of single characters');
  if (listed.length === 0 && maxLength > 0) throw new InvalidSpaceError('text', charset, 'at least one character');
  return Object.freeze([...new Set(listed)]);
}

function byCodePoint(a: string, b: string): number {
  return a.codePointAt(0)! - b.codePointAt(0)!;
}

function isHalfPair(character: string): boolean {
  return character.length === 1 && character >= '\ud800' && character <= '\udfff';
}

/** One character inside `[…]` of a regular expression. */
function escaped(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}
