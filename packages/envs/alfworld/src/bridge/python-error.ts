/** What can go wrong with the Python process. */
import { GymError } from '@vlgym/core';

export type PythonErrorCode =
  | 'PYTHON_NOT_FOUND'
  | 'PYTHON_PACKAGE_MISSING'
  | 'PYTHON_LOST'
  | 'PYTHON_TIMEOUT'
  | 'PYTHON_PROTOCOL'
  | 'PYTHON_FAILED';

export interface PythonErrorOptions {
  readonly code: PythonErrorCode;
  readonly value?: unknown;
  readonly hint?: string;
  readonly cause?: unknown;
  /** The last that the process wrote to its standard error. */
  readonly stderr?: string;
}

/** The end of a traceback says most. */
const SHOWN_LINES = 6;

/**
 * The interpreter is not there (`PYTHON_NOT_FOUND`), has no alfworld (`PYTHON_PACKAGE_MISSING`), died (`PYTHON_LOST`),
 * did not answer in time (`PYTHON_TIMEOUT`), answered what cannot be read (`PYTHON_PROTOCOL`), or raised
 * (`PYTHON_FAILED`). The process is then gone; `stderr` has its last words, the message the end of them.
 */
export class PythonError extends GymError {
  readonly stderr: string;

  constructor(message: string, { stderr = '', ...options }: PythonErrorOptions) {
    const words = stderr.trim().split('\n').slice(-SHOWN_LINES).join('\n    ');
    super(words === '' ? message : `${message}\n  stderr: ${words}`, options);
    this.stderr = stderr;
  }
}
