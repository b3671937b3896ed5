/** Request and answer of the process that decodes a Parquet file; one answer per request. */

/** The only argument of the process, as JSON. */
export interface DecodeTask {
  readonly file: string;
  /** Bytes of one row group after decompression. */
  readonly groupBytes: number;
  /** Bytes of memory of the process. */
  readonly memoryBytes: number;
  /** Read those of these that the file has; absent: all. */
  readonly columns?: readonly string[];
}

export type DecodeRequest = 'next';

/** No rows: the end. */
export type DecodeAnswer = { readonly rows: readonly unknown[] } | { readonly problem: string };

/** The last line on the standard error of the process when a limit ends it. */
export const EXCEEDED = { time: 'vlgym: out of time', memory: 'vlgym: out of memory' } as const;
