/** ALFWorld's text engine in the Python package: games, order, texts, and ends as in `AlfredTextEnv`. */
import { spaces } from '@vlgym/core';
import { BridgedEnv } from './bridged-env.js';
import { type AlfredPythonOptions, checkTextOptions, DEFAULT_MAX_STEPS } from './python-options.js';

/**
 * `alfworld/AlfredTWEnvPython-v0`: the text engine of the Python package alfworld on its own game files.
 *
 * Environments with the same Python and data share a process, which starts with their first `reset` and ends with the
 * last `close`. `oracle` needs the option `expert`.
 */
export class AlfredPythonEnv extends BridgedEnv<string> {
  override readonly metadata = { renderModes: ['ansi'], renderFps: 2 } as const;

  constructor(options: AlfredPythonOptions = {}) {
    checkTextOptions(options);
    const { maxSteps = DEFAULT_MAX_STEPS, expert, domainRandomization = false, shareProcess = true } = options;
    super(options, {
      space: spaces.text({ minLength: 0, maxLength: 16_384 }),
      shared: shareProcess,
      parameters: { engine: 'text', steps: maxSteps, expert: expert !== undefined, shuffle: domainRandomization },
      observe: (text) => text,
    });
  }
}
