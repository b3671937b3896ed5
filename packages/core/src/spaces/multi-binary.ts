/**
 * An array of 0 and 1 of one shape.
 *
 * Mask and sampling rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/multi_binary.py`.
 */
import { checkNames } from '../options.js';
import { isShape, isTypedArray, nest, sizeOf, unnest } from './arrays.js';
import { BaseSpace, reprTuple } from './base-space.js';
import { InvalidSpaceError } from './errors.js';
import { refuseTooLarge } from './limits.js';
import { type EntryMask, entries, type MaskOptions, onlyOne } from './masks.js';
import { uniformSchema } from './serialization/nested-schema.js';
import type { JsonSchema, SpaceJson } from './space.js';

const MULTI_BINARY_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class MultiBinarySpace extends BaseSpace<Uint8Array> {
  readonly type = 'multiBinary';
  readonly shape: readonly number[];

  /** @throws {InvalidSpaceError} A length is below 1. */
  constructor(shape: number | readonly number[]) {
    super();
    const lengths = typeof shape === 'number' ? [shape] : shape;
    if (!isShape(lengths) || sizeOf(lengths) < 1) {
      throw new InvalidSpaceError('multiBinary', shape, 'a length, or a list of lengths, of 1 or more');
    }
    refuseTooLarge('multiBinary', shape, sizeOf(lengths));
    this.shape = Object.freeze([...lengths]);
  }

  /** Elements of one member. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /**
   * Fair coins by default, in C order.
   *
   * @param options  `mask`: 0 or 1 sets the value, 2 draws it. `probability`: the probability of a 1.
   * @throws {InvalidMaskError}  A wrong length, other values, or both at once.
   */
  override sample(options: MaskOptions<EntryMask> = {}): Uint8Array {
    checkNames('options', options, MULTI_BINARY_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    if (given?.kind === 'probability') {
      const weights = entries('probability', given.value, this.size, 'each from 0 to 1', (p) => p >= 0 && p <= 1);
      return Uint8Array.from({ length: this.size }, (_, index) => Number(this.generator.random() <= weights[index]!));
    }
    const mask =
      given && entries('mask', given.value, this.size, 'each 0, 1 or 2', (m) => m === 0 || m === 1 || m === 2);
    const values = new Uint8Array(this.generator.integersArray(0, 2, this.size, 'int8'));
    return mask === undefined ? values : values.map((coin, index) => (mask[index] === 2 ? coin : mask[index]!));
  }

  toJSON(): SpaceJson {
    return { type: this.type, shape: this.shape };
  }

  toJsonSchema(): JsonSchema {
    return {
      ...uniformSchema({ type: 'integer', minimum: 0, maximum: 1 }, this.shape),
      'x-vlgym': this.toJSON(),
    };
  }

  override toString(): string {
    return `MultiBinary(${this.shape.length === 1 ? this.shape[0] : reprTuple(this.shape)})`;
  }

  describe(): string {
    return `${this.size} values 0 or 1${this.shape.length === 1 ? '' : `, shape ${this.shape.join(' x ')}`}`;
  }

  clone(): MultiBinarySpace {
    return new MultiBinarySpace(this.shape);
  }

  protected includes(value: unknown): boolean {
    return isTypedArray(value, 'uint8', this.size) && value.every((element) => element <= 1);
  }

  protected write(value: Uint8Array): unknown {
    return nest(value, this.shape);
  }

  protected read(json: unknown): unknown {
    return unnest(json, this.shape, 'uint8');
  }
}
