/** The arena, questions about a step, and pictures that were changed: what is recorded, and what is refused. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyAgent, oracleAgent, randomAgent, speakingAgent } from '@vlgym/agents';
import { type ChatMessage, encodePng, hashImage, type Image } from '@vlgym/core';
import { readTrajectories, replay } from '@vlgym/core/trajectory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun } from '../../test-support/make-run.js';
import { arenaResults } from '../compare/arena-results.js';
import { readEpisode, rowsOf } from '../episodes/read-episode.js';
import { Run } from '../folders/run.js';
import { Actions } from './actions.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-pairs-'));
afterAll(() => rmSync(home, { recursive: true }));
const { signal } = new AbortController();

/** Prompts that the speaker was given. */
const heard: (readonly ChatMessage[])[] = [];
const speaker: AnyAgent = speakingAgent(
  ({ messages = [] }) => {
    heard.push(messages);
    return '{"thoughts": "right", "action": "+"}';
  },
  { name: 'speaker' },
);
const agents: Readonly<Record<string, AnyAgent>> = { oracle: oracleAgent(), random: randomAgent(), speaker };

describe('a run', () => {
  const run = new Run({ id: 'run', name: 'run', folder: home, kind: 'training', episodes: join(home, 'episodes') });
  const actions = new Actions({
    agents: Object.keys(agents),
    openAgent: async ({ name }) => ({ agent: agents[name]! }),
  });
  let id = '';
  beforeAll(async () => {
    await makeRun(home, { seeds: [0, 1, 2], recorded: [] });
    id = (await rowsOf(run, 'played')).find(({ length }) => length > 2)!.id;
  });
  const whole = async (folder: string, wanted: string) => {
    for await (const each of readTrajectories(join(home, folder))) if (each.id === wanted) return each;
    throw new Error(`no ${wanted}`);
  };

  it('keeps what two agents do on one seed as a pair that replays, and adds the pairs up', async () => {
    const seeds = [3, 4, 5];
    for (const seed of seeds) {
      const order = { set: 'played', id, first: 'oracle', second: 'random', seed };
      const { group, first, second } = await actions.pair(run, order, signal);
      expect([first.seed, second.seed, first.success]).toEqual([seed, seed, true]);
      for (const side of [first, second]) expect(await whole('pairs', side.id)).toMatchObject({ group, seed });
    }
    await actions.pair(run, { set: 'played', id, first: 'random', second: 'oracle', seed: 6 }, signal);
    for await (const each of readTrajectories(join(home, 'pairs')))
      expect(await replay(each)).toMatchObject({ ok: true });
    const { standings, pairs } = await arenaResults(run);
    expect(pairs).toHaveLength(4);
    expect(standings).toHaveLength(1);
    const [{ first, second, both, onlyFirst, onlySecond, neither, difference }] = standings as [
      (typeof standings)[number],
    ];
    expect([first, second, onlySecond, neither]).toEqual(['oracle', 'random', 0, 0]);
    expect(both + onlyFirst).toBe(4);
    expect(difference).toBeCloseTo(onlyFirst / 4);
    expect(await run.details(['oracle'])).toMatchObject({ pairs: 4 });
  });

  it('lets an agent play against the recording, on the same seed', async () => {
    const { first } = await actions.pair(run, { set: 'played', id, first: 'recorded', second: 'oracle' }, signal);
    const [recorded, pair] = [await whole('episodes', id), await whole('pairs', first.id)];
    expect(pair.steps.map(({ action }) => action)).toEqual(recorded.steps.map(({ action }) => action));
  });

  it('asks an agent with words about a step: it reads the prompt, the answer, and what was said', async () => {
    heard.length = 0;
    const said = ['Why?', 'Because.', 'Are you sure?'];
    const { answer } = await actions.talk(run, { set: 'played', id, at: 1, agent: 'speaker', said }, signal);
    expect(answer).toContain('"action": "+"');
    const [messages = []] = heard;
    expect(messages.slice(-3)).toEqual([
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'Because.' },
      { role: 'user', content: 'Are you sure?' },
    ]);
    expect(messages.slice(0, -3).some(({ content }) => JSON.stringify(content).includes('image'))).toBe(true);
  });

  it('shows an agent the changed picture once, records the prompt with it, and the branch replays', async () => {
    heard.length = 0;
    const gray: Image = { width: 8, height: 8, channels: 3, data: new Uint8Array(192).fill(128) };
    const episode = (await readEpisode(run, 'played', id))!;
    const [hash] = episode.steps[1]!.pictures;
    const picture = { hash, png: Buffer.from(encodePng(gray)).toString('base64') };
    const order = { set: 'played', id, at: 1, agent: 'speaker', picture };
    const branch = await actions.branch(run, order, signal);
    const seen = heard.map((messages) => JSON.stringify(picturesOf(messages)));
    expect(seen[0]).toBe(JSON.stringify([hashImage(gray)]));
    expect(seen.slice(1)).not.toContain(seen[0]);
    const kept = await whole('branches', branch.id);
    expect(JSON.stringify(kept.steps[1]!.prompt)).toContain(hashImage(gray));
    expect(kept.metadata).toMatchObject({ branch: { picture: hash } });
    expect(await replay(kept)).toMatchObject({ ok: true });
    await expect(actions.branch(run, { ...order, agent: 'oracle' }, signal)).rejects.toThrow('looks at pictures');
    const wrong = { ...order, picture: { ...picture, hash: `sha256:${'0'.repeat(64)}` } };
    const failed = await actions.branch(run, wrong, signal);
    expect(failed).toMatchObject({ endedBy: 'error' });
  });

  it('shows branches of branches as one tree, from any of them', async () => {
    const one = await actions.branch(run, { set: 'played', id, at: 1, agent: 'oracle' }, signal);
    const two = await actions.branch(run, { set: 'branches', id: one.id, at: 0, agent: 'random' }, signal);
    const family = (await readEpisode(run, 'branches', two.id))!.family;
    expect(family[0]).toMatchObject({ set: 'played', row: { id } });
    const parents = new Map(family.map(({ row }) => [row.id, row.parent]));
    expect([parents.get(one.id), parents.get(two.id)]).toEqual([id, one.id]);
    expect((await readEpisode(run, 'played', id))!.family).toEqual(family);
  });

  it.each([
    [{ first: 'oracle', second: 'oracle' }, 'another agent'],
    [{ first: 'oracle', second: 'nobody' }, 'another agent'],
    [{ first: 'oracle', second: 'nonsense' }, 'one of recorded, nobody, oracle'],
    [{ first: 'oracle', second: 'random', seed: -1 }, 'a whole number'],
    [{ first: 'recorded', second: 'random', seed: 77 }, 'the recorded one'],
  ])('refuses the pair %j', async (order, words) => {
    await expect(actions.pair(run, { set: 'played', id, ...order }, signal)).rejects.toThrow(words);
  });

  it.each([
    [{ agent: 'oracle', said: ['Why?'] }, 'an agent with words'],
    [{ agent: 'speaker', said: ['Why?', 'Because.'] }, 'cannot be asked'],
    [{ agent: 'speaker', said: [] }, 'cannot be asked'],
    [{ agent: 'speaker', said: [{}] }, 'cannot be asked'],
  ])('refuses the question %j', async (order, words) => {
    await expect(actions.talk(run, { set: 'played', id, at: 0, ...order }, signal)).rejects.toThrow(words);
  });
});

const picturesOf = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'image' ? hashImage(part.image) : [])),
  );
