/** Limits of the memory that reading a dataset may take. */
export interface DatasetLimits {
  /** Bytes of one row as written. */
  readonly rowBytes: number;
  /** Bytes of one picture as a file. */
  readonly imageBytes: number;
  readonly imagePixels: number;
  /** Bytes of all pictures of one row when they are decoded. */
  readonly pixelBytes: number;
  /** Pictures of one row. */
  readonly images: number;
  /** Messages of one row. */
  readonly messages: number;
  /** Bytes of one row group of a Parquet file after decompression. */
  readonly groupBytes: number;
  /** Bytes of memory of the process that decodes a Parquet file. */
  readonly memoryBytes: number;
}

export const DEFAULT_LIMITS: DatasetLimits = {
  rowBytes: 64 * 2 ** 20,
  imageBytes: 32 * 2 ** 20,
  imagePixels: 16 * 2 ** 20,
  pixelBytes: 2 ** 31,
  images: 256,
  messages: 4096,
  groupBytes: 2 ** 30,
  memoryBytes: 4 * 2 ** 30,
};
