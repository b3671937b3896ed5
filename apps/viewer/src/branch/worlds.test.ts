/** A hundred random branches of episodes on cards, in rooms, in a household and in a shop: each replays like any episode. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent, randomAgent } from '@vlgym/agents';
import { Generator, make } from '@vlgym/core';
import { readTrajectories, replay } from '@vlgym/core/trajectory';
import { afterAll, expect, it } from 'vitest';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';
import { readEpisode, rowsOf } from '../episodes/read-episode.js';
import { Run } from '../folders/run.js';
import { Actions } from './actions.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-worlds-'));
afterAll(() => rmSync(home, { recursive: true }));
const { signal } = new AbortController();

const BRANCHES = 25;
/** Steps of an episode: rooms are drawn at every step. */
const STEPS = 5;
const WORLDS = {
  cards: { id: 'vlgym/Points24-v1' },
  rooms: { id: 'MiniWorld-OneRoom-v0' },
  household: { id: 'vlgym/ALFWorld-v1' },
  shop: { id: 'vlgym/WebShop-v1' },
} as const;

const actions = new Actions({
  agents: ['oracle', 'random'],
  openAgent: async ({ name }) => ({ agent: name === 'oracle' ? oracleAgent() : randomAgent() }),
});

it.each(Object.entries(WORLDS))('%s', async (name, { id: env }) => {
  const folder = join(home, name);
  await evaluate({ env: () => make(env), agent: randomAgent(), seeds: [0, 1, 2], maxSteps: STEPS, record: folder });
  const run = new Run({ id: name, name, folder, kind: 'recording', episodes: folder });
  const rng = new Generator(11);
  const rows = (await rowsOf(run, 'played')).filter(({ length }) => length > 0);
  for (let count = 0; count < BRANCHES; count += 1) {
    const { id, length } = rows[rng.integers(rows.length)]!;
    const at = rng.integers(length);
    const agent = ['oracle', 'random', 'recorded', 'nobody'][rng.integers(4)]!;
    const response = rng.integers(2) === 1 ? { response: '{"thoughts": "else", "action": "none of these"}' } : {};
    const branch = await actions.branch(run, { set: 'played', id, at, agent, ...response }, signal);
    expect(branch).toMatchObject({ parent: id, at });
  }
  let verified = 0;
  for await (const branch of readTrajectories(join(folder, 'branches'))) {
    expect(await replay(branch)).toMatchObject({ ok: true, steps: branch.steps.length });
    verified += 1;
  }
  expect(verified).toBe(BRANCHES);
  const [first] = await rowsOf(run, 'branches');
  expect((await readEpisode(run, 'branches', first!.id))!.family.length).toBeGreaterThan(1);
});
