/**
 * Finitely many whole numbers: `start` to `start + n - 1`, each with an optional name.
 *
 * Mask and sampling rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/discrete.py`.
 */
import { checkNames, names } from '../options.js';
import { BaseSpace } from './base-space.js';
import { InvalidSpaceError } from './errors.js';
import { allowedIndices, checkedWeights, type EntryMask, type MaskOptions, onlyOne } from './masks.js';
import type { JsonSchema, SpaceJson } from './space.js';

export interface DiscreteOptions {
  /** The smallest member. */
  readonly start?: number | undefined;
  /** `n` different names, the first for `start`. */
  readonly labels?: readonly string[] | undefined;
}

/** A description in JSON has more. */
const DISCRETE_SPACE_OPTIONS = [...names<DiscreteOptions>({ start: 0, labels: 0 }), 'type', 'n'];

const DISCRETE_SPACE_SAMPLE_OPTIONS = ['mask', 'probability'];

export class DiscreteSpace extends BaseSpace<number> {
  readonly type = 'discrete';
  readonly n: number;
  readonly start: number;
  readonly labels: readonly string[] | undefined;

  /** @throws {InvalidSpaceError} `n` is not a positive integer, or the labels are not `n` different names. */
  constructor(n: number, options: DiscreteOptions = {}) {
    checkNames('options', options, DISCRETE_SPACE_OPTIONS);
    const { start = 0, labels } = options;
    super();
    if (!Number.isSafeInteger(n) || n < 1) throw new InvalidSpaceError('discrete', n, 'a number of members, 1 or more');
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(start + n)) {
      throw new InvalidSpaceError('discrete', start, 'a whole number, members within the safe integers');
    }
    if (labels !== undefined) checkLabels(labels, n);
    this.n = n;
    this.start = start;
    this.labels = labels && Object.freeze([...labels]);
  }

  /**
   * @param options  `mask`: n entries 0 or 1; all 0 gives `start` without a draw. `probability`: n weights that sum to 1.
   * @throws {InvalidMaskError}  Wrong length, other values, or both at once.
   */
  override sample(options: MaskOptions<EntryMask> = {}): number {
    checkNames('options', options, DISCRETE_SPACE_SAMPLE_OPTIONS);

    const given = onlyOne(options);
    if (given === undefined) return this.start + this.generator.integers(0, this.n);
    if (given.kind === 'probability') {
      return this.start + this.generator.choice(this.n, { p: checkedWeights(given.value, this.n) });
    }
    const allowed = allowedIndices(given.value, this.n);
    return allowed.length === 0 ? this.start : this.start + this.generator.choice(allowed);
  }

  toJSON(): SpaceJson {
    return {
      type: this.type,
      n: this.n,
      ...(this.start === 0 ? {} : { start: this.start }),
      ...(this.labels ? { labels: this.labels } : {}),
    };
  }

  toJsonSchema(): JsonSchema {
    return {
      type: 'integer',
      minimum: this.start,
      maximum: this.start + this.n - 1,
      ...(this.labels
        ? {
            description: this.labels.map((label, index) => `${this.start + index}: ${label}`).join(', '),
            'x-vlgym': this.toJSON(),
          }
        : {}),
    };
  }

  override toString(): string {
    return this.start === 0 ? `Discrete(${this.n})` : `Discrete(${this.n}, start=${this.start})`;
  }

  describe(): string {
    const range =
      this.n === 1 ? `the integer ${this.start}` : `an integer from ${this.start} to ${this.start + this.n - 1}`;
    return this.labels ? `${range} (${this.labels.join(', ')})` : range;
  }

  clone(): DiscreteSpace {
    return new DiscreteSpace(this.n, { start: this.start, ...(this.labels ? { labels: this.labels } : {}) });
  }

  protected includes(value: unknown): boolean {
    return Number.isSafeInteger(value) && (value as number) >= this.start && (value as number) < this.start + this.n;
  }

  protected write(value: number): number {
    return value;
  }

  protected read(json: unknown): unknown {
    return json;
  }
}

function checkLabels(labels: readonly string[], n: number): void {
  const sound =
    Array.isArray(labels) &&
    labels.length === n &&
    labels.every((label) => typeof label === 'string') &&
    new Set(labels).size === n;
  if (!sound) throw new InvalidSpaceError('discrete', labels, `${n} different names`);
}
