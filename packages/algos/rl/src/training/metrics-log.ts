/**
 * The metrics of a run on disk: `metrics.jsonl`, one record per update, and the same as a TensorBoard event file.
 *
 * Both only grow; a checkpoint remembers how long they were, and resuming cuts off what came later, so that no update
 * appears twice.
 */
import { join } from 'node:path';
import type { Metrics } from '../diagnostics/metrics.js';
import { GrowingFile } from './growing-file.js';
import { fileVersionRecord, scalarsRecord } from './tensorboard.js';

/** Bytes of both files. */
export interface MetricsLogState {
  readonly metrics: number;
  readonly events: number;
}

export class MetricsLog {
  private constructor(
    readonly metrics: GrowingFile,
    readonly events: GrowingFile,
  ) {}

  /** Opens the log of a run and keeps what `state` knows of; without a state it starts empty. */
  static async open(folder: string, state: MetricsLogState = { metrics: 0, events: 0 }): Promise<MetricsLog> {
    const metrics = await GrowingFile.open(join(folder, 'metrics.jsonl'), state.metrics);
    const events = await GrowingFile.open(join(folder, 'events.out.tfevents.0.vlgym'), state.events);
    if (events.size === 0) await events.append(fileVersionRecord());
    return new MetricsLog(metrics, events);
  }

  /** @param record Its `environmentSteps` are the steps of TensorBoard's axis. */
  async append(record: { readonly environmentSteps: number; readonly metrics: Metrics }): Promise<void> {
    await this.metrics.append(`${JSON.stringify(record)}\n`);
    // the wall time is for TensorBoard's display only and enters no result
    await this.events.append(scalarsRecord(record.environmentSteps, record.metrics, Date.now() / 1000));
  }

  /** Makes all records durable. */
  async sync(): Promise<MetricsLogState> {
    await Promise.all([this.metrics.sync(), this.events.sync()]);
    return { metrics: this.metrics.size, events: this.events.size };
  }

  async close(): Promise<void> {
    await Promise.all([this.metrics.close(), this.events.close()]);
  }
}
