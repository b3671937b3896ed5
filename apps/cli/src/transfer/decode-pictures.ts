/** Pictures of question sets: PNG by ourselves, all other formats by `sharp` where the user has it installed. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodePng } from '@vlgym/core/images';
import type { Decode } from '@vlgym/transfer';
import { UsageError } from '../command-line/command.js';

const PNG_START = 0x89;

type Sharp = (bytes: Uint8Array) => {
  removeAlpha(): ReturnType<Sharp>;
  toColourspace(space: 'srgb'): ReturnType<Sharp>;
  raw(): ReturnType<Sharp>;
  toBuffer(options: { resolveWithObject: true }): Promise<{
    data: Uint8Array;
    info: { width: number; height: number };
  }>;
};

export const decodePicture: Decode = async (bytes) => {
  if (bytes[0] === PNG_START) return decodePng(bytes);
  const { data, info } = await (await loadSharp())(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height, channels: 3 };
};

/** From the working directory: the command line does not bring it. @throws {UsageError} */
async function loadSharp(): Promise<Sharp> {
  try {
    const file = createRequire(pathToFileURL(join(process.cwd(), 'package.json'))).resolve('sharp');
    return ((await import(pathToFileURL(file).href)) as { default: Sharp }).default;
  } catch (cause) {
    throw new UsageError('A picture is not PNG, and sharp is not installed here.', {
      expected: 'PNG pictures, or sharp to read JPEG and WebP',
      hint: 'npm install sharp',
      cause,
    });
  }
}
