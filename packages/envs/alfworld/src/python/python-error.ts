/** Errors of the Python process and its installation. */
import { GymError } from '@vlgym/core';

export type PythonErrorCode =
  | 'PYTHON_NOT_FOUND'
  | 'PYTHON_PACKAGE_MISSING'
  | 'PYTHON_LOST'
  | 'PYTHON_TIMEOUT'
  | 'PYTHON_MEMORY'
  | 'PYTHON_PROTOCOL'
  | 'PYTHON_FAILED'
  | 'PYTHON_TOO_OLD'
  | 'PYTHON_VENV_MISSING'
  | 'PYTHON_INSTALL_FAILED'
  | 'NO_NETWORK';

export interface PythonErrorOptions {
  readonly code: PythonErrorCode;
  readonly value?: unknown;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** End of the process's standard error. */
  readonly stderr?: string | undefined;
  readonly caller?: number | undefined;
}

/** Lines of standard error in a message: the end of a traceback is the most useful part. */
const SHOWN_LINES = 6;

/**
 * The interpreter was not found (`PYTHON_NOT_FOUND`), has no alfworld (`PYTHON_PACKAGE_MISSING`), died (`PYTHON_LOST`),
 * did not answer in time (`PYTHON_TIMEOUT`), ran out of memory (`PYTHON_MEMORY`), or sent an unreadable answer
 * (`PYTHON_PROTOCOL`): these end the process. If a call raised (`PYTHON_FAILED`), only its own environment is affected.
 * `stderr` holds the end of the process's standard error; the message repeats its last lines.
 *
 * During setup: Python is too old (`PYTHON_TOO_OLD`) or cannot make virtual environments (`PYTHON_VENV_MISSING`), or pip
 * fails (`PYTHON_INSTALL_FAILED`) or finds no network (`NO_NETWORK`).
 */
export class PythonError extends GymError {
  readonly stderr: string;
  /** Number of the environment whose call failed; `undefined` if there was no call. */
  declare readonly caller: number | undefined;

  constructor(message: string, { stderr = '', caller, ...options }: PythonErrorOptions) {
    const words = stderr.trim().split('\n').slice(-SHOWN_LINES).join('\n    ');
    super(words === '' ? message : `${message}\n  stderr: ${words}`, options);
    this.stderr = stderr;
    // Not printed: environments of one process use it to find whose call failed.
    Object.defineProperty(this, 'caller', { value: caller });
  }
}
