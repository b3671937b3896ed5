/** The row of every contrast of a design, from its cells alone. `docs/claims/README.md` says how rows are decided. */
import {
  blockComparison,
  holm,
  minimumDetectableEffect,
  newTasksInterval,
  spreadComparison,
  taskShares,
} from '@vlgym/agents/statistics';
import type { CellsFile, FailedRun, FinishedRun } from './cells.js';
import { armsOf, type Block, blocksOf, type Contrast, type Design } from './design.js';
import { countsOf, scoreOf } from './outcomes.js';

const ALPHA = 0.05;

export type Verdict = 'holds' | 'does not hold' | 'equal' | 'cannot tell';

export interface ClaimRow extends Contrast {
  readonly isPrimary: boolean;
  readonly verdict: Verdict;
  /** Reason for `cannot tell` other than the size of the effect. */
  readonly reason?: string;
  /** Blocks that all of its arms have finished. */
  readonly blocks: number;
  readonly plannedBlocks: number;
  /** Distinct tasks that all of these runs were judged on. */
  readonly tasks: number;
  /** Mean of first − second; for a spread, of the absolute deviations from the median. */
  readonly effect?: number;
  /** 95 % interval; `null` is unbounded, where no result of so few blocks could be significant. */
  readonly interval?: readonly [low: number | null, high: number | null];
  /** 95 % interval that also covers other tasks of the same kind. */
  readonly newTasks?: readonly [number, number];
  readonly p?: number;
  /** Corrected over the primary, or over the secondary, contrasts of its family. */
  readonly pHolm?: number;
  readonly equivalenceP?: number;
  readonly equivalenceHolm?: number;
  /** Variance of the first over that of the second, for a spread; `null` if the second does not vary. */
  readonly varianceRatio?: number | null;
  /** Smallest true effect that the planned blocks find with a chance of 80 %, after correction; `null`: none. */
  readonly detectable?: number | null;
}

export interface Claims {
  readonly title: string;
  readonly digest: string;
  readonly isPilot: boolean;
  /** Runs are missing or have failed. */
  readonly isPartial: boolean;
  readonly finishedRuns: number;
  readonly plannedRuns: number;
  readonly cpuHours: number;
  readonly failed: readonly FailedRun[];
  /** Arms whose runs do not share one configuration, e.g. after a change of version between blocks. */
  readonly mixed: readonly { readonly world: string; readonly arm: string; readonly configs: number }[];
  readonly rows: readonly ClaimRow[];
}

export function claimsOf(design: Design, { digest, runs }: Pick<CellsFile, 'digest' | 'runs'>): Claims {
  const blocks = blocksOf(design);
  const arms = armsOf(design);
  const isPlanned = ({ world, arm, block }: { world: string; arm: string; block: string }) =>
    arms.some((each) => each.world === world && each.arm === arm) && blocks.some((each) => each.block === block);
  const finished = runs.filter((run) => run.status === 'finished').filter(isPlanned);
  const failed = runs.filter((run) => run.status === 'failed').filter(isPlanned);
  const plannedRuns = blocks.length * arms.length;
  const isPartial = finished.length < plannedRuns;
  const reason = design.pilot ? 'a pilot' : isPartial ? 'partial' : undefined;
  const mixed = mixedArms(finished);
  const measured = design.contrasts.map((contrast) => measure(design, contrast, blocks, finished));
  return {
    ...{ title: design.title, digest, isPilot: design.pilot !== undefined, isPartial },
    ...{ finishedRuns: finished.length, plannedRuns },
    cpuHours: finished.reduce((sum, { measures }) => sum + measures['cpu-seconds'], 0) / 3600,
    failed,
    mixed,
    rows: corrected(measured).map((row) => decided(row, reason ?? mixedIn(row, mixed))),
  };
}

function mixedArms(runs: readonly FinishedRun[]): Claims['mixed'] {
  const arms = new Map(runs.map(({ world, arm }) => [JSON.stringify([world, arm]), { world, arm }]));
  const counted = [...arms.values()].map(({ world, arm }) => {
    const own = runs.filter((run) => run.world === world && run.arm === arm);
    return { world, arm, configs: new Set(own.map(({ config }) => config)).size };
  });
  return counted.filter(({ configs }) => configs > 1);
}

const mixedIn = ({ world, first, second }: Contrast, mixed: Claims['mixed']): string | undefined =>
  mixed.some((each) => each.world === world && [...first, ...second].includes(each.arm))
    ? 'settings differ between runs of an arm'
    : undefined;

type Measured = Omit<ClaimRow, 'verdict' | 'pHolm' | 'equivalenceHolm'>;

