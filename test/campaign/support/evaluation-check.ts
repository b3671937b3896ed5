/** Evaluations in children: what an undisturbed one says, and whether a resumed one says the same. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTrajectories } from '@vlgym/core/trajectory';
import type { Finding } from '../attack.js';
import { runChild } from './child.js';
import { runCounted } from './kill-plan.js';

export const EPISODES = '8';

export interface Row {
  readonly index: number;
  readonly seed: number;
  readonly counted: boolean;
}

export interface Result {
  readonly rows: readonly Row[];
  readonly totals: unknown;
  readonly played: number;
}

export interface Undisturbed {
  readonly result: Result;
  readonly changes: number;
  readonly milliseconds: number;
}

let undisturbed: Promise<Undisturbed> | undefined;

/** Played once per process. */
export function undisturbedEvaluation(): Promise<Undisturbed> {
  undisturbed ??= playUndisturbed();
  return undisturbed;
}

/** Resumes the evaluation in the folder, twice, and compares. */
export async function resumedEvaluation(run: string, story: string): Promise<Finding[]> {
  const { result: whole } = await undisturbedEvaluation();
  const findings: Finding[] = [];
  const found = (title: string, detail: string) => findings.push({ title, detail: `${story}\n${detail}` });
  const resumed = await runChild('evaluate', { args: [run, EPISODES] });
  const result = resultOf(resumed.stdout);
  if (!result) {
    found('a disturbed evaluation cannot be resumed', resumed.stderr);
    return findings;
  }
  const wrong = whole.rows.flatMap((row, at) => {
    const [expected, got] = [JSON.stringify(row), JSON.stringify(result.rows[at])];
    return got === expected ? [] : [`expected ${expected}\ngot      ${got}`];
  });
  if (wrong.length > 0) found('a resumed evaluation has other rows than an undisturbed one', wrong.join('\n'));
  const [expected, got] = [JSON.stringify(whole.totals), JSON.stringify(result.totals)];
  if (got !== expected) found('a resumed evaluation has other totals', `expected ${expected}\ngot      ${got}`);
  const complete = await completeEpisodes(run);
  if (complete.size !== whole.rows.length || [...complete].some(([, count]) => count !== 1)) {
    found('an episode is not recorded exactly once', `complete episodes by seed: ${JSON.stringify([...complete])}`);
  }
  const again = resultOf((await runChild('evaluate', { args: [run, EPISODES] })).stdout);
  if (again?.played !== 0) found('a finished evaluation plays on', `${again?.played} episodes played again`);
  return findings;
}

async function playUndisturbed(): Promise<Undisturbed> {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-undisturbed-'));
  try {
    const [run, counter] = [join(folder, 'run'), join(folder, 'changes')];
    const { stdout, stderr, milliseconds } = await runCounted('evaluate', run, [run, EPISODES], counter);
    const result = resultOf(stdout);
    if (!result) throw new Error(`an undisturbed evaluation failed: ${stderr}`);
    return { result, changes: Number(await readFile(counter, 'utf8')), milliseconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf(stdout: string): Result | undefined {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  return line.startsWith('{') ? (JSON.parse(line) as Result) : undefined;
}

/** How often each seed was recorded to its end. */
async function completeEpisodes(folder: string): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for await (const { seed, outcome } of readTrajectories(folder, { onInvalid: 'skip' })) {
    // an outcome without `success` was read from an episode without an end line; it is played again
    if (outcome.endedBy === 'interrupted' || outcome.success === undefined || seed === undefined) continue;
    counts.set(seed, (counts.get(seed) ?? 0) + 1);
  }
  return counts;
}
