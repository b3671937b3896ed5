/** Errors of stored trajectories and their pictures. */
import type { z } from 'zod';
import { GymError, show } from '../errors.js';

export interface TrajectoryPlace {
  readonly file?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
}

/** Data that is not a trajectory of this version: torn, altered, or written by something else. */
export class TrajectoryInvalidError extends GymError {
  readonly file?: string;
  readonly line?: number;

  constructor(
    readonly problem: string,
    /** Path in the data, e.g. `['step', 'tokens', 'ids', 3]`. */
    readonly path: readonly PropertyKey[] = [],
    { file, line }: TrajectoryPlace = {},
    { value, expected, hint, cause }: { value?: unknown; expected?: string; hint?: string; cause?: unknown } = {},
  ) {
    const at = [
      file && `${file}${line === undefined ? '' : `:${line}`}`,
      path.length > 0 && path.map(String).join('.'),
    ];
    super(`Invalid trajectory${at.some(Boolean) ? ` at ${at.filter(Boolean).join(', ')}` : ''}: ${problem}`, {
      code: 'TRAJECTORY_INVALID',
      value,
      ...(expected === undefined ? {} : { expected }),
      hint: hint ?? 'record the episode again, or skip invalid episodes when you read (`onInvalid: "skip"`)',
      cause,
    });
    if (file !== undefined) this.file = file;
    if (line !== undefined) this.line = line;
  }

  /** The first issue zod found, with its path; the others are in `cause`. */
  static fromZod(error: z.ZodError, place: TrajectoryPlace = {}, prefix: readonly PropertyKey[] = []) {
    const issue = error.issues[0];
    const path = [...prefix, ...(issue?.path ?? [])];
    return new TrajectoryInvalidError(issue?.message ?? 'unknown', path, place, { cause: error });
  }
}

/** A picture that a trajectory references is missing. */
export class ImageMissingError extends GymError {
  constructor(
    readonly hash: string,
    readonly place: string,
    cause?: unknown,
  ) {
    super(`The picture ${show(hash)} is missing from ${place}.`, {
      code: 'IMAGE_MISSING',
      value: hash,
      hint: 'keep the folder `images` next to `episodes.jsonl` when you move or share a recording',
      cause,
    });
  }
}
