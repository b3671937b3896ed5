/**
 * Fetches libtorch from the Python package index with pip: the wheel of torch without its dependencies, of which a CPU
 * run needs two small ones when the wheel is a CUDA build. Wheels are downloaded first and unpacked only when their
 * SHA-256 is the pinned one (`pins.ts`). What only Python or a GPU would use is not kept.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fetchedLibtorch, LIBTORCH_VERSION } from './cache.js';
import { FetchError, ToolMissingError } from './errors.js';
import { inspect } from './locate.js';
import { checkWheel, NVIDIA_VERSIONS } from './pins.js';
import { run, which } from './run.js';

/** Libraries of a CUDA wheel that `libtorch_cpu` does not ask for. */
const CUDA_ONLY = /^(libtorch_cuda|libc10_cuda|libcaffe2_nvrtc|libtorch_nvshmem|libtorch_python|libtorch\.|libshm)/;
/** Libraries that `libtorch_cpu` of a CUDA wheel asks for at load time. */
const NEEDED_OF_NVIDIA = /^lib(cudart|cupti)\.so/;

export async function fetchLibtorch(onProgress: (line: string) => void): Promise<void> {
  const python = which(['python3', 'python']);
  if (!python) throw new ToolMissingError('python3', 'python3 python3-pip');
  if ((await run(python, ['-m', 'pip', '--version'])).code !== 0) throw new ToolMissingError('pip', 'python3-pip');

  const final = fetchedLibtorch();
  const temporary = `${final}.${process.pid}.partial`;
  mkdirSync(dirname(final), { recursive: true });
  rmSync(temporary, { recursive: true, force: true });
  try {
    await install(python, [`torch==${LIBTORCH_VERSION}`], temporary, onProgress);
    const found = inspect(join(temporary, 'torch'));
    if (typeof found === 'string') throw new FetchError('torch', `the wheel ${found}`);
    if (found.cuda) await install(python, cudaRuntime(found.cuda), temporary, onProgress);
    prune(temporary);
    rmSync(final, { recursive: true, force: true });
    renameSync(temporary, final);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** NVIDIA's wheels carry the major version in their name up to 12, in their version from 13 on. */
function cudaRuntime(cuda: string): string[] {
  const major = Number.parseInt(cuda, 10);
  return ['nvidia-cuda-runtime', 'nvidia-cuda-cupti'].map((name) =>
    major >= 13 ? `${name}==${NVIDIA_VERSIONS[major]?.[name] ?? `${major}.*`}` : `${name}-cu${major}`,
  );
}

/** Downloads wheels, compares their digests, unpacks them. @throws {DigestMismatchError} Nothing of it was unpacked. */
async function install(
  python: string,
  requirements: readonly string[],
  target: string,
  onProgress: (line: string) => void,
): Promise<void> {
  const downloads = `${target}.wheels`;
  const quiet = ['--no-deps', '--disable-pip-version-check', '--no-input'];
  const pip = async (...args: readonly string[]) => {
    const { code, log } = await run(python, ['-m', 'pip', ...args], { onLine: onProgress });
    if (code !== 0) throw new FetchError(requirements.join(' '), log);
  };
  rmSync(downloads, { recursive: true, force: true });
  try {
    onProgress(`pip download ${requirements.join(' ')}`);
    // wheels only: a source distribution would run its setup script before it could be compared
    await pip('download', ...quiet, '--only-binary=:all:', '--dest', downloads, ...requirements);
    const wheels = readdirSync(downloads).map((name) => join(downloads, name));
    for (const wheel of wheels) {
      const warning = await checkWheel(wheel);
      if (warning) onProgress(warning);
    }
    await pip('install', ...quiet, '--no-index', '--no-compile', '--target', target, ...wheels);
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}

function prune(root: string): void {
  for (const name of readdirSync(root)) {
    if (!['torch', 'nvidia'].includes(name) && !name.endsWith('.dist-info')) remove(root, name);
  }
  const torch = join(root, 'torch');
  for (const name of readdirSync(torch)) if (!['lib', 'include', 'version.py'].includes(name)) remove(torch, name);
  for (const name of readdirSync(join(torch, 'lib'))) if (CUDA_ONLY.test(name)) remove(join(torch, 'lib'), name);
  const nvidia = join(root, 'nvidia');
  if (!existsSync(nvidia)) return;
  for (const entry of readdirSync(nvidia, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !NEEDED_OF_NVIDIA.test(entry.name)) remove(entry.parentPath, entry.name);
  }
}

function remove(folder: string, name: string): void {
  rmSync(join(folder, name), { recursive: true, force: true });
}
