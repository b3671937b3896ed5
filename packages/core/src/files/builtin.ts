/**
 * Node's modules, loaded on first use, so that a browser can load this package and use everything that needs no files.
 */
import { GymError } from '../errors.js';

type Builtins = {
  'node:fs': typeof import('node:fs');
  'node:crypto': typeof import('node:crypto');
  'node:fs/promises': typeof import('node:fs/promises');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
  'node:worker_threads': typeof import('node:worker_threads');
  'node:zlib': typeof import('node:zlib');
};

/** The module, or `undefined` outside Node (and Deno and Bun, which offer the same call). */
export function optionalBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
}

/** The module, or `NODE_NEEDED`. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const module = optionalBuiltin(name);
  if (module === undefined) {
    throw new GymError(`The module ${name} is not available.`, {
      code: 'NODE_NEEDED',
      value: name,
      expected: 'Node 20.19 or newer',
      hint: 'record, hash and replay trajectories in Node; browsers can show the results',
    });
  }
  return module;
}
