/** The result table as text, one row per algorithm: in the terminal, in `table.md` and in the report. */
import { EVALUATION_FALLBACK, FALLBACK_WORDS } from '@vlgym/agents';
import type { SuccessRate } from '@vlgym/agents/statistics';
import { pictureControls } from '../experiment/controls/index.js';
import { duration, percent } from '../terminal/style.js';
import { needsStrict } from './answer-columns.js';
import { signed } from './format.js';
import type { Row } from './statistics.js';

/** `73.1 – 90.2 %`. */
const range = ({ interval95: [low, high] }: SuccessRate) => `${(100 * low).toFixed(1)} – ${percent(high)}`;

export interface Column {
  readonly title: string;
  readonly cell: (row: Row) => string;
}

const NONE = '–';

export function columns(rows: readonly Row[]): Column[] {
  const separated = rows.every(({ notSeparated }) => notSeparated === undefined);
  const isStrict = rows.some(needsStrict);
  const hasThoughts = rows.some(({ thoughts }) => thoughts !== undefined);
  const pictures = [...new Set(rows.flatMap((row) => Object.keys(row.pictures)))];
  return [
    { title: 'training seeds', cell: ({ end }) => String(end.seeds) },
    { title: 'tasks (distinct)', cell: ({ end }) => `${end.tasks}${end.tasksBy === 'seed' ? ' seeds' : ''}` },
    { title: 'before', cell: ({ start }) => (start === undefined ? NONE : percent(start)) },
    { title: `${separated ? 'unseen' : 'after, not separated'}${ruleIn(rows)}`, cell: ({ end }) => percent(end.rate) },
    { title: '95 % interval', cell: ({ end }) => range(end) },
    ...(isStrict ? [{ title: 'strict', cell: ({ strictRate }: Row) => maybe(strictRate) }] : []),
    { title: 'legal', cell: ({ legalRate }) => maybe(legalRate) },
    ...(hasThoughts ? [{ title: 'correct thoughts', cell: ({ thoughts }: Row) => thoughtText(thoughts) }] : []),
    { title: 'seen', cell: ({ seen }) => (seen ? percent(seen.rate) : NONE) },
    { title: 'gain, points', cell: ({ gain }) => (gain === undefined ? NONE : signed(gain)) },
    ...(pictures.length === 0
      ? []
      : [
          {
            title: `controls: ${pictures.map(pictureKind).join(' / ')} pictures`,
            cell: (row: Row) =>
              pictures.map((each) => (row.pictures[each] ? percent(row.pictures[each].rate) : NONE)).join(' / '),
          },
        ]),
    { title: 'CPU time', cell: ({ cpuSeconds }) => duration(cpuSeconds) },
  ];
}

const maybe = (share: number | undefined): string => (share === undefined ? NONE : percent(share));

/** `92.0 % → 38.0 %` */
export function thoughtText(thoughts: Row['thoughts']): string {
  if (thoughts === undefined) return NONE;
  return `${thoughts.start === undefined ? '' : `${percent(thoughts.start)} → `}${percent(thoughts.end)}`;
}

/** For the head of a column: names every rule for unreadable answers, unless all have the usual one. */
function ruleIn(rows: readonly Row[]): string {
  const rules = [...new Set(rows.flatMap(({ fallbacks }) => fallbacks))];
  return rules.every((rule) => rule === EVALUATION_FALLBACK)
    ? ''
    : ` (unreadable: ${rules.map((rule) => FALLBACK_WORDS[rule]).join(' or ')})`;
}

/** `gray pictures` → `gray`. */
const pictureKind = (name: string) =>
  (pictureControls.find((control) => control.name === name)?.title ?? name).replace(/ pictures$/, '');
