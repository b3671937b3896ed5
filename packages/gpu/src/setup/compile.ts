/** Compiles the addon with plain CMake in a temporary folder, tries it in a fresh process, and moves it into place. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import { NativeLoadError } from '../native/errors.js';
import { cacheFolder, publishAddon } from './cache.js';
import { CompileError, ToolMissingError } from './errors.js';
import type { Location } from './location.js';
import { nativeSources, nodeApiHeaders } from './package-files.js';
import { run, which } from './run.js';

/** Memory that one run of the compiler needs over libtorch's headers. */
const BYTES_PER_JOB = 1.5e9;

export interface Tools {
  readonly cmake: string;
  readonly compiler: string;
  /** CMake's generator and the program it drives. */
  readonly generator: 'Ninja' | 'Unix Makefiles';
}

/** @throws {ToolMissingError} cmake, a C++ compiler, or both ninja and make are missing. */
export function findTools(environment: NodeJS.ProcessEnv = process.env): Tools {
  const cmake = which(['cmake'], environment);
  if (!cmake) throw new ToolMissingError('cmake', 'cmake');
  const compiler = which(environment.CXX ? [environment.CXX] : ['c++', 'g++', 'clang++'], environment);
  if (!compiler) throw new ToolMissingError(environment.CXX ?? 'a C++ compiler', 'g++');
  if (which(['ninja'], environment)) return { cmake, compiler, generator: 'Ninja' };
  if (which(['make', 'gmake'], environment)) return { cmake, compiler, generator: 'Unix Makefiles' };
  throw new ToolMissingError('ninja', 'ninja-build');
}

/** @returns Path of the compiled addon. @throws {CompileError} @throws {NativeLoadError} It compiled but does not load. */
export async function compile(location: Location, onProgress: (line: string) => void): Promise<string> {
  const tools = findTools();
  mkdirSync(cacheFolder(), { recursive: true });
  const build = mkdtempSync(join(cacheFolder(), 'build-'));
  try {
    onProgress(`configuring for libtorch ${location.version}`);
    const configured = await run(tools.cmake, [
      ...['-G', tools.generator, '-S', nativeSources(), '-B', build],
      `-DCMAKE_CXX_COMPILER=${tools.compiler}`,
      `-DTORCH_ROOT=${location.root}`,
      `-DNODE_API_INCLUDE=${nodeApiHeaders()}`,
    ]);
    if (configured.code !== 0) throw new CompileError('cmake', configured.log);

    const jobs = Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / BYTES_PER_JOB)));
    const built = await run(tools.cmake, ['--build', build, '--parallel', String(jobs)], {
      onLine: (line) => {
        const step = /^\[\s*(\d+\/\d+|\d+%)\]/.exec(line)?.[1];
        if (step) onProgress(`compiling ${step}`);
      },
    });
    if (built.code !== 0) throw new CompileError('the compiler', built.log);

    const addon = join(build, 'vlgym.node');
    const tried = await run(process.execPath, [
      '-e',
      `const m = { exports: {} }; process.dlopen(m, ${JSON.stringify(addon)}); console.log(m.exports.version())`,
    ]);
    if (tried.code !== 0) {
      const reason = tried.log.split('\n').find((line) => /Error/.test(line)) ?? tried.log;
      throw new NativeLoadError(addon, new Error(reason.trim()));
    }
    const { log: compilerVersion } = await run(tools.compiler, ['--version']);
    return publishAddon(location, `${compilerVersion.split('\n')[0]}`, addon);
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}
