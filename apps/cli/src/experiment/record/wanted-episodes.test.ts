/** Trajectories are made for episodes that a recorded update keeps, and for few others. */
import type { RolloutBuffer } from '@vlgym/rl';
import { expect, it } from 'vitest';
import { WantedEpisodes } from './wanted-episodes.js';

/** An update of `count` episodes, of which the last `open` go on. */
function bufferOf(count: number, open: number): Pick<RolloutBuffer, 'steps' | 'episodes'> {
  const ids = Array.from({ length: count }, (_, index) => ({ episodeId: `e${index}`, id: `e${index}` }));
  return { steps: ids, episodes: ids.slice(0, count - open) } as never;
}
const ask = (wanted: WantedEpisodes, seen: number, count: number) =>
  Array.from({ length: count }, () => wanted.next(seen));

it('are the first of a recorded update, and the last of the one before it', () => {
  const wanted = new WantedEpisodes(5, 64);
  expect(ask(wanted, 0, 400)).not.toContain(true);
  wanted.learn(bufferOf(400, 4));
  expect(ask(wanted, 1, 400)).not.toContain(true);
  wanted.learn(bufferOf(400, 4));
  expect(ask(wanted, 2, 400)).not.toContain(true);
  wanted.learn(bufferOf(400, 4));
  expect(ask(wanted, 3, 400).indexOf(true)).toBe(400 - 2 * 4 - 32);
  wanted.learn(bufferOf(400, 4));
  const first = ask(wanted, 4, 400);
  expect(first.lastIndexOf(true)).toBe(64 + 32 - 1);
  expect(first.indexOf(false)).toBe(64 + 32);
});

it('are all of them where nothing is known yet, where episodes last longer than an update, and without a limit', () => {
  const unknown = new WantedEpisodes(2, 1);
  expect(ask(unknown, 0, 200)).not.toContain(false);
  const long = new WantedEpisodes(3, 1);
  ask(long, 0, 40);
  long.learn(bufferOf(40, 40));
  expect(ask(long, 1, 40)).not.toContain(false);
  expect(ask(new WantedEpisodes(1, Number.POSITIVE_INFINITY), 7, 500)).not.toContain(false);
});
