/** Episodes played again and continued: every branch is an episode that replays, next to its parent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oracleAgent, randomAgent } from '@vlgym/agents';
import { Generator } from '@vlgym/core';
import { readTrajectories, replay } from '@vlgym/core/trajectory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun } from '../../test-support/make-run.js';
import { rowsOf } from '../episodes/read-episode.js';
import { Run } from '../folders/run.js';
import { Actions } from './actions.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-branches-'));
afterAll(() => rmSync(home, { recursive: true }));
const { signal } = new AbortController();

describe('an episode', () => {
  const run = new Run({ id: 'run', name: 'run', folder: home, kind: 'training', episodes: join(home, 'episodes') });
  const actions = new Actions({
    agents: ['oracle', 'random'],
    openAgent: async ({ name }) => ({ agent: name === 'oracle' ? oracleAgent() : randomAgent() }),
  });
  beforeAll(() => makeRun(home));

  it('is played again and agrees', async () => {
    for (const set of ['played', 'update-5'] as const) {
      const [row] = await rowsOf(run, set);
      expect(await actions.verify(run, { set, id: row!.id })).toMatchObject({ ok: true, steps: row!.length });
    }
  });

  it('continues from any step with any agent, and every branch replays', async () => {
    const rng = new Generator(7);
    const rows = (await rowsOf(run, 'played')).filter(({ length }) => length > 0);
    const made: string[] = [];
    for (let count = 0; count < 24; count += 1) {
      const row = rows[rng.integers(rows.length)]!;
      const at = rng.integers(row.length);
      const agent = ['oracle', 'random', 'recorded', 'nobody'][rng.integers(4)]!;
      const edited = rng.integers(2) === 1 ? { response: '{"action": "+"}' } : {};
      const branch = await actions.branch(run, { set: 'played', id: row.id, at, agent, ...edited }, signal);
      expect(branch).toMatchObject({ parent: row.id, at });
      if (agent === 'oracle') expect(branch.endedBy).not.toBe('interrupted');
      made.push(branch.id);
    }
    let count = 0;
    for await (const branch of readTrajectories(join(home, 'branches'))) {
      expect(await replay(branch)).toMatchObject({ ok: true });
      count += 1;
    }
    expect(count).toBe(24);
    expect((await rowsOf(run, 'branches')).map(({ id }) => id).sort()).toEqual(made.sort());
  });

  it('keeps what came before the step, and answers what was asked', async () => {
    const row = (await rowsOf(run, 'played')).find(({ length }) => length > 2)!;
    const response = '{"thoughts": "left", "action": "-"}';
    const { id } = await actions.branch(run, { set: 'played', id: row.id, at: 2, agent: 'nobody', response }, signal);
    const actionsOf = async (folder: string, wanted: string) => {
      for await (const each of readTrajectories(folder)) if (each.id === wanted) return each.steps;
      return [];
    };
    const [parent, branch] = [
      await actionsOf(join(home, 'episodes'), row.id),
      await actionsOf(join(home, 'branches'), id),
    ];
    expect(branch).toHaveLength(3);
    expect(branch.slice(0, 2).map(({ action }) => action)).toEqual(parent.slice(0, 2).map(({ action }) => action));
    expect(branch[2]).toMatchObject({ response, actionText: '-' });
  });

  it.each([
    [{ set: 'played', id: 'none', at: 0, agent: 'oracle' }, 'nothing at this episode'],
    [{ set: 'played', at: 99, agent: 'oracle' }, 'a step of the episode'],
    [{ set: 'played', at: 0, agent: 'rm -rf' }, 'one of recorded, nobody, oracle, random'],
  ])('refuses %j', async (order, words) => {
    const [row] = await rowsOf(run, 'played');
    await expect(actions.branch(run, { id: row!.id, ...order }, signal)).rejects.toThrow(words);
  });
});
