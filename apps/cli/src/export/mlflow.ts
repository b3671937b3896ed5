/**
 * A run to an MLflow server by REST (`/api/2.0/mlflow/`): its settings as parameters, its metrics with the update as step.
 * Limits of one call are those of `mlflow/utils/validation.py` (3.17).
 */
import type { RunData } from './run-data.js';
import { asBase, chunks, send, sendAll, serverAt, type Tracker } from './tracker.js';

const METRICS = 1000;
const PARAMS = 100;
/** UTF-16 units of the value of a parameter. */
const PARAM_LENGTH = 6000;
const DEFAULT_SERVER = 'http://127.0.0.1:5000';

export interface MlflowOptions {
  /** Default MLFLOW_TRACKING_URI, or a local one. */
  readonly server?: string | undefined;
  readonly experiment: string;
}

/** @returns where the run is seen. @throws {TrackerError} */
export async function exportToMlflow(run: RunData, { server, experiment }: MlflowOptions): Promise<string> {
  const base = asBase(serverAt(server ?? process.env.MLFLOW_TRACKING_URI ?? DEFAULT_SERVER).href);
  const tracker: Tracker = {
    name: 'MLflow',
    base: new URL('api/2.0/mlflow/', base).href,
    headers: authorization(),
    hint: 'start it with `mlflow server`, and pass its address as --server; MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, are sent',
  };
  const experimentId = await experimentOf(tracker, experiment);
  const created = (await sendAll(tracker, 'runs/create', {
    experiment_id: experimentId,
    start_time: run.startedAt,
    run_name: run.name,
    tags: [{ key: 'mlflow.source.name', value: 'vlgym' }],
  })) as { readonly run: { readonly info: { readonly run_id: string } } };
  const runId = created.run.info.run_id;
  const params = Object.entries(run.settings).map(([key, value]) => ({ key, value: value.slice(0, PARAM_LENGTH) }));
  for (const part of chunks(params, PARAMS)) await sendAll(tracker, 'runs/log-batch', { run_id: runId, params: part });
  const metrics = run.records.flatMap(({ update, environmentSteps, metrics: all }) =>
    Object.entries({ ...all, 'environment-steps': environmentSteps }).flatMap(([key, value]) =>
      // JSON has no other numbers
      Number.isFinite(value) ? [{ key, value, step: update, timestamp: run.changedAt }] : [],
    ),
  );
  for (const part of chunks(metrics, METRICS))
    await sendAll(tracker, 'runs/log-batch', { run_id: runId, metrics: part });
  const end = { run_id: runId, status: run.isDone ? 'FINISHED' : 'KILLED', end_time: run.changedAt };
  await sendAll(tracker, 'runs/update', end);
  return `${base}#/experiments/${experimentId}/runs/${runId}`;
}

async function experimentOf(tracker: Tracker, name: string): Promise<string> {
  const query = `experiments/get-by-name?experiment_name=${encodeURIComponent(name)}`;
  const { data } = await send(tracker, query);
  const found = (data as { readonly experiment?: { readonly experiment_id?: string } } | undefined)?.experiment;
  if (found?.experiment_id !== undefined) return found.experiment_id;
  const made = await sendAll(tracker, 'experiments/create', { name });
  return (made as { readonly experiment_id: string }).experiment_id;
}

function authorization(): Record<string, string> {
  const { MLFLOW_TRACKING_TOKEN: token, MLFLOW_TRACKING_USERNAME: user, MLFLOW_TRACKING_PASSWORD: word } = process.env;
  if (token) return { authorization: `Bearer ${token}` };
  if (user) return { authorization: `Basic ${Buffer.from(`${user}:${word ?? ''}`).toString('base64')}` };
  return {};
}
