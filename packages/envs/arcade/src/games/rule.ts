/** Hidden rule: three cards, one of which the rule of the episode means. For learning within an episode: nothing says the rule but the light after each choice. */
import type { ArcadeGame } from '../game.js';

const HTML = `<!doctype html>
<canvas id="game" width="168" height="80"></canvas>
<script>
const ROUNDS = 12, CARD = 56;
const COLORS = { red: '#e5484d', green: '#30a46c', blue: '#3e63dd' };
const SHAPES = ['round', 'square', 'pointed'];
const SIZES = { small: 8, middle: 14, large: 20 };
const canvas = document.getElementById('game');
const pen = canvas.getContext('2d');
const pick = (list) => list[Math.floor(Math.random() * list.length)];
const shuffled = (list) => {
  const rest = [...list];
  return list.map(() => rest.splice(Math.floor(Math.random() * rest.length), 1)[0]);
};
const VALUES = { color: Object.keys(COLORS), shape: SHAPES, size: Object.keys(SIZES) };
const rule = pick(Object.keys(VALUES).flatMap((kind) => VALUES[kind].map((value) => ({ kind, value }))));
const game = { right: 0, rounds: 0, over: false, cards: [], light: undefined, isOpen: true };
function deal() {
  const [colors, shapes, sizes] = [shuffled(VALUES.color), shuffled(VALUES.shape), shuffled(VALUES.size)];
  game.cards = colors.map((color, i) => ({ color, shape: shapes[i], size: sizes[i] }));
  game.light = undefined;
  game.isOpen = true;
  draw();
}
function choose(index) {
  if (!game.isOpen || game.over) return;
  const isRight = game.cards[index][rule.kind] === rule.value;
  game.isOpen = false;
  game.right += isRight ? 1 : 0;
  game.rounds += 1;
  game.light = { index, isRight };
  game.over = game.rounds >= ROUNDS;
  draw();
  if (!game.over) setTimeout(deal, 300);
}
addEventListener('keydown', ({ key, repeat }) => {
  if (!repeat && '123'.includes(key)) choose(Number(key) - 1);
});
function draw() {
  pen.fillStyle = '#f9f9fb';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  game.cards.forEach(({ color, shape, size }, i) => {
    const [x, y, r] = [CARD * i + CARD / 2, 34, SIZES[size]];
    pen.fillStyle = COLORS[color];
    pen.beginPath();
    if (shape === 'round') pen.arc(x, y, r, 0, 2 * Math.PI);
    else if (shape === 'square') pen.rect(x - r, y - r, 2 * r, 2 * r);
    else {
      pen.moveTo(x, y - r);
      pen.lineTo(x + r, y + r);
      pen.lineTo(x - r, y + r);
      pen.closePath();
    }
    pen.fill();
    if (game.light?.index === i) {
      pen.fillStyle = game.light.isRight ? '#46a758' : '#80838d';
      pen.fillRect(CARD * i + 6, 64, CARD - 12, 10);
    }
  });
}
const expert = () => (game.isOpen ? NAMES[game.cards.findIndex((card) => card[rule.kind] === rule.value)] : 'wait');
const NAMES = ['first', 'second', 'third'];
const state = () => {
  const cards = game.cards.map(({ color, shape, size }, i) => NAMES[i] + ': ' + size + ' ' + color + ' ' + shape).join('; ');
  const light = game.light ? ' The ' + NAMES[game.light.index] + ' one was ' + (game.light.isRight ? 'right.' : 'wrong.') : '';
  return cards + '.' + light + ' Round ' + Math.min(game.rounds + 1, ROUNDS) + ' of ' + ROUNDS + '.';
};
deal();
</script>`;

export const RULE: ArcadeGame = {
  name: 'rule',
  html: HTML,
  width: 168,
  height: 80,
  actions: { wait: {}, first: { keys: ['1'] }, second: { keys: ['2'] }, third: { keys: ['3'] } },
  score: '() => game.right',
  over: '() => game.over',
  won: '() => game.right >= 9',
  expert: 'expert',
  state: 'state',
  guide: {
    goal: 'Find out which card is right: the episode has one hidden rule about color, shape or size.',
    rules:
      'Choose one of three cards, twelve times. A green light says right, a gray one wrong; new cards come after it.',
    score: 'Each right card gains 1; nine are a success.',
  },
  maxSteps: 60,
};
