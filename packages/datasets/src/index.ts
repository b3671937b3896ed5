export { DatasetFileError, DatasetRowError } from './errors.js';
export type { ChatExample, StepOrigin } from './example.js';
export type { DatasetLimits } from './limits.js';
export { type ReadRowsOptions, readParquetRows } from './parquet/read-rows.js';
export { type ReadExamplesOptions, readExamples } from './read.js';
export type { RecordingFilter } from './read-recordings.js';
export { writeJsonLines } from './write-json-lines.js';
export { writeParquet } from './write-parquet.js';
