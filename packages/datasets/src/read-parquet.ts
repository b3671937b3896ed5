/** Rows of a Parquet file, one row group in memory at a time. */
import { open } from 'node:fs/promises';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { DatasetFileError } from './errors.js';
import type { DatasetLimits } from './limits.js';

const COLUMNS = ['messages', 'prompt', 'completion', 'images', 'image'];
/** Bytes of the description at the end of a file. */
const MAX_FOOTER = 64 * 2 ** 20;

export interface ParquetRow {
  /** Counts from 0. */
  readonly row: number;
  readonly value: unknown;
}

/** @throws {DatasetFileError} It is damaged, or a row group is too large. */
export async function* readParquet(file: string, limits: DatasetLimits): AsyncGenerator<ParquetRow> {
  const handle = await open(file, 'r').catch((cause) => {
    throw new DatasetFileError(file, 'it cannot be opened', cause);
  });
  try {
    const { size: byteLength } = await handle.stat();
    const buffer: AsyncBuffer = {
      byteLength,
      async slice(start, end = byteLength) {
        const from = Math.max(0, start);
        const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - from));
        if (bytes.length > limits.groupBytes) throw new RangeError(`a part of it has ${bytes.length} bytes`);
        await handle.read(bytes, 0, bytes.length, from);
        return bytes.buffer;
      },
    };
    const metadata = await guarded(file, async () => {
      await checkFooter(buffer);
      return parquetMetadataAsync(buffer);
    });
    const columns = columnsOf(metadata);
    if (columns.length === 0) throw new DatasetFileError(file, `it has none of the columns ${COLUMNS.join(', ')}`);
    let row = 0;
    for (const group of metadata.row_groups) {
      const bytes = group.columns.reduce(
        (sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0),
        0,
      );
      if (bytes > limits.groupBytes) {
        throw new DatasetFileError(file, `a row group has ${bytes} bytes, more than ${limits.groupBytes}`);
      }
      const [rowStart, rowEnd] = [row, row + Number(group.num_rows)];
      const rows = await guarded(file, () =>
        parquetReadObjects({
          file: buffer,
          metadata,
          columns,
          rowStart,
          rowEnd,
          utf8: false,
          compressors: bounded(limits.groupBytes),
        }),
      );
      for (const value of rows) yield { row: row++, value };
    }
  } finally {
    await handle.close();
  }
}

const columnsOf = ({ schema }: FileMetaData): string[] => {
  const names = new Set(schema.map(({ name }) => name));
  return COLUMNS.filter((name) => names.has(name));
};

/** Refuses pages that claim to inflate to more than a whole row group may have. */
function bounded(limit: number): Compressors {
  const entries = Object.entries(compressors).map(([codec, inflate]) => [
    codec,
    (input: Uint8Array, length: number) => {
      if (!(length <= limit)) throw new RangeError(`a page claims ${length} bytes`);
      return inflate!(input, length);
    },
  ]);
  return Object.fromEntries(entries);
}

async function checkFooter(buffer: AsyncBuffer): Promise<void> {
  const tail = new DataView(await buffer.slice(Math.max(0, buffer.byteLength - 8)));
  if (tail.byteLength < 8 || tail.getUint32(4) !== 0x50415231)
    throw new RangeError('it does not end like a Parquet file');
  const length = tail.getUint32(0, true);
  if (length > Math.min(MAX_FOOTER, buffer.byteLength)) throw new RangeError(`its footer claims ${length} bytes`);
}

async function guarded<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new DatasetFileError(file, cause instanceof Error ? cause.message : 'it is damaged', cause);
  }
}
