/** Digests of files. */
import { builtin } from './builtin.js';
import { openRegularHandle } from './read-regular-file.js';

const CHUNK_BYTES = 1 << 20;

/** SHA-256 in hexadecimal of the file, or of its first `bytes`, read in pieces. */
export async function sha256OfFile(path: string, bytes = Number.POSITIVE_INFINITY): Promise<string> {
  const handle = await openRegularHandle(path);
  try {
    const hash = builtin('node:crypto').createHash('sha256');
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let left = bytes; left > 0; ) {
      const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK_BYTES, left), null);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}
