/** Serves the page over folders, until it is closed. */
import { checkNames, names } from '@vlgym/core/internal';
import { Actions, type ActionsOptions } from './branch/actions.js';
import { TO_THE_END } from './episodes/played-episodes.js';
import { rowsOf } from './episodes/read-episode.js';
import { Library } from './server/library.js';
import { ViewerServer } from './server/viewer-server.js';

export interface ViewerOptions extends ActionsOptions {
  /** Runs, recordings, suites, benchmarks, or folders that hold many. */
  readonly folders: readonly string[];
  /** On loopback. Default 0: any free one. */
  readonly port?: number | undefined;
  /** The address leads to the player with this episode, counted from 0 over all recordings. Default: to the list. */
  readonly episode?: number | undefined;
}

export interface Viewing {
  /** To open in a browser; it holds a token. */
  readonly address: string;
  close(): Promise<void>;
}

const VIEWER_OPTIONS = names<ViewerOptions>({
  folders: 0,
  port: 0,
  episode: 0,
  agents: 0,
  openAgent: 0,
  envOptions: 0,
});

/**
 * @throws {GymError} `PORT_TAKEN`. `INVALID_OPTION`: a misspelled option.
 *
 * @example
 * const viewing = await view({ folders: ['runs'] });
 * console.log(viewing.address);
 */
export async function view(options: ViewerOptions): Promise<Viewing> {
  checkNames('options', options, VIEWER_OPTIONS);
  const { folders, port, episode, ...others } = options;
  const library = new Library(folders);
  const server = new ViewerServer({ library, actions: new Actions(others), port });
  const place = episode === undefined ? '' : await playerAt(library, episode);
  return { address: `${await server.listen()}${place}`, close: () => server.close() };
}

/** @returns the fragment of the address; that of the last episode where there are fewer. */
async function playerAt(library: Library, wanted: number): Promise<string> {
  let before = 0;
  let place = '';
  for (const run of await library.all()) {
    const rows = await rowsOf(run, 'played', TO_THE_END);
    const row = rows[Math.min(wanted - before, rows.length - 1)];
    if (row) place = `#${new URLSearchParams({ run: run.place.id, set: 'played', episode: row.id, step: '0' })}`;
    before += rows.length;
    if (before > wanted) break;
  }
  return place;
}
