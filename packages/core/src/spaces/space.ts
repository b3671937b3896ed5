/**
 * The interface of all spaces. A space is the single source of validation, sampling, JSON, JSON Schema and docs.
 *
 * Each space owns its generator, seeded separately from the environment (`Farama-Foundation/Gymnasium`, `gymnasium/spaces/`).
 */

/** Draws from part of a space. `mask` and `probability` exclude each other. */
export interface SampleOptions {
  /** Which entries may be drawn; its layout is documented by each space. */
  readonly mask?: unknown;
  /** Weights that sum to 1, same layout as `mask`. */
  readonly probability?: unknown;
}

/** JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A space as data: `{ type: 'discrete', n: 5, … }`; `spaces.fromJSON` builds the space again. */
export type SpaceJson = { readonly type: string; readonly [key: string]: unknown };

export interface Space<T = unknown> {
  readonly type: string;
  /** Type guard; never throws. */
  contains(value: unknown): value is T;
  /** One member, drawn from this space's own generator. */
  sample(options?: SampleOptions): T;
  /**
   * Restarts the generator and returns the seeds used, in the layout of the expanded argument. `undefined` takes fresh
   * entropy; composite spaces draw one sub-seed per child from an integer.
   */
  seed(seed?: unknown): unknown;
  /** State of the generator(s) as data, and back. */
  getState(): unknown;
  setState(state: unknown): void;
  /** The space itself as data. */
  toJSON(): SpaceJson;
  /** One member as JSON data and back; `decode` throws `INVALID_VALUE` for data that is not a member. */
  encode(value: T): unknown;
  decode(json: unknown): T;
  /** The schema that `encode`d members satisfy. */
  toJsonSchema(): JsonSchema;
  /** A description for errors and docs: "an integer from 0 to 4 (left, right, …)". */
  describe(): string;
  equals(other: Space): boolean;
}

/** The type of members: `SpaceValue<typeof space>`. */
export type SpaceValue<S extends Space> = S extends Space<infer T> ? T : never;
