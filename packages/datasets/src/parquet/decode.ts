/** Rows of a Parquet file, one row group in memory at a time. Runs in a separate process: see `read-parquet.ts`. */
import type { FileHandle } from 'node:fs/promises';
import type { AsyncBuffer, Compressors, FileMetaData, RowGroup } from 'hyparquet';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** Bytes of the description at the end of a file. */
const MAX_FOOTER = 64 * 2 ** 20;
/** Texts and pictures are seldom compressed more than this; a file that claims so gets no more time for it. */
const MAX_RATIO = 100;

/** Runs a piece of work that may use the processor for as long as that number of bytes takes. */
export type WithinTime = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

/**
 * @param handle  A regular file.
 * @param wanted  Names of columns; `undefined` for all.
 * @yields The rows of one row group. @throws {Error} It is damaged, or a row group is too large; the message says why.
 */
export async function* decodeParquet(
  handle: FileHandle,
  groupBytes: number,
  withinTime: WithinTime,
  wanted: readonly string[] | undefined,
): AsyncGenerator<readonly Record<string, unknown>[]> {
  const { size: byteLength } = await handle.stat();
  const buffer: AsyncBuffer = {
    byteLength,
    async slice(start, end = byteLength) {
      const from = Math.max(0, start);
      const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - from));
      if (bytes.length > groupBytes) throw new RangeError(`a part of it has ${bytes.length} bytes`);
      await handle.read(bytes, 0, bytes.length, from);
      return bytes.buffer;
    },
  };
  const footer = await footerBytes(buffer);
  const metadata = await withinTime(footer, () => parquetMetadataAsync(buffer));
  const all = columnsOf(metadata);
  const columns = wanted ? wanted.filter((name) => all.includes(name)) : all;
  if (columns.length === 0) throw new Error(`it has none of the columns ${wanted?.join(', ') ?? 'of a table'}`);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const bytes = sum(group, 'total_uncompressed_size');
    if (bytes > groupBytes) throw new RangeError(`a row group has ${bytes} bytes, more than ${groupBytes}`);
    const rowEnd = rowStart + Number(group.num_rows);
    const options = {
      file: buffer,
      metadata,
      columns,
      rowStart,
      rowEnd,
      utf8: false,
      compressors: bounded(groupBytes),
    };
    const plausible = Math.min(bytes, MAX_RATIO * Math.min(sum(group, 'total_compressed_size'), byteLength));
    yield await withinTime(plausible, () => parquetReadObjects(options));
    rowStart = rowEnd;
  }
}

const sum = ({ columns }: RowGroup, key: 'total_uncompressed_size' | 'total_compressed_size'): number =>
  columns.reduce((total, { meta_data }) => total + Number(meta_data?.[key] ?? 0), 0);

/** The schema lists the root, then each field with its descendants behind it; columns are the children of the root. */
function columnsOf({ schema }: FileMetaData): string[] {
  const names = new Set<string>();
  let at = 1;
  const skip = () => {
    const { num_children: children = 0 } = schema[at] ?? {};
    at += 1;
    for (let child = 0; child < children && at < schema.length; child += 1) skip();
  };
  while (at < schema.length) {
    names.add(schema[at]!.name);
    skip();
  }
  return [...names];
}

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

async function footerBytes(buffer: AsyncBuffer): Promise<number> {
  const tail = new DataView(await buffer.slice(Math.max(0, buffer.byteLength - 8)));
  if (tail.byteLength < 8 || tail.getUint32(4) !== 0x50415231)
    throw new RangeError('it does not end with the Parquet marker');
  const length = tail.getUint32(0, true);
  if (length > Math.min(MAX_FOOTER, buffer.byteLength)) throw new RangeError(`its footer claims ${length} bytes`);
  return length;
}
