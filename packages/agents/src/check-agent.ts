/** The shape of agents, for callers without types: one that was not called would fail every episode and look like a bad one. */
import { InvalidOptionError } from '@vlgym/core';
import type { AnyAgent } from './agent.js';

/** @throws {InvalidOptionError}  Not an agent, for example a function that makes one. */
export function checkAgent(option: string, agent: unknown): asserts agent is AnyAgent {
  const { name, act } = (agent ?? {}) as { readonly name?: unknown; readonly act?: unknown };
  if (typeof name === 'string' && typeof act === 'function') return;
  const hint = typeof agent === 'function' ? `call it: \`${option}: ${agent.name || 'agent'}(…)\`` : undefined;
  throw new InvalidOptionError(option, agent, 'an agent, an object with `name` and `act`', hint);
}
