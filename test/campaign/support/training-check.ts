/** Trainings in children: how an undisturbed one ends, and whether a resumed one ends bit for bit the same. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../attack.js';
import { runChild } from './child.js';
import { runCounted } from './kill-plan.js';

export const UPDATES = '3';

export interface Undisturbed {
  readonly end: RunEnd;
  readonly changes: number;
  readonly milliseconds: number;
}

/** The values that must be equal: metrics line by line, and every file that a later update reads. */
export interface RunEnd {
  readonly metrics: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

let undisturbed: Promise<Undisturbed> | undefined;

/** Trained once per process. */
export function undisturbedTraining(): Promise<Undisturbed> {
  undisturbed ??= trainUndisturbed();
  return undisturbed;
}

/** Resumes the run in the folder and compares. */
export async function resumedTraining(run: string, story: string): Promise<Finding[]> {
  const { end: whole } = await undisturbedTraining();
  const resumed = await runChild('train', { args: [run, UPDATES] });
  if (resumed.code === 0) return differences(whole, await endOf(run), story);
  return [{ title: 'a disturbed training cannot be resumed', detail: `${story}\n${resumed.stderr}` }];
}

async function trainUndisturbed(): Promise<Undisturbed> {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-undisturbed-'));
  try {
    const [run, counter] = [join(folder, 'run'), join(folder, 'changes')];
    const { code, stderr, milliseconds } = await runCounted('train', run, [run, UPDATES], counter);
    if (code !== 0) throw new Error(`an undisturbed training failed: ${stderr}`);
    return { end: await endOf(run), changes: Number(await readFile(counter, 'utf8')), milliseconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Metrics but for measurements of time, and digests of the last checkpoint, the adapters and the corrected steps. */
export async function endOf(run: string): Promise<RunEnd> {
  const lines = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  const metrics = lines.map(withoutTimes);
  // manifests and states only say where the others stand, and how long logs are whose times take more or fewer digits
  const weights = /\.(bin|safetensors)$|policy\.json$/;
  const paths = (await readdir(run, { recursive: true })).filter((path) => weights.test(path));
  const files: Record<string, string> = {};
  for (const path of paths.sort()) {
    files[path] = createHash('sha256')
      .update(await readFile(join(run, path)))
      .digest('hex')
      .slice(0, 16);
  }
  return { metrics, files };
}

/** A line that is torn stays as it is, and differs. */
function withoutTimes(line: string): string {
  try {
    return JSON.stringify(
      JSON.parse(line, (key, value: unknown) => (/^(time|memory)\//.test(key) ? undefined : value)),
    );
  } catch {
    return JSON.stringify({ update: 'torn', metrics: { line } });
  }
}

export function differences(whole: RunEnd, end: RunEnd, story: string): Finding[] {
  const findings: Finding[] = [];
  const compare = (
    title: string,
    expected: Readonly<Record<string, string>>,
    got: Readonly<Record<string, string>>,
  ) => {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
    const unlike = names.filter((name) => expected[name] !== got[name]);
    const lines = unlike.map((name) => `${name}: expected ${expected[name]}, got ${got[name]}`);
    if (lines.length > 0) findings.push({ title, detail: `${story}\n${lines.join('\n')}` });
  };
  compare('a resumed training has other metrics than an undisturbed one', byName(whole.metrics), byName(end.metrics));
  compare('a resumed training has other weights or files than an undisturbed one', whole.files, end.files);
  return findings;
}

/** `2 train/return` → the value in the record of update 2; a record that comes twice is named so. */
function byName(lines: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  lines.forEach((line, index) => {
    const { update, metrics } = JSON.parse(line) as {
      update: number | 'torn';
      metrics: Record<string, number | string>;
    };
    values[`line ${index + 1}`] = `update ${update}`;
    for (const [name, value] of Object.entries(metrics)) values[`${update} ${name}`] = String(value);
  });
  return values;
}
