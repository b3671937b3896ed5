/** `vagen/FrozenLake-v0`: a lake of the seed, up to five slides in a turn. */
import { Generator, option, parseOptions, taskKey } from '@vlgym/core';
import { z } from 'zod';
import { lakeBoard, lakeCells, lakeOffsets } from '../lake/board.js';
import { LAKE_ACTIONS, Lake, nextOnWay } from '../lake/lake.js';
import { vagenMap } from '../lake/maps.js';
import { bestActions } from '../lake/value.js';
import { lakeEnd, lakeWords } from '../people/board-words.js';
import { lakeTiles } from '../pictures/tile-sets.js';
import type { VagenGame, VagenWord } from './game.js';
import { VagenEnv, type VagenOptions, vagenShape } from './vagen-env.js';
import { LAKE_WORDS } from './words.js';

export interface VagenLakeOptions extends VagenOptions {
  /** Rows and columns, 2 to 20; default 4. */
  readonly size?: number | undefined;
  /** Share of frozen cells; default 0.8. */
  readonly frozen?: number | undefined;
  /** Slide to each side with a probability of 1/3; default false. */
  readonly isSlippery?: boolean | undefined;
}

const schema = z.strictObject({
  ...vagenShape,
  size: option.integer(2, 20).optional(),
  frozen: option.number(0.3, 1).optional(),
  isSlippery: option.boolean().optional(),
} satisfies Record<keyof VagenLakeOptions, z.ZodType>);

class LakeTurns implements VagenGame {
  readonly lake: Lake;
  readonly #rng: Generator;
  #best: Uint8Array | undefined;

  constructor(lake: Lake, rng: Generator) {
    this.lake = lake;
    this.#rng = rng;
  }

  get columns(): number {
    return this.lake.columns;
  }

  get player(): number {
    return this.lake.position;
  }

  get isSolved(): boolean {
    return this.lake.letter === 'G';
  }

  get isOver(): boolean {
    return this.isSolved || this.lake.letter === 'H';
  }

  get board(): string {
    return lakeBoard(this.lake);
  }

  get words(): string {
    return lakeWords(this.lake);
  }

  get ending(): string | undefined {
    return lakeEnd(this.lake.letter);
  }

  get shown(): Uint8Array {
    return lakeCells(this.lake);
  }

  get offsets() {
    return lakeOffsets(this.lake);
  }

  play(word: VagenWord): void {
    this.lake.slide(LAKE_ACTIONS.indexOf(word), this.#rng);
  }

  /** All actions to the goal; on slippery ice only the first, because the others depend on its result. */
  solution(): readonly VagenWord[] | undefined {
    const { cells, columns, rules } = this.lake;
    if (rules.isSlippery) {
      this.#best ??= bestActions(this.lake);
      return this.isOver ? undefined : [LAKE_ACTIONS[this.#best[this.player]!]!];
    }
    const words: VagenWord[] = [];
    let { position } = this.lake;
    for (;;) {
      const next = nextOnWay({ cells, columns, position });
      if (next === undefined) return words.length > 0 ? words : undefined;
      words.push(LAKE_ACTIONS[next]!);
      position += [-1, columns, 1, -columns][next]!;
    }
  }
}

export class VagenLakeEnv extends VagenEnv<LakeTurns> {
  constructor(options: VagenLakeOptions = {}) {
    const checked = parseOptions(options, schema);
    const { size = 4, frozen = 0.8, isSlippery = false } = checked;
    super(checked, {
      kind: 'vagen-frozenlake',
      words: LAKE_WORDS,
      style: 'vagen-free-think-v1',
      maxActions: 5,
      formatReward: 0.02,
      rows: size,
      columns: size,
      tiles: lakeTiles,
      begin(seed) {
        const rng = new Generator(seed);
        const rules = { isSlippery, successRate: 1 / 3, rewards: [1, 0, 0] as const };
        return new LakeTurns(new Lake(vagenMap(size, frozen, seed), rules, rng), rng);
      },
      keyOf: ({ lake }) => taskKey('vagen-frozenlake', lake.map.join('/')),
      task: 'Reach the goal without falling into a hole.',
    });
  }
}
