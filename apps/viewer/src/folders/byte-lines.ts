/** Lines of a file by their bytes: a part of it, and where each line lies. Folders may be a stranger's: pipes are refused. */
import { openRegularFile } from '@vlgym/core/internal';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;
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
  const file = await openRegularFile(path).catch(() => undefined);
  if (!file) return;
  try {
    let start = from;
    let kept = Buffer.alloc(0);
    for (let at = from; start < until; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const piece = chunk.subarray(0, bytesRead);
      const bytes = kept.length > 0 ? Buffer.concat([kept, piece]) : piece;
      const lines: ByteLine[] = [];
      let begin = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1 && start < until; end = bytes.indexOf(NEWLINE, begin)) {
        const to = start + (end - begin) + 1;
        lines.push({ bytes: bytes.subarray(begin, end), from: start, to });
        start = to;
        begin = end + 1;
      }
      if (lines.length > 0) yield lines;
      kept = bytes.subarray(begin);
      if (kept.length > MAX_LINE_BYTES) return;
    }
  } finally {
    await file.close();
  }
}

/** The values of lines that follow each other, at once where all are JSON; `undefined` for one that is not. */
export function parsedAll(lines: readonly ByteLine[]): unknown[] {
  const [first] = lines;
  if (!first) return [];
  const length = lines.at(-1)!.to - first.from - 1;
  const all = Buffer.from(first.bytes.buffer, first.bytes.byteOffset, length).toString('utf8');
  try {
    const values = JSON.parse(`[${all.replaceAll('\n', ',')}]`) as unknown[];
    if (values.length === lines.length) return values;
  } catch {}
  return lines.map(({ bytes }) => parsed(bytes));
}

/** @returns `undefined` if it is not JSON. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
