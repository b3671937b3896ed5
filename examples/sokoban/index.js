/**
 * Sokoban: push every box onto a goal, on a map that is drawn as a picture.
 *
 * Levels are made backward: boxes start on the goals and are pulled away, so that each level can be solved. The expert
 * searches all pushes. Rules of the game: Thinking Rabbit's Sokoban (1982), written anew.
 */
import * as core from '@vlgym/core';
import { z } from 'zod';

const MOVES = ['up', 'down', 'left', 'right'];
/** Pixels of a side of a cell. */
const CELL = 8;
const FLOOR = [214, 208, 190];
const COLORS = { '#': [70, 66, 80], ' ': FLOOR, '.': [120, 190, 120], $: [190, 110, 40], '*': [60, 140, 60], '@': [40, 80, 200], '+': [40, 120, 200] }; // biome-ignore format: one line
/** Rewards of the published environments: a step, a box onto a goal or off it, the last box. */
const REWARDS = { step: -0.1, box: 1, done: 10 };

const GUIDE = {
  goal: 'Push every box onto a goal.',
  rules:
    'Walk with the arrow keys. You can push one box, and you cannot pull. Boxes are orange, goals light green, a box on a goal dark green.',
  score: 'A step costs 0.1. A box on a goal gains 1, one that leaves it loses 1, and the last one gains 10.',
};

const schema = z.strictObject({
  /** Cells of a side, walls included; default 7. */
  size: core.option.integer(5, 10).optional(),
  /** Boxes; default 2. */
  boxes: core.option.integer(1, 3).optional(),
  split: core.option.oneOf(core.SPLITS).optional(),
  renderMode: core.option.renderMode(['rgb_array', 'ansi']).optional(),
});

const dialogue = {
  version: 'sokoban/compact-v1',
  prompt: ({ observation: image }) => {
    const rules =
      'Push every box (orange) onto a goal (light green); a box on a goal is dark green. You are blue. You can push one box, and you cannot pull.';
    return [
      { role: 'system', content: `${rules} Moves: ${MOVES.join(', ')}.` },
      { role: 'user', content: [{ type: 'image', image }, { type: 'text', text: '\nWhich move? JSON keys: left, action. "left" is the number of boxes that are not on a goal.' }] }, // biome-ignore format: one message
    ];
  },
  parse: (text) => core.parseResponse(text, { actions: MOVES, requiredKeys: ['left'] }),
  demonstrate: ({ info }, action) => `{"left": ${info.boxesLeft}, "action": "${MOVES[action]}"}`,
};

const SNAPSHOT = 'example-sokoban/1';
const cells = z.array(core.savedCount).max(100);
const saved = z.strictObject({ walls: cells, goals: cells, boxes: cells, player: core.savedCount, steps: core.savedCount, rng: core.generatorState }); // biome-ignore format: one line

export class SokobanEnv extends core.BaseEnv {
  metadata = { renderModes: ['rgb_array', 'ansi'] };
  actionSpace = core.spaces.discrete(MOVES.length, { labels: MOVES });
  keys = { up: 0, down: 1, left: 2, right: 3 };
  dialogue = dialogue;
  #size;
  #count;
  #split;
  /** Cells count from 0 at the upper left, row by row. */
  #state;
  /** The expert's pushes from the current state. */
  #plan = [];

  constructor(options = {}) {
    const { size = 7, boxes = 2, split, renderMode } = core.parseOptions(options, schema);
    super({ renderMode });
    this.#size = size;
    this.#count = boxes;
    this.#split = split;
    this.observationSpace = core.spaces.image({ height: size * CELL, width: size * CELL });
  }

