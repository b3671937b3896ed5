/** What can go wrong with the Python process, and with what it needs. */
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
  readonly expected?: string;
  readonly hint?: string;
  readonly cause?: unknown;
  /** The last that the process wrote to its standard error. */
  readonly stderr?: string;
  readonly caller?: number | undefined;
}

/** The end of a traceback says most. */
const SHOWN_LINES = 6;

/**
 * The interpreter is not there (`PYTHON_NOT_FOUND`), has no alfworld (`PYTHON_PACKAGE_MISSING`), died (`PYTHON_LOST`),
 * did not answer in time (`PYTHON_TIMEOUT`), needed more memory than there is or than it may have (`PYTHON_MEMORY`), or
 * answered what cannot be read (`PYTHON_PROTOCOL`); the process is then gone. Where a call raised (`PYTHON_FAILED`), only
 * the environment that asked is. `stderr` has the process's last words, the message the end of them.
 *
 * While a Python is set up: it is too old (`PYTHON_TOO_OLD`), cannot make virtual environments (`PYTHON_VENV_MISSING`),
 * pip fails (`PYTHON_INSTALL_FAILED`) or finds no network (`NO_NETWORK`).
 */
export class PythonError extends GymError {
  readonly stderr: string;
  /** Number of the environment whose call it was; `undefined` where nobody had asked anything. */
  declare readonly caller: number | undefined;

  constructor(message: string, { stderr = '', caller, ...options }: PythonErrorOptions) {
    const words = stderr.trim().split('\n').slice(-SHOWN_LINES).join('\n    ');
    super(words === '' ? message : `${message}\n  stderr: ${words}`, options);
    this.stderr = stderr;
    // not for printing: it tells environments of one process whose fault it was
    Object.defineProperty(this, 'caller', { value: caller });
  }
}
