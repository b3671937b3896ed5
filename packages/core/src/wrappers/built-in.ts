/** The wrappers that a spec can name without anybody registering them; each takes the options of its `wrapperSpec`. */
import type { WrapperFactory } from '../registry/wrapper-registry.js';
import { orderEnforcing } from './order-enforcing.js';
import { passiveChecker } from './passive-checker.js';
import { timeLimit } from './time-limit.js';

export const builtInWrappers: ReadonlyMap<string, WrapperFactory> = new Map<string, WrapperFactory>([
  ['timeLimit', ({ steps }) => timeLimit(steps)],
  ['passiveChecker', () => passiveChecker()],
  ['orderEnforcing', () => orderEnforcing()],
]);
