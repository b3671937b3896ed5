/**
 * Environments from specs that somebody else has written: a shared recording, a downloaded result.
 *
 * Such a spec may choose among environments that are registered already, and set harmless options. It never names code
 * to load, a program to start or a place on this machine; what of that is needed, the reader gives.
 * `trajectory/hostile-replay.test.ts` holds a corpus of hostile ones.
 */

import { GymError, show } from '../../errors.js';
import { checkNames, names } from '../../options.js';
import type { PipeableEnv } from '../../wrappers/pipe.js';
import { make } from '../make.js';
import { findRegistration } from '../register.js';
import { schemeOf } from '../scheme.js';
import { registryState } from '../state.js';
import type { EnvSpec, WrapperSpec } from './spec.js';
import { specFromJson } from './spec-json.js';

/** A spec from a file sets something that only the reader may choose. Nothing was loaded or started. */
export class UntrustedSpecError extends GymError {
  constructor(
    /** Where in the spec, e.g. `options.executablePath`. */
    readonly path: string,
    value: unknown,
    why: string,
    { expected, hint, cause }: { expected?: string; hint: string; cause?: unknown },
  ) {
    super(`The file sets \`${path}\` to ${show(value)}, ${why}.`, {
      code: 'UNTRUSTED_SPEC',
      value,
      ...(expected === undefined ? {} : { expected }),
      hint,
      cause,
    });
  }
}

export interface UntrustedSpecOptions {
  /** The reader's options of the constructor; each replaces that of the file and is not checked. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

const MAKE_FROM_UNTRUSTED_SPEC_OPTIONS = names<UntrustedSpecOptions>({ options: 0 });

/**
 * Builds the environment of a spec that came in a file.
 *
 * @throws {UntrustedSpecError}  `UNTRUSTED_SPEC`: it names a module that is not imported, or an option that files may not
 *   set, or it has more than 16 wrappers, or wrappers that multiply the work of a step by more than 10,000.
 */
export async function makeFromUntrustedSpec(spec: EnvSpec, given: UntrustedSpecOptions = {}): Promise<PipeableEnv> {
  checkNames('options', given, MAKE_FROM_UNTRUSTED_SPEC_OPTIONS);
  const { options: own = {} } = given;
  const { id, module, options = {}, wrappers = [], renderMode, ...flags } = specFromJson(JSON.stringify(spec));
  refuseScheme(id);
  refuseToImport(id, module);
  const { fileOptions } = findRegistration(id);
  const foreign = Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(own, name)));
  for (const name of Object.keys(foreign)) {
    if (fileOptions !== undefined && !fileOptions.includes(name)) refuse(`options.${name}`, foreign[name]);
  }
  checkUntrustedData(foreign, 'options');
  for (const [index, wrapper] of wrappers.entries()) {
    checkUntrustedData(wrapper.options ?? {}, `wrappers.${index}.options`);
  }
  refuseCostly(wrappers);
  // `human` would open windows that nobody watches in a replay
  const shown = renderMode === undefined || renderMode === 'human' ? {} : { renderMode };
  try {
    return await make({ ...flags, ...shown, id, wrappers, options: { ...foreign, ...own } });
  } catch (cause) {
    if (GymError.isInstance(cause)) throw cause;
    throw new UntrustedSpecError('options', options, 'which the environment refuses', {
      hint: 'give options that fit with `replay(trajectory, { envOptions })`',
      cause,
    });
  }
}

/** A scheme starts a program or opens an address. */
function refuseScheme(id: string): void {
  if (schemeOf(id) === undefined) return;
  throw new UntrustedSpecError('id', id, 'which a file may not choose', {
    hint: 'make the environment yourself and compare its steps with the file',
  });
}

/** Only the reader may load the module. */
function refuseToImport(id: string, module: string | undefined): void {
  if (module === undefined || registryState().envs.has(id)) return;
  const hint = /^@?[a-z0-9][\w./-]*$/i.test(module)
    ? `if you trust it, import the package yourself: \`import '${module}'\`, or \`vlgym replay --import ${module}\``
    : 'a path or URL in a file is never loaded; import what registers the environment yourself';
  throw new UntrustedSpecError('module', module, 'which is not imported', { hint });
}

const MAX_WRAPPERS = 16;
const MAX_WORK = 10_000;

