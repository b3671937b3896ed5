/**
 * Names of options and the shape of agents, for callers without types: a misspelled option would otherwise change nothing,
 * and an agent that was not called would fail every episode and look like a bad one.
 */
import { InvalidOptionError } from '@vlgym/core';
import { refuseUnknownOptions } from '@vlgym/core/internal';
import type { AnyAgent } from './agent.js';

/** Every name of a type, kept complete by the compiler: `names<Budget>({ requests: 0, … })`. */
export const names = <T>(each: { readonly [K in keyof Required<T>]: 0 }): readonly string[] => Object.keys(each);

/**
 * @throws {UnknownOptionError}  A name is not in `known`.
 * @throws {InvalidOptionError}  The options are not an object.
 */
export function checkNames(option: string, options: unknown, known: readonly string[]): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new InvalidOptionError(option, options, `an object with some of ${known.join(', ')}`);
  }
  refuseUnknownOptions(options, known);
}

/** @throws {InvalidOptionError}  Not an agent, for example a function that makes one. */
export function checkAgent(option: string, agent: unknown): asserts agent is AnyAgent {
  const { name, act } = (agent ?? {}) as { readonly name?: unknown; readonly act?: unknown };
  if (typeof name === 'string' && typeof act === 'function') return;
  const hint = typeof agent === 'function' ? `call it: \`${option}: ${agent.name || 'agent'}(…)\`` : undefined;
  throw new InvalidOptionError(option, agent, 'an agent, an object with `name` and `act`', hint);
}
