/** Recorded answers of models, tools and servers: tests of agents without a network. */
export { CassetteInvalidError, CassetteMissError } from './errors.js';
export { cassetteFetch } from './fetch.js';
export { cassette, cassetteMiddleware } from './model.js';
export {
  type CassetteOptions,
  type CassetteReport,
  cassetteReports,
  type RecordMode,
  type StaleEntry,
} from './tape.js';
export { cassetteTools } from './tools.js';
