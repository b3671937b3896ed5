/** Files that a program starts by name, as threads or processes: a bundler that makes one file of all leaves them behind. */
import { GymError } from '../errors.js';
import { builtin } from './builtin.js';

interface BuiltFile {
  /** The package that it is part of. */
  readonly package: string;
  /** Path in `dist`, e.g. `vector/worker.js`. */
  readonly path: string;
  /** Another way out than leaving the package out of the bundle; the end of the hint. */
  readonly otherwise?: string | undefined;
}

/** The program was bundled without a file that it starts. */
class WorkerFileMissingError extends GymError {
  constructor(url: URL, { package: name, path, otherwise }: BuiltFile) {
    const leaveOut = 'leave @vlgym/* out of the bundle (esbuild: --packages=external; Vite: ssr.external)';
    super(`The file that worker threads or processes run is not at ${url.href}.`, {
      code: 'WORKER_FILE_MISSING',
      value: url.href,
      expected: `\`dist/${path}\` of ${name}`,
      hint: otherwise === undefined ? leaveOut : `${leaveOut}, or ${otherwise}`,
    });
  }
}

/**
 * The file next to the built entry point. Sources (tests, tsx) use the build too, because Node cannot run TypeScript there.
 *
 * @param importer  `import.meta.url` of a module one folder below `src`.
 * @param url       Where the file is instead.
 * @throws {GymError} `WORKER_FILE_MISSING`
 */
export function builtFile(importer: string, file: BuiltFile, url?: URL | undefined): URL {
  const place = url ?? new URL(`${importer.endsWith('.ts') ? '../../dist' : '.'}/${file.path}`, importer);
  if (place.protocol === 'file:' && !builtin('node:fs').existsSync(place))
    throw new WorkerFileMissingError(place, file);
  return place;
}
