/** Evaluations killed at every change of their files and at random moments: resumed, they say what an undisturbed one says. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTrajectories } from '@vlgym/core';
import type { Attack, Finding } from '../attack.js';
import { runChild } from '../support/child.js';
import { describeKill, planKills, runCounted, runKilled } from '../support/kill-plan.js';

const EPISODES = '8';

interface Row {
  readonly index: number;
  readonly seed: number;
  readonly counted: boolean;
}

interface Result {
  readonly rows: readonly Row[];
  readonly totals: unknown;
  readonly played: number;
}

interface Undisturbed {
  readonly result: Result;
  readonly changes: number;
  readonly milliseconds: number;
}

let undisturbed: Promise<Undisturbed> | undefined;

export const killEvaluation: Attack = {
  name: 'kill-evaluation',
  about: 'evaluations killed at each change of their files and at random moments, then resumed',
  weight: 3,
  async run({ index, rng, folder }) {
    undisturbed ??= playUndisturbed();
    const { result: whole, changes, milliseconds } = await undisturbed;
    const run = join(folder, 'run');
    const kills = planKills(rng, index, changes, milliseconds);
    let killed = 0;
    for (const kill of kills) {
      const { signal } = await runKilled('evaluate', run, [run, EPISODES], kill);
      if (signal === 'SIGKILL') killed += 1;
    }
    const story = `killed ${kills.map(describeKill).join(', then ')}`;
    const findings: Finding[] = [];
    const found = (title: string, detail: string) => findings.push({ title, detail: `${story}\n${detail}` });

    const resumed = await runChild('evaluate', { args: [run, EPISODES] });
    const result = resultOf(resumed.stdout);
    if (!result) {
      found('a killed evaluation cannot be resumed', resumed.stderr);
      return { counts: { kills: killed, evaluations: 1 }, findings };
    }
    const wrong = whole.rows.flatMap((row, at) => {
      const got = result.rows[at];
      return JSON.stringify(got) === JSON.stringify(row)
        ? []
        : [`expected ${JSON.stringify(row)}\ngot      ${JSON.stringify(got)}`];
    });
    if (wrong.length > 0) found('a resumed evaluation has other rows than an undisturbed one', wrong.join('\n'));
    if (JSON.stringify(result.totals) !== JSON.stringify(whole.totals)) {
      found(
        'a resumed evaluation has other totals',
        `${JSON.stringify(result.totals)}\n${JSON.stringify(whole.totals)}`,
      );
    }
    const complete = await completeEpisodes(run);
    const unlike = [...complete].filter(([, count]) => count !== 1);
    if (unlike.length > 0 || complete.size !== whole.rows.length) {
      found('an episode is not recorded exactly once', `complete episodes by seed: ${JSON.stringify([...complete])}`);
    }
    const again = resultOf((await runChild('evaluate', { args: [run, EPISODES] })).stdout);
    if (again?.played !== 0) found('a finished evaluation plays on', `${again?.played} episodes played again`);
    return { counts: { kills: killed, evaluations: 1 }, findings };
  },
};

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
