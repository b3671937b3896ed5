/**
 * Two runs, two recordings, or two agents of one recording: which settings differ, and how they did on the seeds that both
 * played. Pinned by `compare-runs.test.ts`: the figures are those of `vlgym compare` and of the reports.
 */
import { join } from 'node:path';
import { pairedComparison } from '@vlgym/agents';
import { isCounted } from '@vlgym/agents/results';
import type { IndexedEpisode } from '@vlgym/core/internal';
import { TO_THE_END } from '../episodes/played-episodes.js';
import { jsonFile } from '../folders/json-file.js';
import type { Run } from '../folders/run.js';
import { differencesOf, recordedSettings, settingsOf } from '../folders/settings.js';
import { record } from '../folders/values.js';
import type { Setting } from '../protocol.js';
import type { PairedSeed, RunComparison } from './comparison.js';

const MAX_PAIRS = 5000;

export interface ComparedSide {
  readonly run: Run;
  /** Default: the agent of the first episode. */
  readonly agent?: string | undefined;
}

/** An attempt at a seed that both sides have played. */
interface Pair {
  readonly first: IndexedEpisode;
  readonly second: IndexedEpisode;
}

export async function compareRuns(first: ComparedSide, second: ComparedSide): Promise<RunComparison> {
  const [a, b] = await Promise.all([playedBy(first), playedBy(second)]);
  const settings = differencesOf(await settingsOfSide(first.run, a.one), await settingsOfSide(second.run, b.one));
  const common = [...a.rows].flatMap(([attempt, row]): Pair[] => {
    const other = b.rows.get(attempt);
    return other ? [{ first: row, second: other }] : [];
  });
  // other options of an environment may make another task of a seed
  const alike = common.filter((pair) => pair.first.task === pair.second.task);
  const pairs = alike.filter((pair) => counts(pair.first) && counts(pair.second));
  const base = {
    settings,
    pairs: pairs.slice(0, MAX_PAIRS).map(pairedSeed),
    agents: [a.one?.agent ?? '', b.one?.agent ?? ''],
    environments: [a.one?.env ?? '', b.one?.env ?? ''],
    otherTasks: common.length - alike.length,
    uncounted: alike.length - pairs.length,
  } as const;
  if (pairs.length === 0) return base;
  const { difference, interval95, pValue, tasks, onlyFirst, onlySecond } = pairedComparison(
    outcomesOf(pairs, 'first'),
    outcomesOf(pairs, 'second'),
  );
  return { ...base, figures: { difference, interval95, pValue, tasks, onlyFirst, onlySecond } };
}

/** Every attempt at a seed as it ended last. */
async function playedBy({ run, agent }: ComparedSide) {
  const all = (await run.played?.all(TO_THE_END)) ?? [];
  const wanted = agent ?? all[0]?.agent;
  const own = all.filter((row) => row.agent === wanted);
  const rows = new Map<string, IndexedEpisode>();
  for (const row of own) if (row.seed !== undefined) rows.set(`${row.env} ${row.seed} ${row.repeat ?? 0}`, row);
  return { rows, one: own[0] };
}

/** An episode that says something about its agent. */
const counts = ({ success, endedBy, reason }: IndexedEpisode): boolean =>
  success !== undefined && isCounted(endedBy, endedBy === 'terminated' ? undefined : (reason as never));

/** Attempts are numbered, because a recording may hold several environments. */
const outcomesOf = (pairs: readonly Pair[], side: keyof Pair) =>
  pairs.map((pair, index) => {
    const { env, seed, task, success = false } = pair[side];
    return { seed: index, success, taskKey: task ?? `seed ${seed} of ${env}` };
  });

const pairedSeed = ({ first, second }: Pair): PairedSeed => ({
  seed: first.seed!,
  ...(first.repeat !== undefined && first.repeat > 0 && { repeat: first.repeat }),
  first: sideOf(first),
  second: sideOf(second),
});

const sideOf = ({ id, success = false, return: sum }: IndexedEpisode) => ({ id, success, return: sum });

async function settingsOfSide({ folder, place, played }: Run, one: IndexedEpisode | undefined): Promise<Setting[]> {
  if (place.kind === 'training') return settingsOf(record(await jsonFile(join(folder, 'run.json'))));
  const whole = one && (await played?.read(one));
  return whole ? recordedSettings(whole.header) : [];
}
