/** Transfer: policies trained on one environment, judged on every other, against the start that they come from. */
import {
  type BlockComparison,
  blockComparison,
  type TaskOutcome,
  type TrainedRun,
  type TrainingComparison,
  trainedSuccessRate,
  trainingComparison,
} from '@vlgym/agents/statistics';
import { percent } from '../terminal/style.js';
import { html, type Markup } from './document/html.js';
import { points } from './format.js';

/** One set of weights on one environment. */
export interface Judged {
  readonly episodes: readonly TaskOutcome[];
  /** Share of answers with a legal action, where it was counted. */
  readonly legalRate?: number | undefined;
  /** Distinct tasks that the policy has met in its training, if they were counted. */
  readonly met?: number;
  /** Episodes in which the actions of the solved ones are played in random order; absent if none is solved, or none was recorded. */
  readonly withoutLooking?: readonly TaskOutcome[];
}

/** The policies of one algorithm or control from one environment, judged on one environment. */
export interface TransferCell {
  /** Name of the algorithm, or of the control. */
  readonly algorithm: string;
  readonly title: string;
  readonly trainedOn: string;
  readonly judgedOn: string;
  /** The start, which all training seeds share. */
  readonly before: Judged;
  readonly after: readonly (Judged & TrainedRun)[];
}

