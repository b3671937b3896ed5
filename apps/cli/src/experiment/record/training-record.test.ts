/** `vlgym train --record`: what updates learned from, and that keeping it changes nothing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrainingIndexLine } from '@vlgym/core/internal';
import { readTrajectories, replay } from '@vlgym/core/trajectory';
import { setNumThreads } from '@vlgym/gpu';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import '@vlgym/points24';
import { parseOptions } from '../../command-line/command.js';
import { train } from '../../commands/train.js';
import { checkRun } from '../benchmark/check-run.js';
import { runTraining } from '../run.js';
import { algorithmOf } from '../run-options.js';
import { readUpdates } from '../run-progress.js';
import { completeTask } from '../settings/settings.js';
import { type RunPlan, runSchema } from '../spec.js';
import { ensureWarmStart } from '../warm-start/warm-start.js';

setNumThreads(1);
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const home = mkdtempSync(join(tmpdir(), 'vlgym-record-'));
afterAll(() => rmSync(home, { recursive: true }));
const signal = new AbortController().signal;

function planOf(folder: string, changes: object = {}): RunPlan {
  const small = { numEnvs: 4, stepsPerUpdate: 16, evaluationEpisodes: 4, warmStartExamples: 64, updates: 2 };
  // the policy moves from the first update on
  const set = { value: { warmupUpdates: 0 } };
  const spec = runSchema.parse({ algorithm: 'vl-dac', ...small, set, threads: 1, ...changes });
  return { ...spec, folder: join(home, folder), start: join(home, 'start') };
}

async function metricsOf(folder: string): Promise<unknown> {
  const updates = await readUpdates(join(home, folder));
  return updates.map(({ metrics }) => Object.entries(metrics).filter(([name]) => !name.startsWith('time/')));
}

const PER_TOKEN = [
  ...(['tokenEnds', 'behaviorLogProbs', 'logProbs', 'entropies'] as const),
  ...(['referenceLogProbs', 'referenceKl', 'thoughtMask', 'actionMask'] as const),
  ...(['sightGray', 'sightWrong'] as const),
] as const;
type Line = Readonly<Record<(typeof PER_TOKEN)[number] | 'tokenIds', readonly number[]>> &
  Readonly<Record<'advantage' | 'value' | 'return', number>> & { readonly pictures: readonly string[] };

describe('a run that records every second update', () => {
  const training = join(home, 'recorded', 'training');
  beforeAll(async () => {
    await ensureWarmStart(completeTask(planOf('recorded')), join(home, 'start'), { signal });
    await runTraining(planOf('recorded', { record: 2, recordScores: 100 }), () => {}, signal);
    await runTraining(planOf('plain'), () => {}, signal);
  });

  it('trains as one that records nothing', async () => {
    expect(await metricsOf('recorded')).toEqual(await metricsOf('plain'));
    expect(readdirSync(join(home, 'plain'))).not.toContain('training');
  });

  it('keeps every step with numbers for each token, and its pictures', async () => {
    const files = ['episodes.index.jsonl', 'episodes.jsonl', 'images', 'index.jsonl'];
    const ofUpdate = ['update-000002.columns.jsonl', 'update-000002.jsonl'];
    expect(readdirSync(training).sort()).toEqual([...files, ...ofUpdate]);
    const lines = readFileSync(join(training, 'update-000002.jsonl'), 'utf8').trim().split('\n');
    const steps = lines.map((line) => JSON.parse(line) as Line);
    expect(steps).toHaveLength(16);
    const pictures = new Set(readdirSync(join(training, 'images')));
    for (const step of steps) {
      expect(step).toMatchObject({ schema: 'vlgym.training-step/1', update: 2 });
      for (const name of PER_TOKEN) expect([name, step[name].length]).toEqual([name, step.tokenIds.length]);
      for (const number of [step.advantage, step.value, step.return]) expect(number).toEqual(expect.any(Number));
      for (const hash of step.pictures) expect(pictures).toContain(`${hash.slice('sha256:'.length)}.png`);
    }
    const kl = steps.flatMap(({ referenceKl }) => referenceKl);
    expect(Math.min(...kl)).toBeGreaterThan(-1e-6);
    // the first update has moved the policy from where it started
    expect(Math.max(...kl)).toBeGreaterThan(0);
    const values = steps.map(({ value }) => value);
    expect(new Set(values).size).toBeGreaterThan(1);
  });

  it('says where the steps of each episode lie, and keeps the episodes that ended, so that they replay', async () => {
    const text = readFileSync(join(training, 'update-000002.jsonl'));
    const index = readFileSync(join(training, 'index.jsonl'), 'utf8').trim().split('\n');
    const all = index.map((line) => JSON.parse(line) as TrainingIndexLine);
    // the second line of an episode says the same as the first, and more
    const lines = [...new Map(all.map((line) => [line.id, line])).values()];
    expect(all).toHaveLength(2 * lines.length);
    const steps = lines.flatMap(({ id, steps: places }) =>
      places.map(([from, length]) => [id, JSON.parse(text.subarray(from, from + length).toString()).episode]),
    );
    expect(steps).toHaveLength(16);
    for (const [id, episode] of steps) expect(episode).toBe(id);
    const ended = new Set(lines.filter(({ endedBy }) => endedBy !== 'open').map(({ id }) => id));
    for await (const trajectory of readTrajectories(training)) {
      ended.delete(trajectory.id);
      expect(await replay(trajectory)).toMatchObject({ ok: true });
    }
    expect([...ended]).toEqual([]);
  });

  it('adds the log-probs of the same tokens once the update is done', async () => {
    const read = (name: string) =>
      readFileSync(join(training, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const before = new Map(read('update-000002.jsonl').map((line) => [`${line.episode} ${line.step}`, line]));
    const after = read('update-000002.columns.jsonl');
    expect(after).toHaveLength(16);
    const moved = after.flatMap(({ episode, step, logProbsAfter }) => {
      const { logProbs } = before.get(`${episode} ${step}`);
      expect(logProbsAfter).toHaveLength(logProbs.length);
      return logProbs.map((value: number, token: number) => Math.abs(logProbsAfter[token] - value));
    });
    expect(Math.max(...moved)).toBeGreaterThan(1e-4);
  });

  it('computes what only a record needs for as many steps as fit into the share, and says what it dropped', async () => {
    const said: string[] = [];
    const listen = (message: { type: string; text?: string }) => void said.push(message.text ?? '');
    await runTraining(planOf('share', { record: 2, recordEpisodes: 3, recordScores: 10 }), listen, signal);
    expect(await metricsOf('share')).toEqual(await metricsOf('plain'));
    const text = readFileSync(join(home, 'share', 'training', 'update-000002.jsonl'), 'utf8');
    const scored = text.split('\n').filter((line) => line.includes('"sightGray"')).length;
    // 10 % of 2 updates · 16 steps · (3 + 3 · epochs) passes, by 4 passes of each step
    const { optimizer } = algorithmOf(planOf('share')).config;
    expect(scored).toBe(
      Math.min(text.trim().split('\n').length, Math.floor((0.1 * 2 * 16 * (3 + 3 * optimizer.epochs)) / 4)),
    );
    expect(said.at(-1)).toMatch(
      /^recorded 1 updates: 3 episodes, \d+ steps, .* MB in training; .*left out \d+ episodes \(\d+ steps\) by --record-episodes$/,
    );
  });

  it('keeps nothing more once the folder is full', async () => {
    const said: string[] = [];
    const listen = (message: { type: string; text?: string }) => void said.push(message.text ?? '');
    await runTraining(planOf('full', { record: 1, recordMegabytes: 0.001 }), listen, signal);
    expect(readdirSync(join(home, 'full', 'training'))).toContain('update-000001.jsonl');
    expect(readdirSync(join(home, 'full', 'training'))).not.toContain('update-000002.jsonl');
    expect(said.at(-1)).toMatch(/left out 1 whole updates by --record-megabytes$/);
  });

  it('keeps as many episodes of an update as it is told to', async () => {
    await runTraining(planOf('limited', { record: 2, recordEpisodes: 3 }), () => {}, signal);
    expect(await metricsOf('limited')).toEqual(await metricsOf('plain'));
    const index = readFileSync(join(home, 'limited', 'training', 'index.jsonl'), 'utf8');
    expect(
      new Set(
        index
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id),
      ).size,
    ).toBe(3);
  });
});

it.each([
  [['vl-dac', '--record'], 1],
  [['vl-dac', '--record', '5'], 5],
  [['vl-dac', '--record', '--updates', '2'], 1],
  [['vl-dac'], undefined],
])('%j records every %s updates', (words, every) => {
  expect(parseOptions(train, words)).toMatchObject({ algorithm: 'vl-dac', ...(every && { record: every }) });
});

it('a run of several processes says that it cannot be recorded', async () => {
  await expect(checkRun(planOf('several', { record: 1, procs: 2 }))).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