/** Wrappers that multiply the steps or the observations below them, and the factor: a small file must not ask for hours or for all memory. */
const FACTORS: Readonly<Record<string, (options: Readonly<Record<string, unknown>>) => number>> = {
  actionRepeat: ({ times }) => Number(times),
  frameStack: ({ size }) => Number(size),
  // of pictures with 10,000 pixels
  resizeObservation: ({ height, width }) => (Number(height) * Number(width)) / 10_000,
};

function refuseCostly(wrappers: readonly WrapperSpec[]): void {
  const hint = 'make the environment yourself: `replay(trajectory, { env })`';
  if (wrappers.length > MAX_WRAPPERS) {
    const expected = `at most ${MAX_WRAPPERS} wrappers`;
    throw new UntrustedSpecError('wrappers', wrappers.length, 'which are too many', { expected, hint });
  }
  let work = 1;
  for (const [index, { name, options = {} }] of wrappers.entries()) {
    // the wrapper itself refuses numbers below 1 and what is not a number
    if (Object.hasOwn(FACTORS, name)) work *= Math.max(FACTORS[name]!(options) || 1, 1);
    if (work <= MAX_WORK) continue;
    const expected = `wrappers that together multiply the work of a step by at most ${MAX_WORK}`;
    throw new UntrustedSpecError(`wrappers.${index}.options`, options, 'which is too much', { expected, hint });
  }
}

/** Names of options that choose a program, code, a place or an address; compared by the words of a camelCase name. */
const RESERVED_WORDS = new Set([
  ...['path', 'paths', 'file', 'files', 'filename', 'folder', 'folders', 'dir', 'directory', 'root', 'home', 'cwd'],
  ...['python', 'node', 'command', 'cmd', 'exec', 'executable', 'binary', 'bin', 'program', 'interpreter', 'shell'],
  ...['script', 'args', 'argv', 'env', 'environment', 'module', 'import', 'require', 'plugin', 'preload', 'loader'],
  ...['url', 'uri', 'href', 'host', 'hostname', 'proxy', 'socket', 'address', 'sandbox'],
  ...['data', 'games', 'logic', 'assets', 'cache'],
]);
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype'];
const ADDRESS = /^\s*(?:data|file|https?|ftp|wss?|node|blob|javascript|npm|jsr):/i;
const PLACE = /^\s*(?:[/\\~]|[a-z]:[\\/])|(?:^|[\\/])\.\.(?:[\\/]|$)|\0/i;

const MAX_DEPTH = 8;
const MAX_VALUES = 10_000;
const MAX_TEXT = 10_000;

/**
 * Checks for plain data of limited size, in which no name stands for a program or a place and no text is an address or
 * leads out of a folder.
 *
 * @throws {UntrustedSpecError} Its `path` says where.
 */
export function checkUntrustedData(value: unknown, path: string): void {
  let left = MAX_VALUES;
  const check = (part: unknown, at: string, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) refuse(at, part, 'which is too large', `at most ${MAX_VALUES} values`);
    if (part === null || typeof part === 'boolean') return;
    if (typeof part === 'number') {
      if (!Number.isFinite(part) || Math.abs(part) > Number.MAX_SAFE_INTEGER) refuse(at, part, 'which is too large');
      return;
    }
    if (typeof part === 'string') {
      if (part.length > MAX_TEXT) refuse(at, part, 'which is too long', `at most ${MAX_TEXT} characters`);
      if (ADDRESS.test(part) || PLACE.test(part)) refuse(at, part);
      return;
    }
    if (typeof part !== 'object') refuse(at, part, 'which is not JSON data');
    for (const [name, inner] of Object.entries(part as object)) {
      if (!Array.isArray(part) && isReserved(name)) refuse(`${at}.${name}`, inner);
      check(inner, `${at}.${name}`, depth + 1);
    }
  };
  check(value, path, 0);
}

function isReserved(name: string): boolean {
  if (PROTOTYPE_NAMES.includes(name)) return true;
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
  return words.some((word) => RESERVED_WORDS.has(word.toLowerCase()));
}

function refuse(path: string, value: unknown, why = 'which a file may not choose', expected?: string): never {
  const [start, name] = path.split('.');
  const own = start === 'resetOptions' ? 'resetOptions' : 'envOptions';
  throw new UntrustedSpecError(path, value, why, {
    ...(expected === undefined ? {} : { expected }),
    hint: `if you want it, pass it yourself: \`replay(trajectory, { ${own}: { ${name}: … } })\``,
  });
}
