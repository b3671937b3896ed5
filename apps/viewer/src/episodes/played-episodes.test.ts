/** The list of a recording: with its index, without it, with a part of it, and after a kill. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomAgent } from '@vlgym/agents';
import { INDEX_FILE } from '@vlgym/core/internal';
import { readTrajectories } from '@vlgym/core/trajectory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playInto } from '../../test-support/make-run.js';
import { PlayedEpisodes, TO_THE_END } from './played-episodes.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-played-'));
afterAll(() => rmSync(home, { recursive: true }));
const folder = join(home, 'recording');
const episodes = () => readFileSync(join(folder, 'episodes.jsonl'), 'utf8');
const index = () => readFileSync(join(folder, INDEX_FILE), 'utf8');
const sorted = <T extends { readonly id: string }>(rows: readonly T[]) =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The same recording in another folder. */
function copy(
  name: string,
  { withIndex = true, bytes = episodes() }: { withIndex?: boolean; bytes?: string } = {},
): string {
  const other = mkdtempSync(join(home, name));
  writeFileSync(join(other, 'episodes.jsonl'), bytes);
  if (withIndex) writeFileSync(join(other, INDEX_FILE), index());
  return other;
}

describe('a recording', () => {
  beforeAll(() => playInto(folder, randomAgent(), [0, 1, 2, 3, 4, 5, 6, 7]));

  it('has a line in its index for every episode, which agrees with the episode', async () => {
    const rows = await new PlayedEpisodes(folder).all();
    const whole = new Map<string, unknown>();
    for await (const { id, outcome, seed, env, agent } of readTrajectories(folder)) {
      whole.set(id, {
        id,
        seed,
        return: outcome.return,
        length: outcome.length,
        success: outcome.success,
        env: env?.id,
        agent: agent?.name,
      });
    }
    expect(rows).toHaveLength(8);
    for (const row of rows) expect(row).toMatchObject(whole.get(row.id) as object);
  });

  it('is listed alike without the index, with half of it, and with a torn line of it', async () => {
    const expected = sorted(await new PlayedEpisodes(folder).all()).map(({ id, return: sum, length }) => ({
      id,
      sum,
      length,
    }));
    const lines = index().split('\n');
    const halves = [
      undefined,
      lines.slice(0, 4).join('\n').concat('\n'),
      index().slice(0, -40),
      '{"id":3}\n',
      'nonsense\n',
    ];
    for (const half of halves) {
      const other = copy('half-', { withIndex: false });
      if (half !== undefined) writeFileSync(join(other, INDEX_FILE), half);
      const rows = sorted(await new PlayedEpisodes(other).all());
      expect(rows.map(({ id, return: sum, length }) => ({ id, sum, length }))).toEqual(expected);
    }
  });

  it('also lists what a writer without an index has added in the middle', async () => {
    const other = copy('gap-');
    const lines = index().trim().split('\n');
    writeFileSync(join(other, INDEX_FILE), `${[...lines.slice(0, 2), ...lines.slice(5)].join('\n')}\n`);
    expect(await new PlayedEpisodes(other).all()).toHaveLength(8);
  });

  it('grows with its file, and reads each episode by its bytes', async () => {
    const other = copy('grows-', { withIndex: false, bytes: '' });
    const played = new PlayedEpisodes(other);
    expect(await played.all()).toEqual([]);
    const lines = episodes().trim().split('\n');
    for (const line of lines.slice(0, 20)) appendFileSync(join(other, 'episodes.jsonl'), `${line}\n`);
    const some = await played.all();
    appendFileSync(join(other, 'episodes.jsonl'), `${lines.slice(20).join('\n')}\n`);
    const all = await played.all();
    expect(some.length).toBeLessThan(all.length);
    expect(all).toHaveLength(8);
    for (const row of all) {
      const read = await played.read(row);
      expect(read?.header.id).toBe(row.id);
      expect(read?.steps.map(({ index: step }) => step)).toEqual(Array.from({ length: row.length }, (_, step) => step));
    }
  });

  it('shows episodes without an end as interrupted, also where the index is whole', async () => {
    const other = copy('killed-');
    const start = JSON.parse(episodes().split('\n')[0]!) as { trajectory: { id: string } };
    const open = { ...start, trajectory: { ...start.trajectory, id: 'unfinished' } };
    appendFileSync(join(other, 'episodes.jsonl'), `${JSON.stringify(open)}\n{"event":"step","id":"unfin`);
    const rows = await new PlayedEpisodes(other).all();
    expect(rows).toHaveLength(9);
    expect(rows.find(({ id }) => id === 'unfinished')).toMatchObject({ endedBy: 'interrupted', length: 0 });
  });

  it('answers before a file without an index was read to its end, and says so', async () => {
    const played = new PlayedEpisodes(copy('slow-', { withIndex: false }));
    const some = await played.all(0);
    expect([some.length < 8, played.isComplete]).toEqual([true, false]);
    expect(await played.all(TO_THE_END)).toHaveLength(8);
    expect(played.isComplete).toBe(true);
  });

  it('has a screen of episodes long before the rest, in the order of the file, and says that more will come', async () => {
    const [line] = index().split('\n');
    const width = 1000;
    const many = 20_000;
    const lines = Array.from({ length: many }, (_, position) => {
      const from = position * width;
      return `${JSON.stringify({ ...JSON.parse(line!), id: `many.${position}`, from, to: from + width, after: from })}\n`;
    });
    const other = mkdtempSync(join(home, 'many-'));
    writeFileSync(join(other, INDEX_FILE), lines.join(''));
    writeFileSync(join(other, 'episodes.jsonl'), '');
    truncateSync(join(other, 'episodes.jsonl'), many * width);
    const played = new PlayedEpisodes(other);
    const first = await played.all();
    expect(first.length).toBeGreaterThanOrEqual(200);
    const all = await played.all(TO_THE_END);
    expect(all).toHaveLength(many);
    expect(first.map(({ id }) => id)).toEqual(all.slice(0, first.length).map(({ id }) => id));
    expect(played.isComplete).toBe(true);
  });

  it('begins again when the folder holds another recording', async () => {
    const other = copy('replaced-');
    const played = new PlayedEpisodes(other);
    expect(await played.all()).toHaveLength(8);
    truncateSync(join(other, INDEX_FILE));
    writeFileSync(join(other, 'episodes.jsonl'), `${episodes().split('\n')[0]}\n`);
    expect(await played.all()).toHaveLength(1);
  });
});