  reset(given) {
    this.ensureOpen('reset');
    const { seed } = core.parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    const level = core.drawInSplit(this.#split, () => this.#level(), keyOf);
    this.#state = { ...level, steps: 0 };
    this.#plan = [];
    return { observation: this.#draw(), info: { ...this.#info(), taskKey: keyOf(level) } };
  }

  step(action) {
    this.ensureOpen('step');
    const state = this.#started('step');
    if (!this.actionSpace.contains(action)) throw new core.InvalidActionError(action, this.actionSpace.describe());
    const before = this.#left(state);
    const next = this.#moved(state, this.#by(action));
    if (next) this.#state = { ...state, ...next };
    this.#state = { ...this.#state, steps: state.steps + 1 };
    if (this.#plan[0] === action) this.#plan = this.#plan.slice(1);
    else this.#plan = [];
    const left = this.#left(this.#state);
    const reward = REWARDS.step + (before - left) * REWARDS.box + (left === 0 ? REWARDS.done : 0);
    return { observation: this.#draw(), reward, terminated: left === 0, truncated: false, info: this.#info() };
  }

  /** Breadth first over the places of boxes and player; `undefined` where a box is stuck for good. */
  oracle() {
    const state = this.#started('oracle');
    if (this.#left(state) === 0) return undefined;
    if (this.#plan.length === 0) this.#plan = this.#solve(state) ?? [];
    return this.#plan[0];
  }

  oracleReason() {
    return this.oracle() === undefined ? 'no sequence of moves solves the level: a box stands where it cannot be pushed away' : undefined; // biome-ignore format: one line
  }

  describeTask() {
    return GUIDE.goal;
  }

  /** The picture in words, for people who do not see it. */
  describeState() {
    const { walls, goals, boxes, player } = this.#started('describeState');
    const place = (cell) => `row ${Math.floor(cell / this.#size) + 1}, column ${(cell % this.#size) + 1}`;
    const places = (cells) => cells.map(place).join('; ') || 'none';
    const [placed, open] = [true, false].map((on) => [...boxes].filter((box) => goals.has(box) === on));
    const free = [...goals].filter((goal) => !boxes.has(goal));
    const floor = Array.from({ length: this.#size ** 2 }, (_, cell) => cell).filter((cell) => !walls.has(cell));
    return [
      `You are in ${place(player)}. Boxes: ${places(open)}. Boxes on goals: ${places(placed)}.`,
      `Goals without a box: ${places(free)}. Cells that are no wall: ${places(floor)}.`,
    ].join(' ');
  }

  /** Said before a move that would change nothing. */
  describeRefusal(action) {
    const state = this.#started('describeRefusal');
    if (this.#moved(state, this.#by(action))) return undefined;
    return state.walls.has(state.player + this.#by(action))
      ? 'A wall is in the way.'
      : 'The box cannot be pushed there.';
  }

  describeEnd() {
    return this.#left(this.#started('describeEnd')) === 0 ? 'Every box is on a goal.' : undefined;
  }

  render() {
    this.#started('render');
    if (this.renderMode === 'rgb_array') return this.#draw();
    if (this.renderMode === undefined) return this.renderNothing();
    const row = (start) => Array.from({ length: this.#size }, (_, column) => this.#letter(start + column)).join('');
    return Array.from({ length: this.#size }, (_, index) => row(index * this.#size)).join('\n');
  }

  snapshot() {
    const { walls, goals, boxes, player, steps } = this.#started('snapshot');
    const state = { walls: [...walls], goals: [...goals], boxes: [...boxes], player, steps, rng: this.rng.getState() };
    return { kind: SNAPSHOT, state };
  }

  restore(snapshot) {
    this.ensureOpen('restore');
    const { rng, walls, goals, boxes, player, steps } = core.parseSnapshot(snapshot, SNAPSHOT, saved);
    const outside = [...walls, ...goals, ...boxes, player].find((cell) => cell >= this.#size ** 2);
    if (outside !== undefined || boxes.length !== this.#count) {
      throw new core.SnapshotMismatchError(snapshot.kind, SNAPSHOT, { path: 'boxes', value: outside ?? boxes.length, expected: 'a level of the same size and number of boxes' }); // biome-ignore format: one line
    }
    this.#state = { walls: new Set(walls), goals: new Set(goals), boxes: new Set(boxes), player, steps };
    this.#plan = [];
    const generator = new core.Generator(0);
    generator.setState(rng);
    this.rng = generator;
  }

  #started(method) {
    this.ensureOpen(method);
    if (!this.#state) throw new core.ResetNeededError(method);
    return this.#state;
  }

  #by(move) {
    return [-this.#size, this.#size, -1, 1][move];
  }

  /** Player and boxes after a step; `undefined` if something is in the way. */
  #moved({ walls, boxes, player }, by) {
    const to = player + by;
    if (walls.has(to)) return undefined;
    if (!boxes.has(to)) return { player: to, boxes };
    const behind = to + by;
    if (walls.has(behind) || boxes.has(behind)) return undefined;
    return { player: to, boxes: new Set([...boxes].map((box) => (box === to ? behind : box)).sort((a, b) => a - b)) };
  }

  /** A level with a border of walls and a few inside, in which boxes were pulled away from the goals. */
  #level() {
    const size = this.#size;
    for (;;) {
      const inner = Array.from({ length: size ** 2 }, (_, cell) => cell).filter((cell) => {
        const [row, column] = [Math.floor(cell / size), cell % size];
        return row > 0 && column > 0 && row < size - 1 && column < size - 1;
      });
      const border = Array.from({ length: size ** 2 }, (_, cell) => cell).filter((cell) => !inner.includes(cell));
      const drawn = this.rng.choice(inner, { size: Math.floor(inner.length / 8) + this.#count + 1, replace: false });
      const [player, ...rest] = drawn;
      const goals = new Set(rest.slice(0, this.#count).sort((a, b) => a - b));
      const walls = new Set([...border, ...rest.slice(this.#count)]);
      const pulled = this.#pulled({ walls, goals, boxes: goals, player });
      if (pulled && this.#left(pulled) === this.#count) return pulled;
    }
  }

  /** Walks backward: a step away from a box takes it along. */
  #pulled(start) {
    let state = start;
    for (let turn = 0; turn < 40 * this.#count; turn += 1) {
      const by = this.#by(this.rng.integers(MOVES.length));
      const to = state.player + by;
      if (state.walls.has(to) || state.boxes.has(to)) continue;
      const behind = state.player - by;
      const pulls = state.boxes.has(behind) && this.rng.integers(4) > 0;
      const boxes = pulls ? new Set([...state.boxes].map((box) => (box === behind ? state.player : box)).sort((a, b) => a - b)) : state.boxes; // biome-ignore format: one line
      state = { ...state, player: to, boxes };
    }
    return state;
  }

  #solve(start) {
    const nodes = [{ player: start.player, boxes: start.boxes, parent: -1, move: -1 }];
    const known = new Set([`${start.player}|${[...start.boxes]}`]);
    for (let index = 0; index < nodes.length && nodes.length < 300_000; index += 1) {
      const node = nodes[index];
      if (this.#left({ goals: start.goals, boxes: node.boxes }) === 0) return pathTo(nodes, index);
      for (let move = 0; move < MOVES.length; move += 1) {
        const next = this.#moved({ walls: start.walls, boxes: node.boxes, player: node.player }, this.#by(move));
        const key = next && `${next.player}|${[...next.boxes]}`;
        if (!next || known.has(key)) continue;
        known.add(key);
        nodes.push({ ...next, parent: index, move });
      }
    }
    return undefined;
  }

  #left({ goals, boxes }) {
    return [...boxes].filter((box) => !goals.has(box)).length;
  }

  #info() {
    const { steps } = this.#state;
    return { boxesLeft: this.#left(this.#state), steps };
  }

  /** As in the files of levels: wall, floor, goal, box, box on a goal, player, player on a goal. */
  #letter(cell) {
    const { walls, goals, boxes, player } = this.#state;
    if (walls.has(cell)) return '#';
    if (cell === player) return goals.has(cell) ? '+' : '@';
    if (boxes.has(cell)) return goals.has(cell) ? '*' : '$';
    return goals.has(cell) ? '.' : ' ';
  }

  #draw() {
    const width = this.#size * CELL;
    const letters = Array.from({ length: this.#size ** 2 }, (_, cell) => COLORS[this.#letter(cell)]);
    const data = Uint8Array.from({ length: width * width * 3 }, (_, byte) => {
      const pixel = Math.floor(byte / 3);
      const [y, x] = [Math.floor(pixel / width), pixel % width];
      const isEdge = y % CELL === 0 || x % CELL === 0;
      const color = letters[Math.floor(y / CELL) * this.#size + Math.floor(x / CELL)];
      return isEdge ? Math.floor(color[byte % 3] * 0.9) : color[byte % 3];
    });
    return { data, height: width, width, channels: 3 };
  }
}

function pathTo(nodes, end) {
  const moves = [];
  for (let index = end; nodes[index].parent >= 0; index = nodes[index].parent) moves.unshift(nodes[index].move);
  return moves;
}

const keyOf = ({ walls, goals, boxes, player }) =>
  core.taskKey('sokoban', `${[...walls].sort((a, b) => a - b)};${[...goals]};${[...boxes]};${player}`);

core.register({
  id: 'example/Sokoban-v0',
  module: '@vlgym/example-sokoban',
  entryPoint: (options) => new SokobanEnv(options),
  maxEpisodeSteps: 60,
  title: 'Sokoban',
  shortNames: ['sokoban'],
  surface: 'page',
  guide: GUIDE,
  splits: core.CONTENT_SPLITS,
  training: {
    options: { size: 6, boxes: 1 },
    updates: 8,
    stepsPerUpdate: 512,
    numEnvs: 32,
    evaluateEvery: 4,
    evaluationTemperature: 0.5,
    warmStart: { teacher: 'oracle', mistakes: 0.5, examples: 12_800, learningRate: 2e-3, batch: 64 },
    maxNewTokens: 24,
    rewardScale: 1,
    overrides: { advantage: { gamma: 0.95 }, reward: { formatValid: 0 } },
  },
});
