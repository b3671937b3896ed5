/** How far long work has come. */
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
  /** 0 where nobody knows. */
  readonly total: number;
}
