/** Serves the page over folders, until it is closed. */
import { checkNames, names } from '@vlgym/core/internal';
import { Actions, type ActionsOptions } from './branch/actions.js';
import { Library } from './server/library.js';
import { ViewerServer } from './server/viewer-server.js';

export interface ViewerOptions extends ActionsOptions {
  /** Runs, recordings, suites, benchmarks, or folders that hold many. */
  readonly folders: readonly string[];
  /** On loopback. Default 0: any free one. */
  readonly port?: number | undefined;
}

export interface Viewing {
  /** To open in a browser; it holds a token. */
  readonly address: string;
  close(): Promise<void>;
}

const VIEWER_OPTIONS = names<ViewerOptions>({ folders: 0, port: 0, agents: 0, openAgent: 0, envOptions: 0 });

/**
 * @throws {GymError} `PORT_TAKEN`. `INVALID_OPTION`: a misspelled option.
 *
 * @example
 * const viewing = await view({ folders: ['runs'] });
 * console.log(viewing.address);
 */
export async function view(options: ViewerOptions): Promise<Viewing> {
  checkNames('options', options, VIEWER_OPTIONS);
  const { folders, port, ...others } = options;
  const server = new ViewerServer({ library: new Library(folders), actions: new Actions(others), port });
  return { address: await server.listen(), close: () => server.close() };
}
