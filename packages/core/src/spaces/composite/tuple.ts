/**
 * A fixed list of values, each from its own space.
 *
 * Seeding and mask rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/tuple.py`.
 */

import { checkNames } from '../../options.js';
import { InvalidMaskError } from '../errors.js';
import { type MaskOptions, onlyOne } from '../masks.js';
import { tupleSchema } from '../serialization/nested-schema.js';
import type { JsonSchema, Space, SpaceJson, SpaceValue } from '../space.js';
import { CompositeSpace } from './composite-space.js';
import { checkedSpaces, cloneSpace } from './parts.js';

export type TupleValue<S extends readonly Space[]> = { -readonly [K in keyof S]: SpaceValue<S[K]> };

const TUPLE_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class TupleSpace<S extends readonly Space[] = readonly Space[]> extends CompositeSpace<TupleValue<S>> {
  readonly type = 'tuple';
  readonly spaces: S;
  protected readonly drawsItself = false;

  /** @throws {InvalidSpaceError} An entry is not a space. */
  constructor(spaces: S) {
    super();
    this.spaces = checkedSpaces(this.type, spaces);
  }

  /**
   * @param options  `mask` and `probability` are lists with an entry, or `undefined`, for each space.
   * @throws {InvalidMaskError}  A wrong length, or both at once.
   */
  override sample(options: MaskOptions<readonly unknown[]> = {}): TupleValue<S> {
    checkNames('options', options, TUPLE_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    if (given === undefined) return this.spaces.map((space) => space.sample()) as TupleValue<S>;
    const { kind, value: masks } = given;
    if (!Array.isArray(masks) || masks.length !== this.spaces.length) {
      throw new InvalidMaskError(kind, masks, `a list of ${this.spaces.length}, one for each space`);
    }
    return this.spaces.map((space, index) => space.sample({ [kind]: masks[index] })) as TupleValue<S>;
  }

  toJSON(): SpaceJson {
    return { type: this.type, spaces: this.spaces.map((space) => space.toJSON()) };
  }

  toJsonSchema(): JsonSchema {
    return tupleSchema(this.spaces.map((space) => space.toJsonSchema()));
  }

  override toString(): string {
    return `Tuple(${this.spaces.join(', ')})`;
  }

  describe(): string {
    return this.spaces.length === 0
      ? 'an empty list'
      : `a list of ${this.spaces.length}: ${this.spaces.map((space) => space.describe()).join('; ')}`;
  }

  clone(): TupleSpace<S> {
    return new TupleSpace(this.spaces.map(cloneSpace) as unknown as S);
  }

  protected get children(): readonly Space[] {
    return this.spaces;
  }

  protected includes(value: unknown): boolean {
    return (
      Array.isArray(value) &&
      value.length === this.spaces.length &&
      this.spaces.every((space, index) => space.contains(value[index]))
    );
  }

  protected write(value: TupleValue<S>): unknown {
    return this.spaces.map((space, index) => space.encode(value[index]));
  }

  protected read(json: unknown): unknown {
    if (!Array.isArray(json) || json.length !== this.spaces.length) return undefined;
    return this.spaces.map((space, index) => space.decode(json[index]));
  }
}
