/** Lamps: a click switches a lamp and its neighbors; all must be dark. For planning: a puzzle known as "lights out". */
import type { ArcadeGame } from '../game.js';

const SIDE = 4;
const CELL = 32;

const HTML = `<!doctype html>
<canvas id="game" width="${SIDE * CELL}" height="${SIDE * CELL}"></canvas>
<script>
const SIDE = ${SIDE}, CELL = ${CELL}, LIMIT = 24;
const canvas = document.getElementById('game');
const pen = canvas.getContext('2d');
const lit = Array(SIDE * SIDE).fill(false);
/** Cells whose number of clicks is odd: clicking each of them again makes all dark. */
const open = new Set();
const game = { clicks: 0, over: false, won: false };
function press(cell) {
  const column = cell % SIDE;
  for (const [to, isThere] of [[cell, true], [cell - SIDE, true], [cell + SIDE, true], [cell - 1, column > 0], [cell + 1, column < SIDE - 1]])
    if (isThere && to >= 0 && to < lit.length) lit[to] = !lit[to];
  if (!open.delete(cell)) open.add(cell);
}
const count = 3 + Math.floor(Math.random() * 4);
while (open.size < count || !lit.includes(true)) {
  const cell = Math.floor(Math.random() * lit.length);
  if (!open.has(cell)) press(cell);
}
canvas.addEventListener('click', ({ offsetX, offsetY }) => {
  const [column, row] = [Math.floor(offsetX / CELL), Math.floor(offsetY / CELL)];
  if (game.over || column >= SIDE || row >= SIDE) return;
  press(row * SIDE + column);
  game.clicks += 1;
  game.won = !lit.includes(true);
  game.over = game.won || game.clicks >= LIMIT;
  draw();
});
function draw() {
  pen.fillStyle = '#1c2024';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  lit.forEach((isLit, cell) => {
    pen.fillStyle = isLit ? '#ffe629' : '#3a3f42';
    pen.fillRect((cell % SIDE) * CELL + 2, Math.floor(cell / SIDE) * CELL + 2, CELL - 4, CELL - 4);
  });
}
const nameOf = (cell) => 'abcd'[cell % SIDE] + (Math.floor(cell / SIDE) + 1);
const expert = () => (open.size > 0 ? nameOf(Math.min(...open)) : undefined);
const state = () => 'Lit: ' + (lit.flatMap((isLit, cell) => (isLit ? [nameOf(cell)] : [])).join(', ') || 'none') + '. Clicks: ' + game.clicks + ' of ' + LIMIT + '.';
draw();
</script>`;

const cells = Array.from({ length: SIDE * SIDE }, (_, cell) => {
  const [column, row] = [cell % SIDE, Math.floor(cell / SIDE)];
  const click = [column * CELL + CELL / 2, row * CELL + CELL / 2] as const;
  return [`${'abcd'[column]}${row + 1}`, { click }] as const;
});

export const LAMPS: ArcadeGame = {
  name: 'lamps',
  html: HTML,
  width: SIDE * CELL,
  height: SIDE * CELL,
  actions: Object.fromEntries(cells),
  score: '() => (game.won ? 1 : 0)',
  over: '() => game.over',
  won: '() => game.won',
  expert: 'expert',
  state: 'state',
  guide: {
    goal: 'Make all lamps dark.',
    rules:
      'A click switches a lamp and those above, below, left and right of it. Columns are a to d, rows 1 to 4 from the top; 24 clicks end the game.',
    score: 'All dark gains 1.',
  },
  framesPerStep: 2,
  maxSteps: 24,
};
