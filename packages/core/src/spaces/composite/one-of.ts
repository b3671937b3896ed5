/**
 * A value from one of several spaces, with the index of the space: `[index, value]`.
 *
 * Seeding and mask rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/oneof.py`.
 */

import { checkNames } from '../../options.js';
import { InvalidMaskError, InvalidSpaceError } from '../errors.js';
import { type MaskOptions, onlyOne } from '../masks.js';
import { tupleSchema } from '../serialization/nested-schema.js';
import type { JsonSchema, Space, SpaceJson, SpaceValue } from '../space.js';
import { CompositeSpace } from './composite-space.js';
import { checkedSpaces, cloneSpace } from './parts.js';

/** `[0, first] | [1, second] | …` */
export type OneOfValue<S extends readonly Space[]> = number extends S['length']
  ? [index: number, value: SpaceValue<S[number]>]
  : { [K in keyof S]: [index: K extends `${infer N extends number}` ? N : number, value: SpaceValue<S[K]>] }[number];

const ONE_OF_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class OneOfSpace<S extends readonly Space[] = readonly Space[]> extends CompositeSpace<OneOfValue<S>> {
  readonly type = 'oneOf';
  readonly spaces: S;
  protected readonly drawsItself = true;

  /** @throws {InvalidSpaceError} No spaces, or an entry is not a space. */
  constructor(spaces: S) {
    super();
    this.spaces = checkedSpaces(this.type, spaces);
    if (this.spaces.length === 0) throw new InvalidSpaceError(this.type, spaces, 'at least one space');
  }

  /**
   * @param options  `mask` and `probability` are lists with an entry, or `undefined`, for each space; they do not affect which
   *   space is drawn.
   * @throws {InvalidMaskError}  A wrong length, or both at once.
   */
  override sample(options: MaskOptions<readonly unknown[]> = {}): OneOfValue<S> {
    checkNames('options', options, ONE_OF_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    const masks = given?.value;
    if (given && !(Array.isArray(masks) && masks.length === this.spaces.length)) {
      throw new InvalidMaskError(given.kind, masks, `a list of ${this.spaces.length}, one for each space`);
    }
    const index = this.generator.integers(this.spaces.length);
    const value = this.spaces[index]!.sample(given && { [given.kind]: (masks as unknown[])[index] });
    return [index, value] as OneOfValue<S>;
  }

  toJSON(): SpaceJson {
    return { type: this.type, spaces: this.spaces.map((space) => space.toJSON()) };
  }

  toJsonSchema(): JsonSchema {
    return { anyOf: this.spaces.map((space, index) => tupleSchema([{ const: index }, space.toJsonSchema()])) };
  }

  override toString(): string {
    return `OneOf(${this.spaces.join(', ')})`;
  }

  describe(): string {
    return `one of ${this.spaces.map((space, index) => `[${index}, ${space.describe()}]`).join(' or ')}`;
  }

  clone(): OneOfSpace<S> {
    return new OneOfSpace(this.spaces.map(cloneSpace) as unknown as S);
  }

  protected get children(): readonly Space[] {
    return this.spaces;
  }

  protected includes(value: unknown): boolean {
    if (!Array.isArray(value) || value.length !== 2) return false;
    const [index, inner] = value;
    return Number.isInteger(index) && index >= 0 && index < this.spaces.length && this.spaces[index]!.contains(inner);
  }

  protected write([index, value]: OneOfValue<S>): unknown {
    return [index, this.spaces[index]!.encode(value)];
  }

  protected read(json: unknown): unknown {
    return Array.isArray(json) && json.length === 2 && [json[0], this.spaces[json[0]]!.decode(json[1])];
  }
}
