/** Reports what is installed and what is missing, without changing anything. */
import { native } from '../native/load.js';
import { cacheFolder, findAddon } from './cache.js';
import { findTools } from './compile.js';
import { locate } from './locate.js';
import type { Location } from './location.js';
import { which } from './run.js';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** The finding, or a description of the problem. */
  readonly detail: string;
  /** A remedy for the problem. */
  readonly hint?: string;
}

/** Checks in the order in which setup needs them. Never throws. */
export function doctor(): Check[] {
  let location: Location | undefined;
  return [
    check('libtorch', () => {
      location = locate();
      if (!location) throw new Error('not found');
      return `${location.version} (${location.source}) at ${location.root}`;
    }),
    check('build tools', () => {
      const { cmake, compiler, generator } = findTools();
      return `${cmake}, ${compiler}, ${generator}`;
    }),
    check('python and pip', () => {
      const python = which(['python3', 'python']);
      if (!python) throw new Error('no python3; only `setup({ fetch: true })` needs it');
      return python;
    }),
    check('addon', () => {
      const addon = location && findAddon(location);
      if (!addon) throw new Error(`none in ${cacheFolder()} for this libtorch and these sources`);
      return addon;
    }),
    check('loads', () => {
      const addon = native();
      const devices = addon.cudaDeviceCount();
      return `libtorch ${addon.version()}, ${addon.getNumThreads()} threads, ${devices} CUDA devices`;
    }),
  ];
}

const HINTS: Readonly<Record<string, string>> = {
  libtorch: 'run `npx vlgym setup --fetch`, or set LIBTORCH',
  addon: 'run `npx vlgym setup`',
};

function check(name: string, look: () => string): Check {
  try {
    return { name, ok: true, detail: look() };
  } catch (error) {
    const known = error as { message?: string; hint?: string };
    const hint = known.hint ?? HINTS[name];
    const detail = (known.message ?? String(error)).split('\n')[0] ?? '';
    return hint ? { name, ok: false, detail, hint } : { name, ok: false, detail };
  }
}
