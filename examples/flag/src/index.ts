/**
 * Flag: walk to a flag on a small map that is drawn as a picture.
 *
 * A complete environment package in one file: pictures, text for terminals, prompts and answers, an expert, a split by
 * content, settings for training. package.json lists its id; no file outside of this folder knows it.
 */
import * as core from '@vlgym/core';
import { z } from 'zod';

const MOVES = ['left', 'right', 'up', 'down'] as const;
/** Columns and rows of each move. */
const SHIFTS = [[-1, 0], [1, 0], [0, -1], [0, 1]] as const; // biome-ignore format: one line
/** Pixels of a side of a cell. */
const CELL = 8;
const COLORS = { '.': [225, 225, 215], O: [30, 90, 200], F: [210, 40, 40] } as const;

const schema = z.strictObject({
  /** Cells of a side; default 7. */
  cells: core.option.integer(4, 16).optional(),
  split: core.option.oneOf(core.SPLITS).optional(),
  renderMode: core.option.renderMode(['rgb_array', 'ansi']).optional(),
});
export type FlagOptions = z.input<typeof schema>;
export type FlagInfo = { readonly flag: readonly [column: number, row: number]; readonly taskKey?: string };

const dialogue: core.Dialogue<core.RgbImage, number, FlagInfo> = {
  version: 'flag/compact-v1',
  prompt: ({ observation: image }) => {
    const text = '\nWalk to the red flag. JSON keys: flag, action.';
    return [{ role: 'user', content: [{ type: 'image', image }, { type: 'text', text }] }]; // biome-ignore format: one message
  },
  parse: (text) => core.parseResponse(text, { actions: MOVES, requiredKeys: ['flag'] }),
  demonstrate: ({ info }, action) => `{"flag": [${info.flag.join(', ')}], "action": "${MOVES[action]}"}`,
};

export class FlagEnv extends core.BaseEnv<core.RgbImage, number, FlagInfo> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'] } as const;
  readonly observationSpace: ReturnType<typeof core.spaces.image<3>>;
  readonly actionSpace = core.spaces.discrete(MOVES.length, { labels: [...MOVES] });
  readonly keys = { left: 0, right: 1, up: 2, down: 3 };
  readonly dialogue = dialogue;
  readonly #side: number;
  readonly #split: FlagOptions['split'];
  /** Cells count from 0 at the upper left, row by row. */
  #walker: number | undefined;
  #flag = 0;

  constructor(options: FlagOptions = {}) {
    const { cells = 7, split, renderMode } = core.parseOptions(options, schema);
    super({ renderMode });
    this.#side = cells;
    this.#split = split;
    this.observationSpace = core.spaces.image({ height: cells * CELL, width: cells * CELL });
  }

  reset(given?: core.ResetOptions) {
    this.ensureOpen('reset');
    const { seed } = core.parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    const draw = () => this.rng.choice(this.#side ** 2, { size: 2, replace: false }) as [number, number];
    const places = core.drawInSplit(this.#split, draw, keyOf);
    [this.#walker, this.#flag] = places;
    return { observation: this.#draw(), info: { ...this.#info(), taskKey: keyOf(places) } };
  }

  step(action: number) {
    this.ensureOpen('step');
    const { column, row } = this.#position('step');
    this.checkAction(action);
    const inside = (value: number) => Math.min(Math.max(value, 0), this.#side - 1);
    const [right, down] = SHIFTS[action]!;
    this.#walker = inside(row + down) * this.#side + inside(column + right);
    const terminated = this.#walker === this.#flag;
    return { observation: this.#draw(), reward: terminated ? 1 : 0, terminated, truncated: false, info: this.#info() };
  }

  /** Sideways first. */
  oracle(): number | undefined {
    const { column, row } = this.#position('oracle');
    const [flagColumn, flagRow] = this.#info().flag;
    if (column !== flagColumn) return column > flagColumn ? 0 : 1;
    return row === flagRow ? undefined : row > flagRow ? 2 : 3;
  }

  describeTask(): string {
    return 'Walk to the red flag.';
  }

  override render(): core.RenderFrame {
    this.#position('render');
    if (this.renderMode === 'rgb_array') return this.#draw();
    if (this.renderMode === undefined) return this.renderNothing();
    const rows = Array.from({ length: this.#side }, (_, row) => row * this.#side);
    return rows.map((start) => rows.map((_, column) => this.#letter(start + column)).join(' ')).join('\n');
  }

  #position(method: string): { readonly column: number; readonly row: number } {
    const walker = this.started(method, this.#walker);
    return { column: walker % this.#side, row: Math.floor(walker / this.#side) };
  }

  #info(): FlagInfo {
    return { flag: [this.#flag % this.#side, Math.floor(this.#flag / this.#side)] };
  }

  #letter(cell: number): keyof typeof COLORS {
    return cell === this.#walker ? 'O' : cell === this.#flag ? 'F' : '.';
  }

  #draw(): core.RgbImage {
    const width = this.#side * CELL;
    const data = Uint8Array.from({ length: width * width * 3 }, (_, byte) => {
      const pixel = Math.floor(byte / 3);
      const cell = Math.floor(pixel / width / CELL) * this.#side + Math.floor((pixel % width) / CELL);
      return COLORS[this.#letter(cell)][byte % 3]!;
    });
    return { data, height: width, width, channels: 3 };
  }
}

const keyOf = (places: readonly number[]): string => core.taskKey('flag', places.join(' to '));

declare module '@vlgym/core' {
  interface KnownEnvs {
    'example/Flag-v0': core.KnownEnv<FlagEnv, FlagOptions>;
  }
}

core.register({
  id: 'example/Flag-v0',
  module: '@vlgym/example-flag',
  entryPoint: (options: FlagOptions) => new FlagEnv(options),
  maxEpisodeSteps: 20,
  title: 'Walk to the flag',
  shortNames: ['flag'],
  surface: 'page',
  guide: {
    goal: 'Walk to the red flag.',
    rules: 'You are blue and walk with the arrow keys; the edges stop you.',
    score: 'The flag gives 1. Steps cost nothing.',
  },
  splits: core.CONTENT_SPLITS,
  training: {
    updates: 8,
    stepsPerUpdate: 512,
    numEnvs: 32,
    evaluateEvery: 4,
    evaluationTemperature: 0.5,
    warmStart: { teacher: 'oracle', mistakes: 0.7, examples: 12_800, learningRate: 2e-3, batch: 64 },
    maxNewTokens: 24,
    rewardScale: 1,
    overrides: { advantage: { gamma: 0.95 }, reward: { formatValid: 0 } },
  },
});
