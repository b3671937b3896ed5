/** The view of a MiniGrid agent: 7 by 7 cells of (object, color, state), it looks up from the middle of the last row. */
import { make, type Stage, unseen } from './stage.js';

const OBJECTS: readonly (readonly [sign: string, name: string])[] = [
  ['', 'unseen'],
  ['', ''],
  ['', 'wall'],
  ['', 'floor'],
  ['▯', 'door'],
  ['⚷', 'key'],
  ['●', 'ball'],
  ['▣', 'box'],
  ['★', 'goal'],
  ['≈', 'lava'],
  ['▲', 'agent'],
];
const COLORS = ['red', 'green', 'blue', 'purple', 'yellow', 'gray'];
const DOORS = ['open', 'closed', 'locked'];
const DIRECTIONS = ['right', 'down', 'left', 'up'];
const MAX_SIDE = 25;

type Cell = readonly [object: number, color: number, state: number];

export const grid: Stage = ({ observation = '', info = {} }, element) => {
  const seen = parsed(observation);
  if (!seen) {
    element.append(make('pre', '', observation));
    return;
  }
  const { image, mission, direction } = seen;
  const [width, height] = [Math.min(image.length, MAX_SIDE), Math.min(image[0]?.length ?? 0, MAX_SIDE)];
  if (mission !== undefined) element.append(make('p', 'wanted', mission));
  const rows = Array.from({ length: height }, (_, y) =>
    make(
      'tr',
      '',
      Array.from({ length: width }, (_unused, x) =>
        cell(image[x]?.[y], x === Math.floor(width / 2) && y === height - 1),
      ),
    ),
  );
  const table = make('table', 'grid', [make('tbody', '', rows)]);
  table.setAttribute('aria-label', 'What the agent sees, from where it stands');
  const facts = [
    direction === undefined ? '' : `it looks ${DIRECTIONS[direction] ?? direction}`,
    typeof info.carrying === 'string' ? `carries ${info.carrying}` : '',
    typeof info.ahead === 'string' ? `ahead: ${info.ahead}` : '',
  ].filter((each) => each !== '');
  element.append(table, make('p', 'soft', facts.join(' · ')));
};

function cell(value: Cell | undefined, isAgent: boolean): HTMLElement {
  const [object = 0, color = 0, state = 0] = value ?? [];
  const [sign, name] = isAgent ? OBJECTS[10]! : (OBJECTS[object] ?? OBJECTS[0]!);
  const isPlain = isAgent || object <= 3 || object === 9;
  const words = isPlain ? name : `${COLORS[color] ?? ''} ${name}${object === 4 ? `, ${DOORS[state] ?? ''}` : ''}`;
  const kind = isAgent ? 'me' : `object-${OBJECTS[object] ? object : 0} color-${COLORS[color] ?? 'none'}`;
  const shown = make('span', '', sign);
  shown.setAttribute('aria-hidden', 'true');
  const element = make('td', kind, [shown, unseen(words)]);
  if (words !== '') element.title = words;
  return element;
}

interface Seen {
  readonly image: readonly (readonly Cell[])[];
  readonly mission?: string;
  readonly direction?: number;
}

function parsed(observation: string): Seen | undefined {
  try {
    const { image, mission, direction } = JSON.parse(observation) as Record<string, unknown>;
    const isGrid =
      Array.isArray(image) && image.every((column) => Array.isArray(column) && column.every(Array.isArray));
    if (!isGrid) return undefined;
    return {
      image: image as unknown as Cell[][],
      ...(typeof mission === 'string' && { mission }),
      ...(typeof direction === 'number' && { direction }),
    };
  } catch {
    return undefined;
  }
}
