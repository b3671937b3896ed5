/** Training runs killed at every change of their files and at random moments: resumed, they end bit for bit like others. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attack, Finding } from '../attack.js';
import { runChild } from '../support/child.js';
import { describeKill, planKills, runCounted, runKilled } from '../support/kill-plan.js';

const UPDATES = '3';

interface Undisturbed {
  readonly end: RunEnd;
  readonly changes: number;
  readonly milliseconds: number;
}

/** What must be equal: metrics line by line, and every file that a later update reads. */
interface RunEnd {
  readonly metrics: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

let undisturbed: Promise<Undisturbed> | undefined;

export const killTraining: Attack = {
  name: 'kill-training',
  about: 'training of a stub policy killed at each change of its files and at random moments, then resumed',
  weight: 3,
  async run({ index, rng, folder }) {
    undisturbed ??= trainUndisturbed();
    const { end: whole, changes, milliseconds } = await undisturbed;
    const run = join(folder, 'run');
    const kills = planKills(rng, index, changes, milliseconds);
    let killed = 0;
    for (const kill of kills) {
      const { signal } = await runKilled('train', run, [run, UPDATES], kill);
      if (signal === 'SIGKILL') killed += 1;
    }
    const resumed = await runChild('train', { args: [run, UPDATES] });
    const story = `killed ${kills.map(describeKill).join(', then ')}`;
    const counts = { kills: killed, runs: 1 };
    if (resumed.code !== 0) {
      const detail = `${story}\n${resumed.stderr}`;
      return { counts, findings: [{ title: 'a killed training cannot be resumed', detail }] };
    }
    return { counts, findings: differences(whole, await endOf(run), story) };
  },
};

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
  const metrics = lines.map((line) =>
    JSON.stringify(JSON.parse(line, (key, value: unknown) => (/^(time|memory)\//.test(key) ? undefined : value))),
  );
  const paths = (await readdir(run, { recursive: true })).filter((path) => /\.(bin|safetensors|json)$/.test(path));
  const files: Record<string, string> = {};
  for (const path of paths.sort()) {
    // a manifest only lists the others, and a log's length depends on how times are printed
    if (/manifest\.json$|state\.json$/.test(path)) continue;
    files[path] = createHash('sha256')
      .update(await readFile(join(run, path)))
      .digest('hex')
      .slice(0, 16);
  }
  return { metrics, files };
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
    const { update, metrics } = JSON.parse(line) as { update: number; metrics: Record<string, number> };
    values[`line ${index + 1}`] = `update ${update}`;
    for (const [name, value] of Object.entries(metrics)) values[`${update} ${name}`] = String(value);
  });
  return values;
}
