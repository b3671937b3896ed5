/**
 * Snapshots that come from outside - a file, another process, a user - checked whole before anything is changed.
 *
 * An environment's `restore` begins with `parseSnapshot` and changes itself only after all that can fail.
 */
import { z } from 'zod';
import { GymError, show } from './errors.js';
import { expectedBy, isPlain, option, valueAt } from './parse-options.js';
import { Generator, type GeneratorState } from './random/generator.js';
import { PythonRandom, type PythonRandomState } from './random/python-random.js';

/** A part of a snapshot that cannot be. */
export interface SnapshotFault {
  /** Where, e.g. `hands.dealer.0.0`. */
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;
}

/**
 * `restore` was given the snapshot of another environment or of another stack of wrappers, a damaged one, or something
 * else entirely. Nothing was changed.
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
          ? 'pass what `snapshot()` of an environment made with the same options returned, unchanged'
          : 'restore into an environment with the same wrappers, in the same order',
      },
    );
  }
}

/**
 * The state in a snapshot, as a copy that belongs to the caller.
 *
 * @param kind    The only kind that is taken, e.g. `points24/1`.
 * @param schema  What the state must be: shapes, ranges, sizes. Numbers of zod are finite.
 * @throws {SnapshotMismatchError}  Another kind, not a snapshot at all, or a state that the schema refuses.
 */
export function parseSnapshot<S extends z.ZodType>(snapshot: unknown, kind: string, schema: S): z.output<S> {
  if (!isPlain(snapshot) || snapshot.kind !== kind) {
    throw new SnapshotMismatchError(isPlain(snapshot) ? snapshot.kind : snapshot, kind);
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

/** A member of a space as its `encode` wrote it → the member; for schemas of snapshots. */
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
  { error: 'what `getState()` of a Generator returned' },
);
export const pythonRandomState = z.custom<PythonRandomState>(
  (state) => isTaken(() => new PythonRandom(0).setState(state as PythonRandomState)),
  { error: 'what `getState()` of a PythonRandom returned' },
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
