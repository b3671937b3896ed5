/**
 * Lists of any length with elements of one space.
 *
 * Seeding, mask and length rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/sequence.py`; bounds of the
 * length are new here.
 */
import { checkNames, names } from '../../options.js';
import { InvalidMaskError, InvalidSpaceError } from '../errors.js';
import { bytesOf, MAX_JSON_BYTES, refuseTooLarge } from '../limits.js';
import { type MaskKind, type MaskOptions, onlyOne } from '../masks.js';
import { everyElement } from '../serialization/json-data.js';
import type { JsonSchema, Space, SpaceJson } from '../space.js';
import { CompositeSpace } from './composite-space.js';
import { checkedSpace, cloneSpace } from './parts.js';

export interface SequenceOptions {
  /** Minimum and maximum number of elements, inclusive. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

/** Length (one, several to draw from, or null for any) and the mask of the element space (or null). */
export type SequenceMask = readonly [length: number | readonly number[] | null, element: unknown];

/** Probability that a drawn list ends at an element: four elements on average. */
const END = 0.25;
/** Maximum length of a JavaScript array. */
const MAX_LENGTH = 2 ** 32 - 1;

/** A description in JSON has more. */
const SEQUENCE_SPACE_OPTIONS = [...names<SequenceOptions>({ minLength: 0, maxLength: 0 }), 'type', 'element'];

const SEQUENCE_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class SequenceSpace<T> extends CompositeSpace<T[]> {
  readonly type = 'sequence';
  readonly element: Space<T>;
  readonly minLength: number;
  readonly maxLength: number;
  protected readonly drawsItself = true;

  /** @throws {InvalidSpaceError} `element` is not a space, or the lengths are out of order. */
  constructor(element: Space<T>, options: SequenceOptions = {}) {
    checkNames('options', options, SEQUENCE_SPACE_OPTIONS);
    const { minLength = 0, maxLength = MAX_LENGTH } = options;
    super();
    const sound = [minLength, maxLength].every((length) => Number.isSafeInteger(length) && length >= 0);
    if (!sound || minLength > maxLength || maxLength > MAX_LENGTH) {
      throw new InvalidSpaceError(this.type, { minLength, maxLength }, 'whole numbers, minLength <= maxLength < 2^32');
    }
    this.element = checkedSpace(this.type, element);
    refuseTooLarge(this.type, { minLength }, minLength * Math.max(bytesOf(element), 8), MAX_JSON_BYTES, 'bytes');
    this.minLength = minLength;
    this.maxLength = maxLength;
  }

  /**
   * @param options  `mask` and `probability` are pairs of a length and a mask of the element space.
   * @throws {InvalidMaskError}  A length out of bounds, a wrong layout, or both at once.
   */
  override sample(options: MaskOptions<SequenceMask> = {}): T[] {
    checkNames('options', options, SEQUENCE_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    if (given === undefined) return Array.from({ length: this.#anyLength() }, () => this.element.sample());
    const { kind, value } = given;
    if (!Array.isArray(value) || value.length !== 2) {
      throw new InvalidMaskError(kind, value, '[length, lengths or null; mask of the elements or null]');
    }
    const length = this.#maskedLength(kind, value[0]);
    return Array.from({ length }, () => this.element.sample({ [kind]: value[1] ?? undefined }));
  }

  toJSON(): SpaceJson {
    return { type: this.type, element: this.element.toJSON(), ...this.#bounds('minLength', 'maxLength') };
  }

  toJsonSchema(): JsonSchema {
    return { type: 'array', items: this.element.toJsonSchema(), ...this.#bounds('minItems', 'maxItems') };
  }

  /** Lists are not stacked into arrays here. */
  override toString(): string {
    return `Sequence(${this.element}, stack=False)`;
  }

  describe(): string {
    const upper = this.maxLength === MAX_LENGTH ? 'any number' : `at most ${this.maxLength}`;
    const count = this.minLength > 0 ? `${this.minLength} or more, ${upper},` : upper;
    return `a list of ${count} of: ${this.element.describe()}`;
  }

  clone(): SequenceSpace<T> {
    const { minLength, maxLength } = this;
    return new SequenceSpace(cloneSpace(this.element) as Space<T>, { minLength, maxLength });
  }

  protected get children(): readonly Space[] {
    return [this.element];
  }

  protected includes(value: unknown): boolean {
    return (
      Array.isArray(value) &&
      this.#allows(value.length) &&
      everyElement(value, (element) => this.element.contains(element))
    );
  }

  protected write(value: T[]): unknown {
    return value.map((element) => this.element.encode(element));
  }

  protected read(json: unknown): unknown {
    return Array.isArray(json) && json.map((element) => this.element.decode(element));
  }

  #allows(length: number): boolean {
    return Number.isInteger(length) && length >= this.minLength && length <= this.maxLength;
  }

  #anyLength(): number {
    return Math.min(Math.max(this.generator.geometric(END), this.minLength), this.maxLength);
  }

  #maskedLength(kind: MaskKind, wanted: unknown): number {
    if (wanted === null || wanted === undefined) return this.#anyLength();
    const lengths: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    const sound = lengths.length > 0 && lengths.every((length) => typeof length === 'number' && this.#allows(length));
    if (!sound) throw new InvalidMaskError(kind, wanted, `lengths from ${this.minLength} to ${this.maxLength}`);
    // also for a list of one length: `choice` of one item does not draw
    return this.generator.choice(lengths as readonly number[]);
  }

  #bounds(minimum: string, maximum: string): Record<string, number> {
    return {
      ...(this.minLength > 0 ? { [minimum]: this.minLength } : {}),
      ...(this.maxLength < MAX_LENGTH ? { [maximum]: this.maxLength } : {}),
    };
  }
}
