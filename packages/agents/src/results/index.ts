/** Results of agents as files: reading, comparing, and gates for merges. */

export { isCounted } from '../evaluate/rows.js';
export {
  type CellResult,
  type CompareOptions,
  compare,
  type ResultComparison,
} from './compare.js';
export { NoResultError, RegressionError, type UndecidedCell } from './errors.js';
export { resultOf } from './file.js';
export { readEvaluation } from './read.js';
