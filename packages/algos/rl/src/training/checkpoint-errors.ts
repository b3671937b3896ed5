/** Errors of checkpoints, of runs and of policies alike. */
import { GymError, show } from '@vlgym/core';
import { differingLeaf } from '@vlgym/core/internal';

/** A checkpoint, or a file of it, that is missing, or was altered or torn after it was written. Nothing was loaded of it. */
export class CheckpointDamagedError extends GymError {
  constructor(
    readonly path: string,
    readonly problem: string,
    cause?: unknown,
  ) {
    super(`The checkpoint ${path} cannot be read: ${problem}.`, {
      code: 'CHECKPOINT_DAMAGED',
      value: path,
      expected: 'a folder as `train` or `policy.save(folder)` wrote it',
      hint: 'restore the folder from an intact copy, or use an earlier checkpoint',
      cause,
    });
  }
}

/** A checkpoint of another algorithm, configuration, model or set-up. Nothing was loaded. */
export class CheckpointMismatchError extends GymError {
  constructor(
    readonly folder: string,
    /** The first thing that differs, e.g. `config.hiddenSize`. */
    readonly field: string,
    readonly found: unknown,
    readonly wanted: unknown,
  ) {
    super(`The checkpoint ${folder} was made with ${field} ${shown(found)}, not ${shown(wanted)}.`, {
      code: 'CHECKPOINT_MISMATCH',
      value: found,
      expected: `${field} ${shown(wanted)}`,
      hint: 'give the settings of the checkpoint (`loadPolicy(folder)` makes a policy that fits), or use another folder',
    });
  }
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : show(value));

/**
 * Compares two JSON values; the order of keys does not matter.
 *
 * @throws {CheckpointMismatchError} It names the first leaf that differs.
 */
export function assertSameSettings(folder: string, found: unknown, wanted: unknown): void {
  // numbers like Infinity are null in a file
  const difference = differingLeaf(found, JSON.parse(JSON.stringify(wanted)));
  if (difference) throw new CheckpointMismatchError(folder, ...difference);
}
