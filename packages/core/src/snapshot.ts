/**
 * Snapshots from outside - a file, another process, a user - are validated completely before anything is changed.
 *
 * An environment's `restore` starts with `parseSnapshot` and changes state only after everything that can fail.
 */
import { z } from 'zod';
import { GymError, show } from './errors.js';
import { expectedBy, option, valueAt } from './parse-options.js';
import { Generator, type GeneratorState } from './random/generator.js';
import { PythonRandom, type PythonRandomState } from './random/python-random.js';
import { RandomState, type RandomStateData } from './random/random-state.js';
import { isRecord } from './type-tests.js';

/** An invalid part of a snapshot. */
export interface SnapshotFault {
  /** Path of the part, e.g. `hands.dealer.0.0`. */
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;
}

/**
 * `restore` was given the snapshot of another environment or of another stack of wrappers, a damaged one, or something
 * else. Nothing was changed.
 */
export class SnapshotMismatchError extends GymError {
  constructor(
    readonly kind: unknown,
    readonly wanted: string,
    readonly fault?: SnapshotFault,
  ) {
    super(
      fault
        ? `The snapshot has an invalid part: ${fault.path || 'state'} is ${show(fault.value)}.`
        : `The snapshot is of kind ${show(kind)}.`,
      {
        code: 'SNAPSHOT_MISMATCH',
        value: fault ? fault.value : kind,
        expected: fault ? fault.expected : `'${wanted}'`,
        hint: fault
          ? 'pass the unchanged result of `snapshot()` of an environment made with the same options'
          : 'restore into an environment with the same wrappers, in the same order',
      },
    );
  }
}

/**
 * The state in a snapshot, as a copy that belongs to the caller.
 *
 * @param kind    The only accepted kind, e.g. `points24/1`.
 * @param schema  Validates the state: shapes, ranges, sizes. Numbers of zod are finite.
 * @throws {SnapshotMismatchError}  Another kind, not a snapshot, or a state that the schema refuses.
 */
export function parseSnapshot<S extends z.ZodType>(snapshot: unknown, kind: string, schema: S): z.output<S> {
  if (!isRecord(snapshot) || snapshot.kind !== kind) {
    throw new SnapshotMismatchError(isRecord(snapshot) ? snapshot.kind : snapshot, kind);
  }
  return parseState(snapshot.state, kind, schema);
}

/** `parseSnapshot` for a state whose kind is known. @throws {SnapshotMismatchError} */
export function parseState<S extends z.ZodType>(state: unknown, kind: string, schema: S): z.output<S> {
  let copy: unknown;
  try {
    copy = structuredClone(state);
  } catch {
    throw new SnapshotMismatchError(kind, kind, { path: '', value: state, expected: 'plain data' });
  }
  const result = schema.safeParse(copy, { error: expectedBy });
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new SnapshotMismatchError(kind, kind, { path: path.join('.'), value: valueAt(copy, path), expected: message });
}

/** A schema that decodes a member of a space from the result of its `encode`; for schemas of snapshots. */
export function encodedBy<T>(space: { decode(json: unknown): T; describe(): string }) {
  return z.unknown().transform((json, context): T => {
    try {
      return space.decode(json);
    } catch {
      context.addIssue({ code: 'custom', message: space.describe() });
      return z.NEVER;
    }
  });
}

/** States of generators in snapshots. */
export const generatorState = z.custom<GeneratorState>(
  (state) => isTaken(() => new Generator(0).setState(state as GeneratorState)),
  { error: 'the result of `getState()` of a Generator' },
);
export const pythonRandomState = z.custom<PythonRandomState>(
  (state) => isTaken(() => new PythonRandom(0).setState(state as PythonRandomState)),
  { error: 'the result of `getState()` of a PythonRandom' },
);
export const numpyRandomState = z.custom<RandomStateData>(
  (state) => isTaken(() => new RandomState(0).setState(state as RandomStateData)),
  { error: 'the result of `getState()` of a RandomState' },
);

/** A count in a snapshot: a whole number from 0. */
export const savedCount = option.integer(0);

function isTaken(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
