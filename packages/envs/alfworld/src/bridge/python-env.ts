/** ALFWorld's text engine in the Python package: same games, order, words and ends as `AlfredTextEnv`. */
import { spaces } from '@vlgym/core';
import { BridgedEnv } from './bridged-env.js';
import { type AlfredPythonOptions, checkTextOptions, DEFAULT_MAX_STEPS } from './python-options.js';

/**
 * `alfworld/AlfredTWEnvPython-v0`: the text engine of the Python package alfworld on its own game files.
 *
 * All that want the same Python and data share a process: it starts with the first `reset` of the first of them and ends
 * with `close` of the last. `oracle` speaks only with the option `expert`.
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
