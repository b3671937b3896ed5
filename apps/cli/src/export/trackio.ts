/**
 * Metrics of a run to a Trackio server: `POST /api/bulk_log` with `{ logs: [{ project, run, metrics, step, config, log_id }] }`
 * and the header `X-Trackio-Write-Token` (`trackio` 0.43, `server.py`). Entries have ids, so that Trackio
 * keeps once what is sent twice.
 */
import type { RunData } from './run-data.js';
import { asBase, chunks, sendAll, serverAt, type Tracker } from './tracker.js';

const ENTRIES = 200;
const DEFAULT_SERVER = 'http://127.0.0.1:7860';

export interface TrackioOptions {
  /** With `?write_token=…`, as `trackio.show()` prints it; default TRACKIO_SERVER_URL, or a local one. */
  readonly server?: string | undefined;
  readonly project: string;
}

/** @returns where the run is seen. @throws {TrackerError} */
export async function exportToTrackio(run: RunData, { server, project }: TrackioOptions): Promise<string> {
  const url = serverAt(server ?? process.env.TRACKIO_SERVER_URL ?? DEFAULT_SERVER);
  const token = url.searchParams.get('write_token') ?? process.env.TRACKIO_WRITE_TOKEN;
  url.search = '';
  const tracker: Tracker = {
    name: 'Trackio',
    base: asBase(url.href),
    headers: token ? { 'x-trackio-write-token': token } : {},
    hint: 'start it with `trackio show`, and pass the address that it prints as --server, write token included',
  };
  const logs = run.records.map(({ update, environmentSteps, metrics }, index) => ({
    project,
    run: run.name,
    step: update,
    metrics: { ...metrics, 'environment-steps': environmentSteps },
    log_id: `${project}/${run.name}/${update}`,
    ...(index === 0 && { config: run.settings }),
  }));
  for (const part of chunks(logs, ENTRIES)) await sendAll(tracker, 'api/bulk_log', { logs: part, hf_token: null });
  return `${tracker.base}?project=${encodeURIComponent(project)}`;
}
