/** Options of `gymnasium:…`: a few are of the bridge, all others go to `gymnasium.make`. */
import { option, parseOptions, type RenderMode } from '@vlgym/core';
import { z } from 'zod';
import { PROCESS_MODES, type ProcessMode } from './lease.js';

const milliseconds = z.number({ error: 'milliseconds, more than 0' }).positive({ error: 'milliseconds, more than 0' });
const OWN_OPTIONS = {
  python: option.path('the path of a Python interpreter').optional(),
  renderMode: option.renderMode().optional(),
  snapshot: option.oneOf(['off', 'try']).optional(),
  timeoutMs: milliseconds.optional(),
  mode: option.oneOf(PROCESS_MODES).optional(),
} satisfies Record<string, z.ZodType>;
const OPTIONS = z.strictObject(OWN_OPTIONS);

/** Every other option goes to `gymnasium.make`. */
export interface GymnasiumOptions {
  /** Default: `VLGYM_PYTHON`, the active virtual environment, or `python3`. */
  readonly python?: string | undefined;
  readonly renderMode?: RenderMode | undefined;
  /** `try`: the environment has snapshots if Python can copy it; they live in its process. */
  readonly snapshot?: 'off' | 'try' | undefined;
  /** Limit of one call; the process is killed when it takes longer. Default: none. */
  readonly timeoutMs?: number | undefined;
  /**
   * `one-process`: environments of the same interpreter share a Python process, and take turns in it. A vector then costs
   * the memory of one; a call that exceeds its limit ends all of them. Default: a process each.
   */
  readonly mode?: ProcessMode | undefined;
  readonly [option: string]: unknown;
}

/** The bridge's options, checked, and the others. @throws {UnknownOptionError | InvalidOptionError} */
export function splitOptions(given: GymnasiumOptions) {
  const isOwn = ([name]: readonly [string, unknown]) => name in OWN_OPTIONS;
  const entries = Object.entries(given);
  const own = Object.fromEntries(entries.filter(isOwn));
  const kwargs = Object.fromEntries(entries.filter((entry) => !isOwn(entry)));
  return { options: parseOptions(own, OPTIONS) as GymnasiumOptions, kwargs };
}
