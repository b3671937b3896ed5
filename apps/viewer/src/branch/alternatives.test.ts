/** Other tokens at the places of a recorded answer: who is asked, about what, and with which temperature. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomAgent } from '@vlgym/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun } from '../../test-support/make-run.js';
import { rowsOf } from '../episodes/read-episode.js';
import { Run } from '../folders/run.js';
import type { TokenPlace } from '../protocol.js';
import { Actions } from './actions.js';
import type { TokenQuestion } from './agents.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-alternatives-'));
const { signal } = new AbortController();
afterAll(() => rmSync(home, { recursive: true }));
beforeAll(() => makeRun(home, { seeds: [0, 1], recorded: [5], settings: { config: { loss: { temperature: 0.7 } } } }));

describe('other tokens', () => {
  const place: TokenPlace = { logProb: -0.1, rank: 0, top: [{ id: 11, text: 'a', logProb: -0.1 }] };
  const asked: TokenQuestion[] = [];
  const names: string[] = [];
  const run = new Run({ id: 'run', name: 'run', folder: home, kind: 'training', episodes: join(home, 'episodes') });
  const actions = new Actions({
    agents: ['oracle', 'policy'],
    openAgent: async ({ name, purpose }) => ({
      agent: randomAgent(),
      alternatives: async (question) => {
        asked.push(question);
        names.push(`${name} ${purpose}`);
        return question.context.messages === undefined ? [] : [...question.tokenIds].map(() => place);
      },
    }),
  });

  it('are those of the weights that were chosen, after the prompt of the step, for the tokens that were recorded', async () => {
    const row = (await rowsOf(run, 'update-5')).find(({ length }) => length > 1)!;
    const order = { set: 'update-5', id: row.id, at: 1, agent: 'policy' };
    expect(await actions.alternatives(run, order, signal)).toEqual({ places: [place, place, place, place] });
    expect(names).toEqual(['policy tokens']);
    expect(asked[0]).toMatchObject({ temperature: 0.7, tokenIds: Int32Array.of(11, 12, 13, 14) });
    expect(JSON.stringify(asked[0]!.context.messages)).toContain('action');
  });

  it.each([
    [{ set: 'update-5', at: 0, agent: 'oracle' }, 'the policy of the run'],
    [{ set: 'update-5', at: 99, agent: 'policy' }, 'a step of the episode'],
    [{ set: 'played', at: 0, agent: 'policy' }, 'no tokens to compare with'],
  ])('refuses %j', async (order, words) => {
    const row = (await rowsOf(run, 'update-5')).find(({ length }) => length > 1)!;
    await expect(actions.alternatives(run, { id: row.id, ...order }, signal)).rejects.toThrow(words);
  });
});
