/** The runs below folders, newest first. */
import { TO_THE_END } from './episodes/played-episodes.js';
import type { RunList } from './protocol.js';
import { Library } from './server/library.js';

/**
 * @param folders  Runs, recordings, suites, benchmarks, or folders that hold many.
 *
 * @example const { runs } = await listRuns(['runs']);
 */
export const listRuns = (folders: readonly string[]): Promise<RunList> => new Library(folders).list(TO_THE_END);
