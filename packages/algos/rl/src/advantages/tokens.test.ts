/** Estimates along the tokens of episodes: where episodes are cut, and what each step gets. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RolloutBuffer, StepRecord } from '../rollout/record.js';
import { alongEpisodes, tokenRewards } from './tokens.js';

const ENDS = { goes: {}, ended: { terminated: true }, cut: { truncated: true } } as const;

/** Two environments, steps in the order of play; the lengths of responses and how each step ends. */
const buffers = fc
  .array(fc.record({ length: fc.integer({ min: 1, max: 5 }), end: fc.constantFrom('goes', 'ended', 'cut') }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((steps): RolloutBuffer => {
    const records = steps.map(({ length, end }, row) => ({
      responseIds: new Int32Array(length),
      reward: { environment: row + 1, format: -0.5 },
      terminated: false,
      truncated: false,
      tokenValues: Float64Array.from({ length }, (_, l) => 100 * row + l),
      nextValue: 1000 + row,
      ...ENDS[end],
    })) as unknown as StepRecord[];
    const rowsOf = (environment: number) => [...records.keys()].filter((row) => row % 2 === environment);
    const trajectories = [rowsOf(0), rowsOf(1)].filter((rows) => rows.length > 0);
    return { steps: records, trajectories, episodes: [], taskKeys: [] };
  });

describe('alongEpisodes', () => {
  it('shows every token once, in the order of time, and gives each step its own part back', () => {
    fc.assert(
      fc.property(buffers, (buffer) => {
        let tokens = 0;
        const { advantages, returns } = alongEpisodes(buffer, tokenRewards(buffer), ({ rewards, values }) => {
          tokens += rewards.length;
          return { advantages: values, returns: rewards };
        });
        const all = buffer.steps.reduce((sum, { responseIds }) => sum + responseIds.length, 0);
        expect(tokens).toBe(all);
        expect(advantages).toEqual(buffer.steps.map(({ tokenValues }) => tokenValues));
        expect(returns).toEqual(tokenRewards(buffer));
      }),
    );
  });

  it('lets an episode end where a step ended or was cut, and hands over the value that follows', () => {
    fc.assert(
      fc.property(buffers, (buffer) => {
        const seen: { turns: number; last: number; nextValue: number }[] = [];
        alongEpisodes(buffer, tokenRewards(buffer), ({ endOfTurn, rewards, nextValue }) => {
          const turns = endOfTurn.reduce((sum, bit) => sum + bit, 0);
          seen.push({ turns, last: rewards.at(-1)!, nextValue });
          return { advantages: rewards };
        });
        const expected = buffer.trajectories.flatMap((rows) => {
          const cuts = rows.flatMap((row, i) => {
            const { terminated, truncated } = buffer.steps[row]!;
            return terminated || truncated || i === rows.length - 1 ? [i] : [];
          });
          return cuts.map((cut, i) => ({
            turns: cut - (cuts[i - 1] ?? -1),
            last: rows[cut]! + 1 - 0.5,
            nextValue: 1000 + rows[cut]!,
          }));
        });
        expect(seen).toEqual(expected);
      }),
    );
  });
});

it('the reward of a step stands on the last token of its response, in units of success', () => {
  const step = { responseIds: new Int32Array(3), reward: { environment: 10, format: -1 } } as unknown as StepRecord;
  const buffer = { steps: [step], trajectories: [[0]], episodes: [], taskKeys: [] };
  expect(tokenRewards(buffer, 10)).toEqual([Float64Array.of(0, 0, 0.9)]);
});