export interface TransferRow extends Pick<TransferCell, 'algorithm' | 'title' | 'trainedOn' | 'judgedOn'> {
  /** Success of the start and after training, shares. */
  readonly rates: { readonly before: number; readonly after: number };
  /** Share of answers with a legal action after training, mean over training seeds; absent if a run does not say. */
  readonly legalRate?: number;
  /** Distinct tasks that a policy has met in its training, the most of all training seeds. */
  readonly met: number;
  /** Success of the actions of the solved episodes in random order, mean over the training seeds that have solved any. */
  readonly withoutLooking?: number;
  /** Success after training minus that of the start, on equal tasks. */
  readonly change: TrainingComparison;
  /** The same on these tasks and no others: over training seeds alone. */
  readonly onTheseTasks: BlockComparison;
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

export function transferRows(cells: readonly TransferCell[]): TransferRow[] {
  return cells.map(({ before, after, ...names }) => {
    const start = after.map(({ seed }) => ({ seed, episodes: before.episodes }));
    const rateOf = (run: TrainedRun) => trainedSuccessRate([[run]]).rate;
    const rateBefore = rateOf({ seed: 0, episodes: before.episodes });
    const legal = after.flatMap(({ legalRate }) => legalRate ?? []);
    const blind = after.flatMap(({ seed, withoutLooking: episodes }) => (episodes ? rateOf({ seed, episodes }) : []));
    return {
      ...names,
      rates: { before: rateBefore, after: trainedSuccessRate([after]).rate },
      ...(legal.length === after.length && { legalRate: mean(legal) }),
      ...(blind.length > 0 && { withoutLooking: mean(blind) }),
      met: Math.max(0, ...after.map(({ met = 0 }) => met)),
      change: trainingComparison([{ first: after, second: start }]),
      onTheseTasks: blockComparison(after.map((run) => rateOf(run) - rateBefore)),
    };
  });
}

/** A line of the matrix: its cells in the order of `judgedOn`. */
export interface MatrixLine {
  readonly title: string;
  readonly trainedOn: string;
  readonly cells: readonly (TransferRow | undefined)[];
}

export interface Matrix {
  readonly judgedOn: readonly string[];
  readonly lines: readonly MatrixLine[];
}

export function matrixOf(rows: readonly TransferRow[]): Matrix {
  const judgedOn = [...new Set(rows.map((row) => row.judgedOn))];
  const lines = new Map(rows.map((row) => [JSON.stringify([row.algorithm, row.trainedOn]), row]));
  return {
    judgedOn,
    lines: Array.from(lines.values(), ({ algorithm, title, trainedOn }) => ({
      title,
      trainedOn,
      cells: judgedOn.map((env) =>
        rows.find((row) => row.algorithm === algorithm && row.trainedOn === trainedOn && row.judgedOn === env),
      ),
    })),
  };
}

/** `50.5 % → 91.0 %` */
export const rateText = ({ rates: { before, after } }: TransferRow) => `${percent(before)} → ${percent(after)}`;

/** `+40.5 [+30.1, +51.0]` */
export const changeText = ({ change: { difference, interval95 } }: TransferRow) =>
  `${points(difference)} [${interval95.map(points).join(', ')}]`;

/** `these tasks [+30.1, +51.0]`, or nothing: fewer than six training seeds bound nothing. */
export const theseTasksText = ({ onTheseTasks: { interval } }: TransferRow) =>
  interval.every(Number.isFinite) ? `these tasks [${interval.map(points).join(', ')}]` : '';

/** `52 % without looking, 98 % legal, 3 tasks met in training`, or nothing. */
export const asideText = ({ withoutLooking, legalRate, met }: TransferRow) =>
  [
    ...(withoutLooking === undefined ? [] : [`${percent(withoutLooking, 0)} without looking`]),
    ...(legalRate === undefined ? [] : [`${percent(legalRate, 0)} legal`]),
    ...(met === 0 ? [] : [`${met} ${met === 1 ? 'task' : 'tasks'} met in training`]),
  ].join(', ');

export const TRANSFER_METHOD =
  'Success on held-out tasks of the environment that judges, of the start → after training, with its own prompts, sampling, and length of answers; points of change with a 95 % interval over tasks and training seeds, equal ones paired (with one training seed over tasks alone); these tasks: the interval over training seeds alone, for the tasks that judge and no others, by a paired permutation test, from six training seeds on; without looking: what the actions of the solved episodes win in random order on the same seeds, mean over the training seeds that solved any; a rate that is not above it shows no sight; legal: share of answers with a legal action after training. A policy without legal answers fails at the words of an environment, whatever it can do. All runs of an environment have one start, and no interval speaks of other starts. Tasks that were met in training are counted by their content keys, and named if there are any.';

export function transferSection(rows: readonly TransferRow[]): Markup {
  const { judgedOn, lines } = matrixOf(rows);
  return html`<h2>What carries over</h2>
<div class="scroll" tabindex="0" role="region" aria-label="What carries over"><table class="cards">
<thead><tr><th scope="col">algorithm</th><th scope="col">trained on</th>${judgedOn.map((env) => html`<th scope="col">${env}</th>`)}</tr></thead>
<tbody>${lines.map(
    ({ title, trainedOn, cells }) => html`<tr><th scope="row">${title}</th><td data-label="trained on">${trainedOn}</td>
${cells.map((cell, index) => html`<td data-label="${judgedOn[index]!}">${cell ? cellText(cell) : '–'}</td>`)}</tr>`,
  )}</tbody></table></div>
<p class="soft">${TRANSFER_METHOD}</p>`;
}

function cellText(row: TransferRow): Markup {
  const { trainedOn, judgedOn, change } = row;
  const tone = { higher: 'good', lower: 'bad', 'cannot tell': 'soft' }[change.verdict];
  const rates = trainedOn === judgedOn ? html`<b>${rateText(row)}</b>` : rateText(row);
  const details = [theseTasksText(row), asideText(row)]
    .filter(Boolean)
    .map((text) => html`<br><span class="soft">${text}</span>`);
  // one element: on a phone a cell is a row of its label and its content
  return html`<div>${rates}<br><span class="${tone}">${changeText(row)}</span>${details}</div>`;
}

/** The section of `table.md`. */
export function transferMarkdown(rows: readonly TransferRow[]): string {
  const { judgedOn, lines } = matrixOf(rows);
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    '### What carries over',
    '',
    line(['', 'trained on', ...judgedOn]),
    line(['---', '---', ...judgedOn.map(() => '---:')]),
    ...lines.map(({ title, trainedOn, cells }) =>
      line([
        title,
        trainedOn,
        ...cells.map((cell) =>
          cell
            ? [rateText(cell), changeText(cell), theseTasksText(cell), asideText(cell)].filter(Boolean).join(', ')
            : '–',
        ),
      ]),
    ),
    '',
    TRANSFER_METHOD,
    '',
  ].join('\n');
}
