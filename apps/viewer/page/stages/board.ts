/** Sokoban and FrozenLake in letters, as a board. */
import { make, type Stage, unseen } from './stage.js';

const CELLS: Readonly<Record<string, readonly [sign: string, name: string]>> = {
  '#': ['', 'wall'],
  _: ['', ''],
  O: ['◎', 'target'],
  X: ['▣', 'box'],
  P: ['☻', 'player'],
  '√': ['▣', 'box on target'],
  S: ['☻', 'player on target'],
  G: ['★', 'goal'],
};
const MAX_SIDE = 40;

export const board: Stage = ({ observation = '', info = {} }, element) => {
  const text = typeof info.board === 'string' ? info.board : observation;
  const rows = text
    .split('\n')
    .slice(0, MAX_SIDE)
    .map((line) => line.split(/\s+/).filter((each) => each !== ''));
  const isBoard = rows.length > 1 && rows.every((row) => row.length === rows[0]!.length && row.every(isCell));
  if (!isBoard) {
    element.append(make('pre', '', observation));
    return;
  }
  const table = make('table', 'grid', [make('tbody', '', rows.map(rowOf))]);
  table.setAttribute('aria-label', 'The board');
  element.append(table);
};

const isCell = (letter: string): boolean => [...letter].length === 1;

const rowOf = (letters: readonly string[]): HTMLElement =>
  make(
    'tr',
    '',
    letters.slice(0, MAX_SIDE).map((letter) => {
      const [sign, name] = CELLS[letter] ?? [letter, letter];
      const shown = make('span', '', sign);
      shown.setAttribute('aria-hidden', 'true');
      return make('td', letter === '#' ? 'object-2' : letter === 'P' || letter === 'S' ? 'me' : '', [
        shown,
        unseen(name),
      ]);
    }),
  );
