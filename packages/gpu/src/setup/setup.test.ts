import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity } from '@vlgym/core/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LIBTORCH_VERSION } from './cache.js';
import { compile, findTools } from './compile.js';
import { doctor } from './doctor.js';
import { CompileError, DigestMismatchError, FetchError, LibtorchNotFoundError, ToolMissingError } from './errors.js';
import { fetchLibtorch } from './fetch.js';
import { inspect, LibtorchInvalidError, locate } from './locate.js';
import { withLock } from './lock.js';
import { checkWheel, PINS } from './pins.js';
import { run } from './run.js';
import { setup } from './setup.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder that looks like libtorch: the files that `locate` reads, empty. */
function fakeTorch(root: string, version = '2.13.0', extra = 'cuda: Optional[str] = None\n'): string {
  mkdirSync(join(root, 'lib'), { recursive: true });
  mkdirSync(join(root, 'include', 'ATen'), { recursive: true });
  writeFileSync(join(root, 'lib', process.platform === 'darwin' ? 'libtorch_cpu.dylib' : 'libtorch_cpu.so'), '');
  writeFileSync(join(root, 'include', 'ATen', 'ATen.h'), '');
  writeFileSync(join(root, 'version.py'), `__version__ = '${version}'\ndebug = False\n${extra}`);
  return root;
}

function fakeProgram(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return path;
}

describe('locate', () => {
  it('takes LIBTORCH before anything else, and reads version and CUDA', () => {
    const root = fakeTorch(join(folder, 'a'), '2.9.1+cu128', "cuda: Optional[str] = '12.8'\n");
    expect(locate({ LIBTORCH: root, VIRTUAL_ENV: folder })).toMatchObject({
      root,
      version: '2.9.1+cu128',
      cuda: '12.8',
      source: 'LIBTORCH',
    });
  });

  it('refuses an invalid LIBTORCH instead of silently taking another', () => {
    expect(() => locate({ LIBTORCH: folder })).toThrow(LibtorchInvalidError);
    expect(() => locate({ LIBTORCH: fakeTorch(join(folder, 'old'), '2.6.0') })).toThrow(/older than 2.7/);
  });

  it('finds the torch of a virtual environment, of PYTHONPATH, and of the python3 on the path', () => {
    const site = 'lib/python3.12/site-packages';
    const environment = join(folder, 'venv');
    fakeTorch(join(environment, site, 'torch'));
    expect(locate({ VIRTUAL_ENV: environment })?.source).toBe('python');
    expect(locate({ PYTHONPATH: join(environment, site) })?.source).toBe('python');

    const base = fakeProgram(join(folder, 'base/bin/python3'));
    mkdirSync(join(environment, 'bin'));
    symlinkSync(base, join(environment, 'bin/python3'));
    expect(locate({ PATH: join(environment, 'bin') })?.root).toBe(join(environment, site, 'torch'));
  });

  it('follows the links of a program to its base, and the version file of pyenv', () => {
    fakeTorch(join(folder, 'base/lib/python3.11/site-packages/torch'));
    const base = fakeProgram(join(folder, 'base/bin/python3.11'));
    mkdirSync(join(folder, 'links'));
    symlinkSync(base, join(folder, 'links/python3'));
    expect(locate({ PATH: join(folder, 'links') })?.version).toBe('2.13.0');

    fakeProgram(join(folder, 'pyenv/shims/python3'));
    writeFileSync(join(folder, 'pyenv/version'), '3.12.1\n');
    const chosen = fakeTorch(join(folder, 'pyenv/versions/3.12.1/lib/python3.12/site-packages/torch'), '2.8.0');
    expect(locate({ PATH: join(folder, 'pyenv/shims') })?.root).toBe(chosen);
  });

  it('falls back to the cache, passing over a Python torch that is too old', () => {
    fakeTorch(join(folder, 'venv/lib/python3.9/site-packages/torch'), '2.1.0');
    const cached = fakeTorch(join(folder, 'cache/libtorch-2.13.0/torch'));
    expect(locate({ VIRTUAL_ENV: join(folder, 'venv'), VLGYM_CACHE: join(folder, 'cache') })).toMatchObject({
      root: cached,
      source: 'cache',
    });
  });

  it('reads the build-version of a plain libtorch archive', () => {
    const root = fakeTorch(join(folder, 'zip'));
    rmSync(join(root, 'version.py'));
    writeFileSync(join(root, 'build-version'), '2.7.0+cu126\n');
    expect(inspect(root)).toMatchObject({ version: '2.7.0+cu126', cuda: '12.6' });
  });
});

