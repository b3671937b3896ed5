/** The result table as text, one row per algorithm: in the terminal, in `table.md` and in the report. */
import type { SuccessRate } from '@vlgym/agents';
import { pictureControls } from '../experiment/controls/index.js';
import { duration, percent } from '../terminal/style.js';
import type { Row } from './statistics.js';
import { signed } from './words.js';

/** `73.1 – 90.2 %`. */
const range = ({ interval95: [low, high] }: SuccessRate) => `${(100 * low).toFixed(1)} – ${percent(high)}`;

export interface Column {
  readonly title: string;
  readonly cell: (row: Row) => string;
}

const NONE = '–';

export function columns(rows: readonly Row[]): Column[] {
  const separated = rows.every(({ notSeparated }) => notSeparated === undefined);
  const pictures = [...new Set(rows.flatMap((row) => Object.keys(row.pictures)))];
  return [
    { title: 'training seeds', cell: ({ end }) => String(end.seeds) },
    { title: 'tasks (distinct)', cell: ({ end }) => `${end.tasks}${end.tasksBy === 'seed' ? ' seeds' : ''}` },
    { title: 'before', cell: ({ start }) => (start === undefined ? NONE : percent(start)) },
    { title: separated ? 'unseen' : 'after, not separated', cell: ({ end }) => percent(end.rate) },
    { title: '95 % interval', cell: ({ end }) => range(end) },
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

/** `gray pictures` → `gray`. */
const pictureKind = (name: string) =>
  (pictureControls.find((control) => control.name === name)?.title ?? name).replace(/ pictures$/, '');
