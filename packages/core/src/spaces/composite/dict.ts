/**
 * An object with a fixed set of keys, each value from its own space.
 *
 * Keys are ordered by code point, so that the order of definition does not affect seeds. Seeding and mask rules follow
 * `Farama-Foundation/Gymnasium`, `gymnasium/spaces/dict.py`.
 */
import { checkNames } from '../../options.js';
import { InvalidSeedError } from '../../random/index.js';
import { isRecord } from '../../type-tests.js';
import { InvalidMaskError, InvalidSpaceError } from '../errors.js';
import { type MaskOptions, onlyOne } from '../masks.js';
import type { JsonSchema, Space, SpaceJson, SpaceValue } from '../space.js';
import { CompositeSpace } from './composite-space.js';
import { checkedSpaces, cloneSpace } from './parts.js';

export type SpaceRecord = Readonly<Record<string, Space>>;
export type DictValue<S extends SpaceRecord> = { -readonly [K in keyof S]: SpaceValue<S[K]> };

const DICT_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class DictSpace<S extends SpaceRecord = SpaceRecord> extends CompositeSpace<DictValue<S>> {
  readonly type = 'dict';
  readonly spaces: S;
  /** Ordered by code point. */
  readonly keys: readonly (keyof S & string)[];
  protected readonly drawsItself = false;

  /** @throws {InvalidSpaceError} A value is not a space. */
  constructor(spaces: S) {
    super();
    if (!isRecord(spaces)) throw new InvalidSpaceError(this.type, spaces, 'an object of spaces');
    this.keys = Object.freeze(Object.keys(spaces).sort(byCodePoints));
    const parts = checkedSpaces(
      this.type,
      this.keys.map((key) => spaces[key]!),
    );
    this.spaces = Object.freeze(this.#build((_, index) => parts[index]!)) as unknown as S;
  }

  /** Seeds like every composite; also accepts an object with exactly the keys of the space, and returns such an object. */
  override seed(seed?: unknown): Record<string, unknown> {
    if (isRecord(seed) && !this.#sameKeys(seed)) {
      throw new InvalidSeedError(seed, `an object with the keys ${this.keys.join(', ')}`);
    }
    const used = this.seedEach(isRecord(seed) ? this.keys.map((key) => seed[key]) : seed);
    return this.#build((_, index) => used[index]);
  }

  /**
   * @param options  `mask` and `probability` are objects with the keys of the space.
   * @throws {InvalidMaskError}  Other keys, or both at once.
   */
  override sample(options: MaskOptions<Readonly<Record<string, unknown>>> = {}): DictValue<S> {
    checkNames('options', options, DICT_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    if (given === undefined) return this.#build((key) => this.spaces[key]!.sample()) as DictValue<S>;
    const { kind, value: masks } = given;
    if (!isRecord(masks) || !this.#sameKeys(masks)) {
      throw new InvalidMaskError(kind, masks, `an object with the keys ${this.keys.join(', ')}`);
    }
    return this.#build((key) => this.spaces[key]!.sample({ [kind]: masks[key] })) as DictValue<S>;
  }

  toJSON(): SpaceJson {
    return { type: this.type, spaces: this.#build((key) => this.spaces[key]!.toJSON()) };
  }

  toJsonSchema(): JsonSchema {
    return {
      type: 'object',
      properties: this.#build((key) => this.spaces[key]!.toJsonSchema()),
      required: this.keys,
      additionalProperties: false,
    };
  }

  override toString(): string {
    return `Dict(${this.keys.map((key) => `'${key}': ${this.spaces[key]}`).join(', ')})`;
  }

  describe(): string {
    return this.keys.length === 0
      ? 'an empty object'
      : `an object with ${this.keys.map((key) => `${key}: ${this.spaces[key]!.describe()}`).join('; ')}`;
  }

  clone(): DictSpace<S> {
    return new DictSpace(this.#build((key) => cloneSpace(this.spaces[key]!)) as S);
  }

  protected get children(): readonly Space[] {
    return this.keys.map((key) => this.spaces[key]!);
  }

  protected includes(value: unknown): boolean {
    return isRecord(value) && this.#sameKeys(value) && this.keys.every((key) => this.spaces[key]!.contains(value[key]));
  }

  protected write(value: DictValue<S>): unknown {
    return this.#build((key) => this.spaces[key]!.encode(value[key]));
  }

  protected read(json: unknown): unknown {
    if (!isRecord(json) || !this.#sameKeys(json)) return undefined;
    return this.#build((key) => this.spaces[key]!.decode(json[key]));
  }

  #sameKeys(value: object): boolean {
    return Object.keys(value).length === this.keys.length && this.keys.every((key) => Object.hasOwn(value, key));
  }

  /** Uses `fromEntries`, because an assignment to the key `__proto__` would set the prototype. */
  #build<V>(make: (key: keyof S & string, index: number) => V): Record<string, V> {
    return Object.fromEntries(this.keys.map((key, index) => [key, make(key, index)]));
  }
}

function byCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const differs = left.findIndex((character, index) => character !== right[index]);
  if (differs === -1) return left.length - right.length;
  return left[differs]!.codePointAt(0)! - (right[differs]?.codePointAt(0) ?? -1);
}