describe('setup', () => {
  it('says what to type when libtorch is missing', async () => {
    vi.stubEnv('PATH', folder);
    vi.stubEnv('VLGYM_CACHE', folder);
    vi.stubEnv('HOME', folder);
    const error = await setup().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LibtorchNotFoundError);
    expect((error as LibtorchNotFoundError).hint).toContain('--fetch');
    expect(doctor().map(({ name, ok }) => [name, ok])).toContainEqual(['libtorch', false]);
  });

  it('names the missing tool and its Debian package', async () => {
    const bin = join(folder, 'bin');
    expect(() => findTools({ PATH: bin })).toThrow(/apt-get install cmake/);
    fakeProgram(join(bin, 'cmake'));
    expect(() => findTools({ PATH: bin })).toThrow(/apt-get install g\+\+/);
    fakeProgram(join(bin, 'g++'));
    expect(() => findTools({ PATH: bin })).toThrow(/apt-get install ninja-build/);
    fakeProgram(join(bin, 'make'));
    expect(findTools({ PATH: bin }).generator).toBe('Unix Makefiles');
    vi.stubEnv('PATH', bin);
    vi.stubEnv('VLGYM_CACHE', join(folder, 'cache'));
    rmSync(join(bin, 'cmake'));
    await expect(setup({ fetch: true })).rejects.toThrow(ToolMissingError);
  });

  it('shows what the compiler said and leaves nothing half-built', async () => {
    vi.stubEnv('VLGYM_CACHE', join(folder, 'cache'));
    const root = fakeTorch(join(folder, 'broken'));
    const lines: string[] = [];
    const error = await compile({ root, version: '2.13.0', cuda: null, source: 'LIBTORCH' }, (line) =>
      lines.push(line),
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CompileError);
    expect((error as CompileError).log).toContain('C10');
    expect((await run('ls', [join(folder, 'cache')])).log).toBe('');
  });

  it('does nothing the second time', async () => {
    const { compiled, fetched } = await setup();
    expect([compiled, fetched]).toEqual([false, false]);
  });
});

describe('a download', () => {
  /** Stands in for Python: `pip download` writes a wheel, `pip install` notes what it was asked to unpack. */
  function fakePip(wheel: string, content: string): void {
    const script = [
      '#!/bin/sh',
      'case "$*" in',
      '  *--version*) exit 0 ;;',
      `  *download*) while [ "$1" != --dest ]; do shift; done; mkdir -p "$2"; printf '${content}' > "$2/${wheel}" ;;`,
      `  *) echo "$*" >> "${folder}/unpacked"; exit 1 ;;`,
      'esac',
    ];
    const path = fakeProgram(join(folder, 'bin/python3'));
    writeFileSync(path, `${script.join('\n')}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${join(folder, 'bin')}:/usr/bin:/bin`);
    vi.stubEnv('VLGYM_CACHE', join(folder, 'cache'));
  }
  const known = 'torch-2.13.0-cp312-cp312-manylinux_2_28_x86_64.whl';

  it('that is not the pinned file is refused before anything is unpacked', async () => {
    fakePip(known, 'evil');
    const error = await fetchLibtorch(() => {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DigestMismatchError);
    expect(error).toMatchObject({ code: 'SETUP_DIGEST_MISMATCH', file: known, wanted: PINS[known] });
    expect(existsSync(join(folder, 'unpacked'))).toBe(false);
    expect(readdirSync(join(folder, 'cache'))).toEqual([]);
  });

  it('without a pin is unpacked and reported as UNPINNED', async () => {
    fakePip('torch-2.13.0-cp399-cp399-any.whl', 'new');
    const lines: string[] = [];
    await expect(fetchLibtorch((line) => lines.push(line))).rejects.toThrow(FetchError);
    expect(lines.filter((line) => line.startsWith('UNPINNED torch-2.13.0-cp399'))).toHaveLength(1);
    expect(readFileSync(join(folder, 'unpacked'), 'utf8')).toMatch(/--no-index .*cp399/);
  });

  it('of the pinned digest passes without a warning', async () => {
    writeFileSync(join(folder, known), 'good');
    const sha256 = '770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c';
    expect(await checkWheel(join(folder, known), { [known]: sha256 })).toBeUndefined();
  });

  it('is pinned for every Python and platform that has a wheel', () => {
    expect(Object.values(PINS).filter((digest) => !/^[0-9a-f]{64}$/.test(digest))).toEqual([]);
    expect(Object.keys(PINS).filter((name) => name.startsWith(`torch-${LIBTORCH_VERSION}-`))).toHaveLength(15);
  });
});

describe('the lock', () => {
  it('lets one work at a time, and tells the one that waits', async () => {
    const order: string[] = [];
    let waits = () => {};
    const secondWaits = new Promise<void>((resolve) => {
      waits = resolve;
    });
    let begins = () => {};
    const firstBegins = new Promise<void>((resolve) => {
      begins = resolve;
    });
    const first = withLock(folder, async () => {
      begins();
      await secondWaits;
      order.push('first');
    });
    await firstBegins;
    const second = withLock(folder, async () => order.push('second'), waits);
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  it('is released when the work fails', async () => {
    await expect(withLock(folder, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await withLock(folder, async () => 1)).toBe(1);
  });

  it('is taken over from a dead owner', async () => {
    mkdirSync(join(folder, '.setup.lock'));
    const dead = { ...(await ownIdentity()), pid: 999_999_999 };
    const claim = join(folder, '.setup.lock', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa');
    writeFileSync(`${claim}.json`, JSON.stringify(dead));
    writeFileSync(`${claim}.held`, '');
    expect(await withLock(folder, async () => 1)).toBe(1);
  });
});
