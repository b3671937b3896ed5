/** `vagen/Sokoban-v0`: a small room, up to three pushes or moves in a turn. */
import { option, parseOptions } from '@vlgym/core';
import { z } from 'zod';
import { roomWords, sokobanEnd } from '../people/board-words.js';
import { sokobanTiles } from '../pictures/tile-sets.js';
import { boardOf, cellsShown, offsetsOf } from '../sokoban/board.js';
import { SokobanGame } from '../sokoban/game.js';
import { generateRoom, type RoomSize } from '../sokoban/generate.js';
import { generatorsOf } from '../sokoban/levels.js';
import { roomKey } from '../sokoban/sokoban-env.js';
import { solve } from '../sokoban/solve.js';
import type { VagenGame, VagenWord } from './game.js';
import { VagenEnv, type VagenOptions, vagenShape } from './vagen-env.js';
import { SOKOBAN_WORDS } from './words.js';

export interface VagenSokobanOptions extends VagenOptions {
  /** Rows and columns, 5 to 10; default 6. */
  readonly rows?: number | undefined;
  readonly columns?: number | undefined;
  /** 1 (default) to 4. */
  readonly boxes?: number | undefined;
  /** Only rooms whose shortest solution has a number of steps in this range. */
  readonly minSolutionSteps?: readonly [least: number, most: number] | undefined;
}

const side = option.integer(5, 10).optional();
const schema = z.strictObject({
  ...vagenShape,
  rows: side,
  columns: side,
  boxes: option.integer(1, 4).optional(),
  minSolutionSteps: z
    .tuple([z.int().min(0), z.int().min(0)], { error: '[least, most] steps' })
    .readonly()
    .optional(),
} satisfies Record<keyof VagenSokobanOptions, z.ZodType>);

/** Numbers of the actions in gym-sokoban. */
const ACTIONS: Readonly<Record<VagenWord, number>> = { up: 1, down: 2, left: 3, right: 4 };
const WORDS: readonly VagenWord[] = ['up', 'down', 'left', 'right'];

class SokobanTurns implements VagenGame {
  readonly game: SokobanGame;
  readonly columns: number;

  constructor(game: SokobanGame) {
    this.game = game;
    this.columns = game.columns;
  }

  get player(): number {
    return this.game.player;
  }

  /** As VAGEN counts it: targets with boxes since the first action. */
  get isSolved(): boolean {
    return this.game.boxesOnTarget === this.game.boxes;
  }

  get isOver(): boolean {
    return this.isSolved;
  }

  get board(): string {
    return boardOf(this.game);
  }

  get words(): string {
    return roomWords(this.game, this.player);
  }

  get ending(): string | undefined {
    return sokobanEnd(this.isSolved);
  }

  get shown(): Uint8Array {
    return cellsShown(this.game);
  }

  get offsets() {
    return offsetsOf(this.game, this.game.player);
  }

  play(word: VagenWord): void {
    this.game.play(ACTIONS[word]);
  }

  solution(): readonly VagenWord[] | undefined {
    return solve(this.game, this.game.player)?.map((action) => WORDS[action - 1]!);
  }
}

export class VagenSokobanEnv extends VagenEnv<SokobanTurns> {
  constructor(options: VagenSokobanOptions = {}) {
    const checked = parseOptions(options, schema);
    const { rows = 6, columns = 6, boxes = 1, minSolutionSteps } = checked;
    super(checked, {
      kind: 'vagen-sokoban',
      words: SOKOBAN_WORDS,
      style: 'vagen-wm-v1',
      maxActions: 3,
      formatReward: 0.1,
      rows,
      columns,
      tiles: sokobanTiles,
      begin: (seed) => begin({ rows, columns, boxes }, seed, minSolutionSteps),
      keyOf: ({ game }) => roomKey(game),
      task: 'Push every box onto a target.',
    });
  }
}

function begin(size: RoomSize, seed: number, steps: readonly [number, number] | undefined): SokobanTurns | undefined {
  const generated = generateRoom(size, generatorsOf(seed));
  if (!('room' in generated)) return undefined;
  const game = new SokobanGame(generated.room, size.boxes);
  if (steps) {
    const count = solve(game, game.player)?.length ?? 0;
    if (count < steps[0] || count > steps[1]) return undefined;
  }
  return new SokobanTurns(game);
}
