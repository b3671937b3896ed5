/** One folder that is looked at: what a list says about it, its settings, its metrics and its episodes. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { canTalk, hasWeights } from '../branch/agents.js';
import { PlayedEpisodes } from '../episodes/played-episodes.js';
import { TrainingRecords } from '../episodes/training-records.js';
import type { MetricsPart, RunDetails, RunState, RunSummary, Setting, UpdateRecord } from '../protocol.js';
import { linesFrom, parsed } from './byte-lines.js';
import type { Place } from './find-runs.js';
import { jsonFile } from './json-file.js';
import { isHeld, progressOf } from './run-state.js';
import { recordedSettings, settingsOf } from './settings.js';
import { type Json, list, number, present, record, text } from './values.js';

export const BRANCHES_FOLDER = 'branches';
/** Two agents on one seed. */
export const PAIRS_FOLDER = 'pairs';
const METRICS = 'metrics.jsonl';
/** Records in one answer; a page asks again from there. */
const MAX_RECORDS = 20_000;
/** Agents of one recording: offered, and named in a list. */
const MAX_AGENTS = 50;
const SHOWN_AGENTS = 3;

export class Run {
  readonly training: TrainingRecords;
  readonly played: PlayedEpisodes | undefined;
  readonly branches: PlayedEpisodes;
  readonly pairs: PlayedEpisodes;
  /** Whole trajectories of the episodes that recorded updates learned from. */
  readonly learned: PlayedEpisodes;
  #metrics: { to: number; last: UpdateRecord | undefined; success: number | undefined } = {
    to: 0,
    last: undefined,
    success: undefined,
  };

  constructor(readonly place: Place) {
    this.training = new TrainingRecords(place.folder);
    this.played = place.episodes === undefined ? undefined : new PlayedEpisodes(place.episodes);
    this.branches = new PlayedEpisodes(join(place.folder, BRANCHES_FOLDER));
    this.pairs = new PlayedEpisodes(join(place.folder, PAIRS_FOLDER));
    this.learned = new PlayedEpisodes(this.training.folder);
  }

  get folder(): string {
    return this.place.folder;
  }

  /** @param patience  Milliseconds to wait for a recording without an index. */
  async summary(patience?: number): Promise<RunSummary> {
    const { place } = this;
    const base = { id: place.id, name: place.name, kind: place.kind, changedAt: await this.#changedAt() };
    if (place.kind === 'recording') return { ...base, ...(await this.#recordingSummary(patience)) };
    const [file, result] = await Promise.all([this.#effective(), jsonFile(join(this.folder, 'result.json'))]);
    const last = await this.#lastMetrics();
    const after = list(record(result).after).map(record);
    const solved = after.filter(({ success }) => success === true).length;
    return present({
      ...base,
      state: (result !== undefined ? 'done' : (await isHeld(this.folder, 'run')) ? 'running' : 'stopped') as RunState,
      algorithm: text(file.control) ?? text(file.algorithm),
      environment: text(file.env),
      seed: number(file.seed),
      updates: last.last?.update ?? 0,
      total: number(file.updates),
      success: after.length > 0 ? solved / after.length : last.success,
    }) as RunSummary;
  }

  async details(agents: readonly string[]): Promise<RunDetails> {
    const [summary, progress, recorded, branches, pairs] = await Promise.all([
      this.summary(),
      progressOf(this.folder),
      this.training.updates(),
      this.branches.all(),
      this.pairs.all(),
    ]);
    const [file, result] = [
      await jsonFile(join(this.folder, 'run.json')),
      await jsonFile(join(this.folder, 'result.json')),
    ];
    const { command } = progress ?? {};
    return present({
      summary,
      command,
      resume: summary.state === 'stopped' && command !== undefined ? resumed(command) : undefined,
      settings: this.place.kind === 'training' ? settingsOf(record(file)) : await this.#recordedSettings(),
      alarms: list(record(result).alarms).flatMap((alarm) => text(alarm) ?? []),
      recorded,
      played: this.played !== undefined,
      branches: branches.length,
      pairs: pairs.length / 2,
      agents,
      speakers: agents.filter(canTalk),
      policies: agents.filter(hasWeights),
    }) as RunDetails;
  }

  /** That of the log-probabilities that training compares; 1 unless the run says otherwise. */
  async temperature(): Promise<number> {
    const { config } = await this.#effective();
    const temperature = number(record(record(config).loss).temperature) ?? 1;
    return temperature > 0 ? temperature : 1;
  }

  /** Whole lines of `metrics.jsonl` from a byte offset on. */
  async metrics(from: number): Promise<MetricsPart> {
    const records: UpdateRecord[] = [];
    let end = from;
    for await (const { bytes, to } of linesFrom(join(this.folder, METRICS), from)) {
      end = to;
      const found = updateRecord(record(parsed(bytes)));
      if (found) records.push(found);
      if (records.length >= MAX_RECORDS) break;
    }
    return { records, to: end };
  }

  async #lastMetrics() {
    const { records, to } = await this.metrics(this.#metrics.to);
    const evaluated = records.findLast(({ metrics }) => metrics['evaluation/success-rate'] !== undefined);
    this.#metrics = {
      to,
      last: records.at(-1) ?? this.#metrics.last,
      success: evaluated?.metrics['evaluation/success-rate'] ?? this.#metrics.success,
    };
    return this.#metrics;
  }

  async #recordingSummary(
    patience: number | undefined,
  ): Promise<Omit<RunSummary, 'id' | 'name' | 'kind' | 'changedAt'>> {
    const rows = (await this.played?.all(patience)) ?? [];
    const isWhole = this.played?.isComplete === true;
    const first = rows[0];
    const agents = [...new Set(rows.flatMap(({ agent }) => agent ?? []))];
    const judged = rows.filter(({ success }) => success !== undefined);
    const solved = judged.filter(({ success }) => success).length;
    return present({
      state: ((await isHeld(this.place.episodes!, 'episodes')) ? 'running' : 'recorded') as RunState,
      environment: first?.env,
      agent: agents.length > 1 ? inWords(agents) : first?.agent,
      agents: agents.length > 1 ? agents.slice(0, MAX_AGENTS) : undefined,
      episodes: rows.length,
      // short episodes end first: the rate of those found so far would be too high
      success: isWhole && judged.length > 0 ? solved / judged.length : undefined,
      reading: isWhole ? undefined : (true as const),
    }) as Omit<RunSummary, 'id' | 'name' | 'kind' | 'changedAt'>;
  }

  /** Those of the first episode. */
  async #recordedSettings(): Promise<Setting[]> {
    const [first] = (await this.played?.all()) ?? [];
    const whole = first && (await this.played?.read(first));
    return whole ? recordedSettings(whole.header) : [];
  }

  async #effective(): Promise<Json> {
    return record(record(await jsonFile(join(this.folder, 'run.json'))).effective);
  }

  async #changedAt(): Promise<number> {
    const { folder, episodes } = { ...this.place };
    const files = [METRICS, 'run.json', 'result.json'].map((name) => join(folder, name));
    if (episodes !== undefined) files.push(join(episodes, 'episodes.jsonl'));
    const times = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    return Math.round(Math.max(...times));
  }
}

function updateRecord({ update, environmentSteps, metrics }: Json): UpdateRecord | undefined {
  const at = number(update);
  if (at === undefined) return undefined;
  const numbers = Object.entries(record(metrics)).flatMap(([name, value]) =>
    number(value) === undefined ? [] : [[name, value as number] as const],
  );
  return { update: at, environmentSteps: number(environmentSteps) ?? 0, metrics: Object.fromEntries(numbers) };
}

const inWords = (names: readonly string[]): string =>
  names.length > SHOWN_AGENTS
    ? `${names.slice(0, SHOWN_AGENTS).join(', ')} and ${names.length - SHOWN_AGENTS} more`
    : names.join(', ');

/** `train` needs --resume to continue; the other commands continue without it. */
const resumed = (command: string) =>
  command.startsWith('vlgym train') && !command.includes('--resume') ? `${command} --resume` : command;
