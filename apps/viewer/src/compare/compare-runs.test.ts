/** Two agents on equal seeds: the figures of the page are those of `vlgym compare`, wherever their episodes lie. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentTurn, type AnyAgent, evaluate, oracleAgent, pairedComparison, randomAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import { TrajectoryWriter } from '@vlgym/core/trajectory';
import '@vlgym/points24';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toolAgent } from '../../test-support/make-run.js';
import { Library } from '../server/library.js';
import { type ComparedSide, compareRuns } from './compare-runs.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-compare-'));
afterAll(() => rmSync(home, { recursive: true }));
/** Each seed twice. */
const seeds = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((seed) => [seed, seed]);
const play = (record: string | TrajectoryWriter, agent: AnyAgent, env = 'vlgym/NumberLine-v1') =>
  evaluate({ env: () => make(env), agent, seeds, record, maxSteps: 6 });

const SEED_3 = /\.3(?:-\d+)?$/;
/** Random, and the server of a tool is gone in some of its episodes: those say nothing about the agent. */
const unlucky: AnyAgent = {
  name: 'unlucky',
  act: async (context): Promise<AgentTurn> =>
    (SEED_3.test(context.episodeId) && context.stepIndex === 1 ? toolAgent : randomAgent()).act(context),
};

let expected: ReturnType<typeof pairedComparison>;
const sides = new Map<string, ComparedSide>();
beforeAll(async () => {
  const careful = await play(join(home, 'careful'), oracleAgent());
  const other = await play(join(home, 'unlucky'), unlucky);
  await play(join(home, 'elsewhere'), oracleAgent(), 'vlgym/EZPoints-v1');
  expected = pairedComparison(careful.episodes, other.episodes);
  const writer = await TrajectoryWriter.open(join(home, 'both'));
  for (const agent of [oracleAgent(), unlucky]) await play(writer, agent);
  await writer.close();
  for (const run of await new Library([home]).all()) sides.set(run.place.name, { run });
});
const side = (name: string, agent?: string): ComparedSide => ({ ...sides.get(name)!, agent });

it('has the figures of the report, of attempts and seeds that count', async () => {
  const found = await compareRuns(side('careful'), side('unlucky'));
  const { difference, interval95, pValue, tasks, onlyFirst, onlySecond, pairs } = expected;
  expect(found.figures).toEqual({ difference, interval95, pValue, tasks, onlyFirst, onlySecond });
  expect([found.pairs.length, found.uncounted, found.otherTasks]).toEqual([pairs, 16 - pairs, 0]);
  expect(found.uncounted).toBeGreaterThan(0);
  expect(found.pairs.slice(0, 2).map(({ seed, repeat }) => [seed, repeat])).toContainEqual([0, 1]);
  expect(found.agents).toEqual(['oracle', 'unlucky']);
  expect(found.settings).toContainEqual({ name: 'agent.name', first: 'oracle', second: 'unlucky' });
});

it('finds the same in one recording that holds both agents', async () => {
  const apart = await compareRuns(side('careful'), side('unlucky'));
  const together = await compareRuns(side('both', 'oracle'), side('both', 'unlucky'));
  expect({ ...together, pairs: together.pairs.length }).toEqual({ ...apart, pairs: apart.pairs.length });
  expect(await sides.get('both')!.run.summary()).toMatchObject({
    agents: ['oracle', 'unlucky'],
    agent: 'oracle, unlucky',
    episodes: 32,
  });
});

it('compares no seeds of different environments', async () => {
  const found = await compareRuns(side('careful'), side('elsewhere'));
  expect(found).toMatchObject({ pairs: [], environments: ['vlgym/NumberLine-v1', 'vlgym/EZPoints-v1'] });
  expect(found.figures).toBeUndefined();
});
