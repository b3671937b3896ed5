/** Errors of environments in Python. */
import { GymError } from '@vlgym/core';

/** Python raised an exception; its message, with Gymnasium's own suggestions, is kept. */
export class PythonEnvError extends GymError {
  constructor(
    /** Name of the exception, e.g. `NameNotFound`. */
    readonly pythonType: string,
    message: string,
    options: { readonly hint?: string; readonly code?: string } = {},
  ) {
    super(`${pythonType}: ${message}`, {
      code: options.code ?? 'PYTHON_ENV',
      value: pythonType,
      ...(options.hint === undefined ? {} : { hint: options.hint }),
    });
  }
}

/** The Python process is not there, has ended, or did not answer in time. */
export class PythonLostError extends GymError {
  constructor(message: string, lines: readonly string[], cause?: unknown) {
    const [last = ''] = lines.slice(-1);
    super(message, {
      code: 'PYTHON_LOST',
      ...(lines.length > 0 ? { value: lines.join('\n') } : {}),
      hint: last === '' ? 'the next reset starts a new process' : `its last line was: ${last.slice(0, 300)}`,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}
