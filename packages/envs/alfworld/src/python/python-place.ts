/**
 * Finds the Python interpreter, and manages the folder of our virtual environments:
 *
 *     <cache>/alfworld-python/current.json      written last: names the folder in use and its contents
 *     <cache>/alfworld-python/venv-<pid>-…      virtual environment, made by the process with that id
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder } from '../games/listing-cache.js';

/** Packages to install. The planner imports `pkg_resources`, which later versions of setuptools do not have. */
export const REQUIREMENTS = ['setuptools<81', 'alfworld==0.4.2', 'textworld[pddl]==1.7.0', 'TatSu==5.8.3'] as const;

const currentSchema = z.object({
  folder: z.string(),
  /** Interpreter with which it was made. */
  base: z.string(),
  requirements: z.array(z.string()),
  alfworld: z.string(),
  textworld: z.string(),
  python: z.string(),
});

/** Description of a virtual environment, written once it has been tested. */
export type Current = z.output<typeof currentSchema>;

/** Folder of our virtual environments. */
export function pythonFolder(): string {
  return join(cacheFolder(), 'alfworld-python');
}

/** File that names the complete virtual environment. */
export function currentFile(): string {
  return join(pythonFolder(), 'current.json');
}

/** Interpreter of a virtual environment. */
export function interpreterOf(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

/** Our virtual environment, if it is complete and has the packages of this release. */
export function currentPython(): (Current & { readonly interpreter: string }) | undefined {
  let current: Current;
  try {
    current = currentSchema.parse(JSON.parse(readFileSync(currentFile(), 'utf8')));
  } catch {
    return undefined;
  }
  const interpreter = interpreterOf(join(pythonFolder(), current.folder));
  const fits = JSON.stringify(current.requirements) === JSON.stringify(REQUIREMENTS);
  return fits && existsSync(interpreter) ? { ...current, interpreter } : undefined;
}

/** Name of the system's interpreter; an active virtual environment puts its own first on the path. */
export const SYSTEM_PYTHON = process.platform === 'win32' ? 'python' : 'python3';

/** `VLGYM_ALFWORLD_PYTHON`, else ours, else the system's. */
export function defaultPython(): string {
  return process.env.VLGYM_ALFWORLD_PYTHON || (currentPython()?.interpreter ?? SYSTEM_PYTHON);
}

/** An interpreter that has the original package: `VLGYM_ALFWORLD_PYTHON`, else the one of `setupPython`; `undefined` without. */
export function originalPython(): string | undefined {
  return process.env.VLGYM_ALFWORLD_PYTHON || currentPython()?.interpreter;
}
