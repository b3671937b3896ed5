import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent } from '@vlgym/agents';
import { readTrajectories } from '@vlgym/core/trajectory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../environments.js';
import { RecordingTable } from './recording-table.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-watch-'));
  await evaluate({ env: 'vlgym/EZPoints-v1', agent: oracleAgent(), seeds: [3, 4], record: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a recording on the page', () => {
  it('goes forward and back through every step of every episode, with picture, thought and reward', async () => {
    const table = (await RecordingTable.open([folder]))!;
    const episodes = [];
    for await (const episode of readTrajectories(folder)) episodes.push(episode);
    expect(table.length).toBe(2);
    for (const [index, { steps }] of episodes.entries()) {
      let shown = await table.restart(index);
      expect(shown).toMatchObject({ view: { step: 0, past: [], watching: { who: 'oracle', back: true } } });
      for (const step of steps) {
        expect(shown.pictures).toHaveLength(1);
        expect(shown.view.verdict).toBeUndefined();
        shown = await table.move(shown.turn, 'next');
        expect(shown.view.past.at(-1)).toMatchObject({ action: step.actionText, reward: step.reward });
      }
      expect(shown.view.verdict).toMatch(/^Solved\. Return 10 in \d+ steps\.$/);
      const back = await table.move(shown.turn, 'back');
      expect(back.view).toMatchObject({ step: steps.length - 1 });
      expect((await table.move(shown.turn, 'back')).turn).toBe(back.turn); // a late click changes nothing
    }
  });
});
