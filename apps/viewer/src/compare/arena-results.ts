/** Pairs of the arena, and what they say together. The statistics are those of `vlgym compare`. */
import { pairedComparison } from '@vlgym/agents';
import { rowOf } from '../episodes/index-line.js';
import { TO_THE_END } from '../episodes/played-episodes.js';
import type { Run } from '../folders/run.js';
import type { ArenaResults, EpisodeRow, PlayedPair, Standing } from '../protocol.js';

const MAX_PAIRS = 1000;

export async function arenaResults(run: Run): Promise<ArenaResults> {
  const groups = new Map<string, { first?: EpisodeRow; second?: EpisodeRow }>();
  for (const line of await run.pairs.all(TO_THE_END)) {
    const { group } = line;
    if (group === undefined) continue;
    const row = rowOf(line);
    const side = row.id.startsWith(`${group}-first`) ? 'first' : 'second';
    groups.set(group, { ...groups.get(group), [side]: row });
  }
  const pairs = [...groups].flatMap(([group, { first, second }]): PlayedPair[] =>
    first && second ? [{ group, first, second }] : [],
  );
  return { standings: standingsOf(pairs), pairs: pairs.slice(-MAX_PAIRS).reverse() };
}

/** The same two agents in either order are one line. */
function standingsOf(pairs: readonly PlayedPair[]): Standing[] {
  const matches = new Map<string, PlayedPair[]>();
  for (const pair of pairs) {
    const isTurned = (pair.first.agent ?? '') > (pair.second.agent ?? '');
    const turned = isTurned ? { ...pair, first: pair.second, second: pair.first } : pair;
    const key = JSON.stringify([turned.first.environment, turned.first.agent, turned.second.agent]);
    matches.set(key, [...(matches.get(key) ?? []), turned]);
  }
  return [...matches.values()].map(standingOf);
}

function standingOf(pairs: readonly PlayedPair[]): Standing {
  const repeats = new Map<number, number>();
  const attempts = pairs.map(({ first: { seed = 0 } }) => {
    const repeat = repeats.get(seed) ?? 0;
    repeats.set(seed, repeat + 1);
    return { seed, repeat };
  });
  const outcomes = (side: 'first' | 'second') =>
    pairs.map((pair, index) => {
      const { success = false, task } = pair[side];
      return { ...attempts[index]!, success, counted: true, ...(task !== undefined && { taskKey: task }) };
    });
  const found = pairedComparison(outcomes('first'), outcomes('second'));
  const [{ first, second }] = pairs as [PlayedPair];
  return {
    first: first.agent ?? '',
    second: second.agent ?? '',
    pairs: found.pairs,
    both: found.bothSucceed,
    onlyFirst: found.onlyFirst,
    onlySecond: found.onlySecond,
    neither: found.neither,
    difference: found.difference,
    interval95: found.interval95,
    pValue: found.pValue,
  };
}