function measure(design: Design, contrast: Contrast, blocks: readonly Block[], runs: readonly FinishedRun[]): Measured {
  const { world, first, second, outcome, test, margin } = contrast;
  const runOf = (arm: string, { block }: Block) =>
    runs.find((run) => run.world === world && run.arm === arm && run.block === block);
  const complete = blocks.filter((block) => [...first, ...second].every((arm) => runOf(arm, block)));
  const of = (arms: readonly string[]) => complete.map((block) => arms.map((arm) => runOf(arm, block)!));
  const [own, others] = [of(first), of(second)];
  const isPrimary = design.outcomes.primary.includes(outcome);
  const all = [...own, ...others].flat();
  const tasks = commonTasks(all);
  const row = { ...contrast, isPrimary, blocks: complete.length, plannedBlocks: blocks.length, tasks: tasks.length };
  if (complete.length === 0) return { ...row, reason: 'no block is finished' };
  if (all.some((run) => tasksOf(run).size > tasks.length))
    return { ...row, reason: 'its runs were judged on different tasks' };
  if (complete.some((_, block) => !haveSameEpisodes([...own[block]!, ...others[block]!])))
    return { ...row, reason: 'its runs were judged on different episode seeds' };
  const [scores, rivals] = [own, others].map((side) =>
    side.map((each) => (each.length === 0 ? 0 : meanOf(each.map((run) => scoreOf(run, outcome))))),
  );
  if (![...scores!, ...rivals!].every(Number.isFinite)) return { ...row, reason: `${outcome} was not measured` };

  const options = { alpha: ALPHA, ...(margin !== undefined && { margin }) };
  const groups = complete.map(({ warmStart }) => String(warmStart));
  const spread = test === 'spread' ? spreadComparison(scores!, rivals!, groups, options) : undefined;
  const compared =
    spread ??
    blockComparison(
      scores!.map((score, block) => score - rivals![block]!),
      options,
    );
  const { effect, interval, pValue, equivalencePValue, standardDeviation } = compared;
  const tests = design.contrasts.filter(
    (each) => each.family === contrast.family && design.outcomes.primary.includes(each.outcome) === isPrimary,
  ).length;
  const newTasks =
    spread === undefined && second.length > 0 && complete.length > 1
      ? overNewTasks(own, others, tasks, contrast)
      : undefined;
  return {
    ...{ ...row, effect, p: pValue, interval: [finite(interval[0]), finite(interval[1])] },
    ...(equivalencePValue !== undefined && { equivalenceP: equivalencePValue }),
    ...(spread && { varianceRatio: finite(spread.varianceRatio) }),
    ...(newTasks && { newTasks }),
    ...(complete.length > 1 && {
      detectable: finite(
        minimumDetectableEffect({
          standardDeviation,
          blocks: design.pilot?.plannedBlocks ?? blocks.length,
          alpha: ALPHA / tests,
        }),
      ),
    }),
  };
}

/** Interval over blocks and tasks, where the outcome has a value in every cell. */
function overNewTasks(
  own: readonly FinishedRun[][],
  others: readonly FinishedRun[][],
  tasks: readonly string[],
  { outcome }: Contrast,
): readonly [number, number] | undefined {
  const cellsOf = (runs: readonly FinishedRun[]) => {
    const shares = runs.map((run) => taskShares(countsOf(run, outcome) ?? []));
    return tasks.map((task) => meanOf(shares.map((each) => each.get(task))));
  };
  const rivals = others.map(cellsOf);
  const cells = own.map(cellsOf).map((row, block) => row.map((cell, task) => cell - rivals[block]![task]!));
  return tasks.length > 1 && cells.flat().every(Number.isFinite) ? newTasksInterval(cells, ALPHA) : undefined;
}

/** Holm's correction within family and kind; a contrast without a result counts as a test that found nothing. */
function corrected(rows: readonly Measured[]): Omit<ClaimRow, 'verdict'>[] {
  const groupOf = ({ family, isPrimary }: Measured) => JSON.stringify([family, isPrimary]);
  return rows.map((row) => {
    const group = rows.filter((other) => groupOf(other) === groupOf(row));
    const place = group.indexOf(row);
    const adjust = (of: (each: Measured) => number | undefined) =>
      of(row) === undefined ? undefined : holm(group.map((each) => of(each) ?? 1))[place];
    const pHolm = adjust(({ p }) => p);
    const equivalenceHolm = adjust(({ equivalenceP }) => equivalenceP);
    return {
      ...row,
      ...(pHolm !== undefined && { pHolm }),
      ...(equivalenceHolm !== undefined && { equivalenceHolm }),
    };
  });
}

/** @param reason  Why nothing of the design is decided yet. */
function decided(row: Omit<ClaimRow, 'verdict'>, reason: string | undefined): ClaimRow {
  const undecided = row.reason ?? reason;
  if (undecided !== undefined) return { ...row, verdict: 'cannot tell', reason: undecided };
  const { effect = 0, expect, pHolm = 1, equivalenceHolm = 1 } = row;
  if (pHolm <= ALPHA) return { ...row, verdict: effect > 0 === (expect === 'higher') ? 'holds' : 'does not hold' };
  return { ...row, verdict: equivalenceHolm <= ALPHA ? 'equal' : 'cannot tell' };
}

/** The runs of a block are paired: each task with the same seeds of its episodes. */
function haveSameEpisodes(runs: readonly FinishedRun[]): boolean {
  const episodes = runs.map(({ cells }) => JSON.stringify(cells.map(({ task, seed }) => [task, seed]).sort(bySeed)));
  return new Set(episodes).size === 1;
}

const bySeed = ([, a]: readonly unknown[], [, b]: readonly unknown[]) => Number(a) - Number(b);

const tasksOf = ({ cells }: FinishedRun) => new Set(cells.map(({ task }) => task));

function commonTasks(runs: readonly FinishedRun[]): string[] {
  const sets = runs.map(tasksOf);
  return [...(sets[0] ?? [])].filter((task) => sets.every((set) => set.has(task)));
}

const meanOf = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? Number.NaN), 0) / values.length;

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
