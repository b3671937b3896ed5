/**
 * A file that only grows, and that a checkpoint points into: resuming cuts off what was written after it.
 */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export class GrowingFile {
  #size: number;

  private constructor(
    readonly path: string,
    readonly handle: FileHandle,
    size: number,
  ) {
    this.#size = size;
  }

  /** Opens or creates the file and keeps its first `size` bytes. */
  static async open(path: string, size: number): Promise<GrowingFile> {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, 'a+');
    await handle.truncate(size);
    return new GrowingFile(path, handle, size);
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  async append(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    await this.handle.appendFile(bytes);
    this.#size += bytes.length;
  }

  /** Makes all of it durable. */
  async sync(): Promise<void> {
    await this.handle.sync();
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}
