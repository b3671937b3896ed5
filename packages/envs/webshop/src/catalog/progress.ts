/** Progress of long work. */
export interface Progress {
  readonly phase:
    | 'reading attributes'
    | 'reading instructions'
    | 'reading nouns'
    | 'reading'
    | 'writing products'
    | 'indexing'
    | 'merging';
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
}
