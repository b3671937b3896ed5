/** The runs below folders, newest first. */
import { TO_THE_END } from './episodes/played-episodes.js';
import { progressOf } from './folders/run-state.js';
import type { RunSummary } from './protocol.js';
import { Library } from './server/library.js';

/** A run with what those need who move it away. */
export interface ListedRun extends RunSummary {
  readonly folder: string;
  /** A process writes into it, or into the benchmark that it is a part of. */
  readonly busy: boolean;
}

export interface ListedRuns {
  readonly runs: readonly ListedRun[];
  /** Folders that were not looked into, because there are too many. */
  readonly leftOut: number;
}

/**
 * @param folders  Runs, recordings, suites, benchmarks, or folders that hold many.
 *
 * @example const { runs } = await listRuns(['runs']);
 */
export async function listRuns(folders: readonly string[]): Promise<ListedRuns> {
  const library = new Library(folders);
  const { runs, leftOut } = await library.list(TO_THE_END);
  const listed = await Promise.all(
    runs.map(async (summary): Promise<ListedRun[]> => {
      const run = await library.run(summary.id);
      if (!run) return []; // deleted meanwhile
      const busy = summary.state === 'running' || (await progressOf(run.folder))?.running === true;
      return [{ ...summary, folder: run.folder, busy }];
    }),
  );
  return { runs: listed.flat(), leftOut };
}
