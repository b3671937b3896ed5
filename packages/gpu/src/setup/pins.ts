/**
 * Wheels that `setup({ fetch: true })` may unpack: SHA-256 by file name, as the Python package index lists them (`pip
 * install --dry-run --report - --only-binary=:all: --platform … torch==2.13.0` prints them).
 *
 * A wheel of another name (a newer Python, another platform, a private index) has no pin: it is installed, and setup
 * reports UNPINNED with its digest.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DigestMismatchError } from './errors.js';

/** Versions of the two NVIDIA libraries that the CUDA wheels of this libtorch need, by CUDA's major version. */
export const NVIDIA_VERSIONS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  13: { 'nvidia-cuda-runtime': '13.5.37', 'nvidia-cuda-cupti': '13.5.25' },
};

const torch = (python: string, platform: string) => `torch-2.13.0-${python}-${python}-${platform}.whl`;

export const PINS: Readonly<Record<string, string>> = {
  [torch('cp310', 'manylinux_2_28_x86_64')]: 'c78b7b4d04461855a764cf01bae9a462bb88bc93defcfa11235cbc8fdf3e12c4',
  [torch('cp310', 'manylinux_2_28_aarch64')]: '0ab4b69f3ee03a62a002cfbf77b1ca5e88aceb4ea64cb4388bb28f638ddbb045',
  [torch('cp310', 'macosx_14_0_arm64')]: '94f0de129916f77b8dc2c7a8eff644cfeddfe59e39c9f55e9f6e17543410281d',
  [torch('cp311', 'manylinux_2_28_x86_64')]: '60fcdcb2f3876e21146cb4524ef06397d727ca9ad5f020818547e25075fe3cb7',
  [torch('cp311', 'manylinux_2_28_aarch64')]: '092790c696a760c729fd5722835f50b9d81fd7c8f141571f3f3cf4081a8f664c',
  [torch('cp311', 'macosx_14_0_arm64')]: 'e76f9bcecc52b8ff711239a2f7547d5353df95878ab232f0773c1d95928b92f8',
  [torch('cp312', 'manylinux_2_28_x86_64')]: '796633c4cdf0fe2cdced72d8f88f22e73dbcfce83132763162f6d4bff13b820b',
  [torch('cp312', 'manylinux_2_28_aarch64')]: '572df8be8ffb4599c88cbd6a0726f1f854f4da65d2e3c09f0e2c2283333cd6d4',
  [torch('cp312', 'macosx_14_0_arm64')]: '2fe228aba290d14b9f31b049be550dbd469c3fd3013d7a19705b30454da97027',
  [torch('cp313', 'manylinux_2_28_x86_64')]: 'a3a9a21312872af8a26950b2c15680335a386a1f56ed03e780653d78b9607e9e',
  [torch('cp313', 'manylinux_2_28_aarch64')]: '1e09d6a722504957c694faceca843acde562786df1144ebcc5a74075ec7f6005',
  [torch('cp313', 'macosx_14_0_arm64')]: '33449899ce5496c1b84b4853179d94fd102028ae1407314d9fb956bb79e70d09',
  [torch('cp314', 'manylinux_2_28_x86_64')]: '49f1ea385c754e54919408a9bb3b5a72b0b755bbe2c916c1d6f70afbec4908a2',
  [torch('cp314', 'manylinux_2_28_aarch64')]: 'a3893dc2da0a972a8ca5d698c85a9f967559ac5f8ee1797b77408aa8734d073c',
  [torch('cp314', 'macosx_14_0_arm64')]: 'd849b390e07d8d333ce8ecaf91b273c656c598379a19c9acf1318a883f6b391c',
  'nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl':
    'df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d',
  'nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl':
    'de2dc5a7367974228b0a69588a9acc9340d3768bef1bf38bf0801eb08497cd2d',
  'nvidia_cuda_cupti-13.5.25-py3-none-manylinux_2_25_x86_64.whl':
    '9dcca41c12a734192b14e7128ae116bc9ce1b9da686e2ebf48ae7a4415f76650',
};

/**
 * @returns A warning about a wheel without a pin; undefined when the wheel is the pinned one.
 * @throws {DigestMismatchError} It is another file than the pinned one of that name.
 */
export async function checkWheel(path: string, pins = PINS): Promise<string | undefined> {
  const name = basename(path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const digest = hash.digest('hex');
  const pinned = Object.hasOwn(pins, name) ? pins[name] : undefined;
  if (pinned === undefined) return `UNPINNED ${name}: nothing to compare its SHA-256 with, ${digest}`;
  if (pinned !== digest) throw new DigestMismatchError(name, digest, pinned);
  return undefined;
}
