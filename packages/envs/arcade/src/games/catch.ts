/** Catch: a basket catches falling fruit and avoids bombs. It tests reactions: what falls must be seen in time. */
import type { ArcadeGame } from '../game.js';

const HTML = `<!doctype html>
<canvas id="game" width="160" height="120"></canvas>
<script>
const canvas = document.getElementById('game');
const pen = canvas.getContext('2d');
const WIDTH = 160, HEIGHT = 120, BASKET = 26, FRUITS = 20, FLOOR = HEIGHT - 10;
const game = { basket: WIDTH / 2, caught: 0, missed: 0, dropped: 0, falling: [], over: false };
const held = new Set();
addEventListener('keydown', ({ key }) => held.add(key));
addEventListener('keyup', ({ key }) => held.delete(key));

function drop() {
  const isBomb = Math.random() < 0.25;
  const x = 10 + Math.random() * (WIDTH - 20);
  game.falling.push({ x, y: -6, speed: 50 + 6 * Math.random(), isBomb });
  if (!isBomb) game.dropped += 1;
  if (game.dropped < FRUITS) setTimeout(drop, 1000 + 400 * Math.random());
}
setTimeout(drop, 300);

let before = performance.now();
function frame(now) {
  const seconds = (now - before) / 1000;
  before = now;
  const way = (held.has('ArrowRight') ? 1 : 0) - (held.has('ArrowLeft') ? 1 : 0);
  game.basket = Math.min(WIDTH - BASKET / 2, Math.max(BASKET / 2, game.basket + way * 120 * seconds));
  for (const item of game.falling) item.y += item.speed * seconds;
  game.falling = game.falling.filter((item) => {
    if (item.y < FLOOR - 4) return true;
    const isIn = Math.abs(item.x - game.basket) <= BASKET / 2;
    if (isIn && item.y <= FLOOR + 4) {
      if (item.isBomb) game.missed = 3;
      else game.caught += 1;
      return false;
    }
    if (item.y < HEIGHT + 6) return true;
    if (!item.isBomb) game.missed += 1;
    return false;
  });
  const isEmpty = game.dropped >= FRUITS && !game.falling.some(({ isBomb }) => !isBomb);
  game.over = game.missed >= 3 || isEmpty;
  draw();
  if (!game.over) requestAnimationFrame(frame);
}
function draw() {
  pen.fillStyle = '#101828';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  for (const { x, y, isBomb } of game.falling) {
    pen.fillStyle = isBomb ? '#e5484d' : '#f5d90a';
    if (isBomb) pen.fillRect(Math.round(x) - 4, Math.round(y) - 4, 8, 8);
    else {
      pen.beginPath();
      pen.arc(Math.round(x), Math.round(y), 5, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  pen.fillStyle = '#3dd68c';
  pen.fillRect(Math.round(game.basket - BASKET / 2), FLOOR, BASKET, 6);
  pen.fillStyle = '#e5484d';
  for (let i = 0; i < game.missed; i++) pen.fillRect(3 + 6 * i, 3, 4, 4);
  pen.fillStyle = '#f5d90a';
  pen.fillRect(0, HEIGHT - 2, (WIDTH * game.caught) / FRUITS, 2);
}
/** Tries every place that moves of a tenth of a second lead to: what would be caught within two and a half seconds? */
function expert() {
  let best = { value: -Infinity, goal: game.basket };
  for (let move = -12; move <= 12; move++) {
    const goal = Math.min(WIDTH - BASKET / 2, Math.max(BASKET / 2, game.basket + 12 * move));
    let value = -Math.abs(move) / 1000;
    let at = game.basket;
    let falling = game.falling;
    for (let tick = 1; tick <= 50; tick++) {
      at += Math.min(6, Math.max(-6, goal - at));
      falling = falling.filter(({ x, y, speed, isBomb }) => {
        const height = y + (speed * tick) / 20;
        if (height < FLOOR - 4) return true;
        const isIn = height <= FLOOR + 4 && Math.abs(x - at) <= BASKET / 2 + (isBomb ? 2 : -1);
        if (isIn) value += isBomb ? -10 : 1 - tick / 200;
        else if (!isBomb && height > FLOOR + 4) value -= 1;
        return !isIn && height <= FLOOR + 4;
      });
    }
    if (value > best.value) best = { value, goal };
  }
  if (Math.abs(best.goal - game.basket) < 3) return 'wait';
  return best.goal > game.basket ? 'right' : 'left';
}
function state() {
  const things = game.falling.map(({ x, y, isBomb }) => (isBomb ? 'bomb' : 'fruit') + ' at ' + Math.round(x) + ', ' + Math.round(y));
  return 'Basket at ' + Math.round(game.basket) + ' of ' + WIDTH + ', floor at ' + FLOOR + '. ' + (things.join('; ') || 'Nothing falls') + '. Missed ' + game.missed + ' of 3.';
}
draw();
requestAnimationFrame(frame);
</script>`;

export const CATCH: ArcadeGame = {
  name: 'catch',
  html: HTML,
  width: 160,
  height: 120,
  actions: { wait: {}, left: { keys: ['ArrowLeft'] }, right: { keys: ['ArrowRight'] } },
  score: '() => game.caught',
  over: '() => game.over',
  won: '() => game.caught >= 16',
  expert: 'expert',
  state: 'state',
  guide: {
    goal: 'Catch the yellow fruit in the green basket, and no red bomb.',
    rules:
      'The basket moves left and right. Twenty fruits fall; three that are missed end the game, and a caught bomb ends it at once.',
    score: 'Each fruit gains 1; 16 are a success.',
  },
  maxSteps: 600,
};
