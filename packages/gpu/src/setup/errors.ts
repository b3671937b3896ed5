/** Errors of setting up the native part; each one says what to type next. */
import { GymError } from '@vlgym/core';

/** A program that setup needs is not installed. */
export class ToolMissingError extends GymError {
  constructor(
    readonly tool: string,
    debianPackage: string,
  ) {
    super(`Program not found: ${tool}.`, {
      code: 'SETUP_TOOL_MISSING',
      value: tool,
      hint: `install it, on Debian and Ubuntu: apt-get install ${debianPackage}`,
    });
  }
}

/** cmake or the compiler failed; `log` is its output. */
export class CompileError extends GymError {
  constructor(
    step: string,
    readonly log: string,
  ) {
    super(`${step} failed:\n${tail(log)}`, {
      code: 'SETUP_COMPILE_FAILED',
      hint: 'the addon needs a C++20 compiler (g++ 11 or clang 14 and later) and libtorch 2.7 or later',
    });
  }
}

/** pip could not fetch libtorch. */
export class FetchError extends GymError {
  constructor(
    what: string,
    readonly log: string,
  ) {
    super(`pip could not install ${what}:\n${tail(log)}`, {
      code: 'SETUP_FETCH_FAILED',
      hint: 'check the network and pip, or set LIBTORCH to a libtorch that is already on this machine',
    });
  }
}

/** A downloaded wheel is not the one whose SHA-256 this version of the package knows. Nothing was unpacked. */
export class DigestMismatchError extends GymError {
  constructor(
    readonly file: string,
    readonly found: string,
    readonly wanted: string,
  ) {
    super(`Unexpected SHA-256 of the download ${file}: ${found}.`, {
      code: 'SETUP_DIGEST_MISMATCH',
      value: found,
      expected: wanted,
      hint: 'empty the cache of pip (`pip cache purge`) and check its index and mirrors; nothing was unpacked',
    });
  }
}

/** libtorch was not found, and `fetch` is off. */
export class LibtorchNotFoundError extends GymError {
  constructor() {
    super('No libtorch was found: LIBTORCH is not set, no Python torch is on the path, the cache has none.', {
      code: 'LIBTORCH_NOT_FOUND',
      expected: 'libtorch 2.7 or later',
      hint: 'run `npx vlgym setup --fetch` (0.53 GB to download), or set LIBTORCH to the `torch` folder of a Python',
    });
  }
}

/** The package was installed without its C++ sources. */
export class NativeSourcesMissingError extends GymError {
  constructor() {
    super('The C++ sources of @vlgym/gpu are missing from the package.', {
      code: 'NATIVE_SOURCES_MISSING',
      hint: 'install the package again; a bundler that copies only `dist` leaves them out',
    });
  }
}

/** This operating system is not supported. */
export class PlatformError extends GymError {
  constructor() {
    super(`Unsupported platform: ${process.platform}.`, {
      code: 'PLATFORM_NOT_SUPPORTED',
      value: process.platform,
      expected: 'linux or darwin',
      hint: 'on Windows use WSL 2',
    });
  }
}

function tail(log: string, lines = 15): string {
  const errors = log.split('\n').filter((line) => /\berror\b|not found|No matching/i.test(line));
  return (errors.length > 0 ? errors.slice(0, lines) : log.trimEnd().split('\n').slice(-lines)).join('\n');
}
