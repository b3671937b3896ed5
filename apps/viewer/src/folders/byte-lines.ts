/** Lines of a file by their bytes: a part of it, and where each line lies. Folders may be a stranger's: pipes are refused. */
import { openRegularFile } from '@vlgym/core/internal';

const NEWLINE = 0x0a;
/** Requests are answered between two of them, so one takes a few milliseconds at most. */
const CHUNK_BYTES = 1 << 18;
/** The first part of a file: a screen of episodes is there sooner. */
const FIRST_BYTES = 1 << 17;
/** Far more than a step with its tokens. A longer line is skipped. */
const MAX_LINE_BYTES = 1 << 26;

export interface ByteLine {
  readonly bytes: Buffer;
  readonly from: number;
  /** Offset of the byte after the newline. */
  readonly to: number;
}

/** Size of a regular file; 0 for a missing one. */
export async function sizeOf(path: string): Promise<number> {
  const file = await openRegularFile(path).catch(() => undefined);
  if (!file) return 0;
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** @returns `undefined` if the file is missing, is not a regular one, or the range is too large. */
export async function bytesBetween(path: string, from: number, to: number): Promise<Buffer | undefined> {
  const length = to - from;
  if (!(length > 0 && length <= MAX_LINE_BYTES && Number.isSafeInteger(from) && from >= 0)) return undefined;
  const file = await openRegularFile(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(bytes, 0, length, from);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Whole lines from an offset on; a last line without its newline is left for later.
 *
 * @param until  Lines that begin here or later are not read.
 */
export async function* linesFrom(path: string, from: number, until?: number): AsyncGenerator<ByteLine> {
  for await (const lines of batchesFrom(path, from, until)) yield* lines;
}

/** The same, some lines at a time: waiting for each of 100,000 costs more than reading them. */
export async function* batchesFrom(
  path: string,
  from: number,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<ByteLine[]> {
  for await (const block of blocksFrom(path, from, until)) {
    const lines = linesOf(block).filter((line) => line.from < until);
    if (lines.length > 0) yield lines;
  }
}

/** Whole lines that follow each other, the last newline included. */
export interface LineBlock {
  readonly bytes: Buffer;
  readonly from: number;
}

/** The whole lines of a file, a quarter of a megabyte at a time. @param until  Blocks that begin here or later are not read. */
export async function* blocksFrom(
  path: string,
  from: number,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<LineBlock> {
  const file = await openRegularFile(path).catch(() => undefined);
  if (!file) return;
  try {
    let start = from;
    let kept: Buffer = Buffer.alloc(0);
    for (let at = from; start < until; ) {
      const size = at === 0 ? FIRST_BYTES : CHUNK_BYTES;
      const chunk = Buffer.allocUnsafe(size);
      const { bytesRead } = await file.read(chunk, 0, size, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const piece = chunk.subarray(0, bytesRead);
      const bytes = kept.length > 0 ? Buffer.concat([kept, piece]) : piece;
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end > 0) yield { bytes: bytes.subarray(0, end), from: start };
      start += end;
      kept = bytes.subarray(end);
      if (kept.length > MAX_LINE_BYTES) return;
    }
  } finally {
    await file.close();
  }
}

export function linesOf({ bytes, from }: LineBlock): ByteLine[] {
  const lines: ByteLine[] = [];
  let begin = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, begin)) {
    lines.push({ bytes: bytes.subarray(begin, end), from: from + begin, to: from + end + 1 });
    begin = end + 1;
  }
  return lines;
}

/** The values of all lines at once, which is quicker than one by one; `undefined` if one of them is not JSON. */
export function valuesOf({ bytes }: LineBlock): unknown[] | undefined {
  try {
    return JSON.parse(`[${bytes.toString('utf8', 0, bytes.length - 1).replaceAll('\n', ',')}]`) as unknown[];
  } catch {
    return undefined;
  }
}

/** @returns `undefined` if it is not JSON. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
