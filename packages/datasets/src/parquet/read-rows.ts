/** Rows of any Parquet file, for readers of other layouts. */
import { checkNames, type Given, names, withDefaults } from '@vlgym/core/internal';
import { type DatasetLimits, DEFAULT_LIMITS } from '../limits.js';
import { readParquet } from './read-parquet.js';

export interface ReadRowsOptions {
  /** Columns to read where the file has them; default: all. */
  readonly columns?: readonly string[] | undefined;
  readonly limits?: Given<Pick<DatasetLimits, 'groupBytes' | 'memoryBytes'>> | undefined;
}

const READ_ROWS_OPTIONS = names<ReadRowsOptions>({ columns: 0, limits: 0 });

/**
 * Rows in the order of the file, decoded in a separate process, one row group in memory at a time. Whole numbers of 64
 * bits are `bigint`, binary cells `Uint8Array`.
 *
 * @throws {DatasetFileError} It is damaged, or reading it takes more time or memory than `limits` allow.
 *
 * @example for await (const row of readParquetRows('test-00000-of-00001.parquet')) console.log(row);
 */
export async function* readParquetRows(
  file: string,
  options: ReadRowsOptions = {},
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  checkNames('options', options, READ_ROWS_OPTIONS);
  const limits = withDefaults(DEFAULT_LIMITS, options.limits ?? {});
  for await (const { value } of readParquet(file, limits, options.columns)) yield value as Record<string, unknown>;
}
