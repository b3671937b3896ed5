/** The steps that an update learned from: the same with and without the index, and its numbers token by token. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TRAINING_INDEX } from '@vlgym/core/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun } from '../../test-support/make-run.js';
import { Run } from '../folders/run.js';
import { readEpisode, readTokens, rowsOf } from './read-episode.js';
import { TrainingRecords } from './training-records.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-learned-'));
afterAll(() => rmSync(home, { recursive: true }));

describe('the record of an update', () => {
  const run = new Run({ id: 'run', name: 'run', folder: home, kind: 'training', episodes: join(home, 'episodes') });
  beforeAll(() => makeRun(home));

  it('names its episodes with how they ended, and where their steps lie', async () => {
    const rows = await rowsOf(run, 'update-10');
    expect(rows).toHaveLength(6);
    for (const row of rows)
      expect(row).toMatchObject({ policyVersion: 10, success: expect.any(Boolean), seed: expect.any(Number) });
    expect(await run.training.updates()).toEqual([5, 10]);
  });

  it('shows an episode with its prompt-side pictures, rewards, values and advantages', async () => {
    const [row] = await rowsOf(run, 'update-10');
    const episode = await readEpisode(run, 'update-10', row!.id);
    expect(episode).toMatchObject({ replayable: true });
    expect(episode!.steps).toHaveLength(row!.length);
    expect(episode!.steps[0]).toMatchObject({
      advantage: -0.5,
      value: 0.25,
      policyVersion: 10,
      tokens: 4,
      inPolicyLoss: true,
    });
    expect(episode!.steps[0]!.pictures).toHaveLength(1);
  });

  it('has every number of each token, those after the update included', async () => {
    const [row] = await rowsOf(run, 'update-5');
    const tokens = await readTokens(run, 'update-5', row!.id, 0);
    expect(tokens!.texts).toEqual(['{"thoughts"', ': "go on"', ', "action"', ': "+"}']);
    expect(tokens!.parts).toEqual(['thought', 'thought', 'action', 'action']);
    const names = tokens!.columns.map(({ name }) => name);
    const ofLearner = ['logProb', 'entropy', 'behavior', 'difference', 'ratio', 'after', 'ratioAfter'];
    expect(names).toEqual([...ofLearner, 'sightGray', 'sightWrong', 'reference', 'kl', 'teacher', 'teacherKl']);
    const last = Object.fromEntries(tokens!.columns.map(({ name, values }) => [name, values[3]!]));
    expect(last.ratio).toBeCloseTo(Math.exp(0.1), 12);
    expect(last.ratioAfter).toBeCloseTo(Math.exp(0.1), 12);
    expect(last).toMatchObject({ sightGray: 1.5, sightWrong: 2.5, teacher: -0.2, teacherKl: 0.02 });
  });

  it('is the same without the index', async () => {
    const indexed = await new TrainingRecords(home).episodes(5);
    rmSync(join(home, 'training', TRAINING_INDEX));
    const read = await new TrainingRecords(home).episodes(5);
    // how an episode ended is in the index alone
    expect(read).toEqual(indexed.map(({ success: _, seed: __, ...line }) => line));
  });
});
