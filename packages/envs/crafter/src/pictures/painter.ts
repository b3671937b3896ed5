/**
 * The picture of a game: nine by seven cells around the player, and two rows of items below.
 *
 * Few cells are drawn in each picture: one of plain terrain is lit once a picture, a cell of items is kept for good.
 */
import type { RgbImage } from '@vlgym/core';
import type { Game } from '../world/game.js';
import { ITEMS, MATERIALS } from '../world/rules.js';
import type { Thing } from '../world/things.js';
import { light, lightDark, vignetteOf } from './light.js';
import { blend, type Sprite, type SpriteName, spriteOf } from './sprites.js';

/** Cells across and down. */
const VIEW_COLUMNS = 9;
const VIEW_ROWS = 7;
const OUTSIDE = 127;
/** Darker than this, noise covers the picture. */
export const DUSK = 0.5;

export class Painter {
  /** Pixels of a side of a cell. */
  readonly unit: number;
  readonly #border: number;
  readonly #sprites = new Map<string, Sprite>();
  /** Terrain of a cell, drawn: 0 is outside the map. */
  readonly #terrain: Uint8Array[];
  /** The same under the light of this picture. */
  readonly #lit: Uint8Array[];
  readonly #isLit = new Uint8Array(MATERIALS.length + 1);
  readonly #items = new Map<number, Uint8Array>();
  readonly #cell: Uint8Array;
  readonly #litCell: Uint8Array;
  #vignette: Float64Array | undefined;
  #scratch: readonly [drawn: Uint8Array, lit: Uint8Array] | undefined;

  /** @param size  Pixels of a side of the picture, 18 or more. */
  constructor(readonly size: number) {
    this.unit = Math.floor(size / VIEW_COLUMNS);
    this.#border = Math.floor((size - this.unit * VIEW_COLUMNS) / 2);
    const bytes = this.unit ** 2 * 3;
    this.#terrain = [new Uint8Array(bytes).fill(OUTSIDE), ...MATERIALS.map((name) => this.#plain(name))];
    this.#lit = this.#terrain.map(() => new Uint8Array(bytes));
    this.#cell = new Uint8Array(bytes);
    this.#litCell = new Uint8Array(bytes);
  }

  /** Random numbers that a dark picture takes. */
  get noiseCount(): number {
    return this.unit ** 2 * VIEW_COLUMNS * VIEW_ROWS;
  }

  /**
   * @param noise  Numbers from 32 to 127 for a dark picture, column by column.
   * @param into   `size * size * 3` bytes.
   */
  draw(game: Game, noise: Float64Array | undefined, into: Uint8Array): RgbImage {
    const { size } = this;
    into.fill(0);
    if (noise) this.#drawDark(game, noise, into);
    else this.#drawLight(game, into);
    ITEMS.forEach((item, index) => {
      const amount = item === 'health' ? game.player.health : game.player.stock[item];
      if (amount < 1) return;
      const [column, row] = [index % VIEW_COLUMNS, VIEW_ROWS + Math.floor(index / VIEW_COLUMNS)];
      this.#put(this.#itemCell(index, amount), into, size, this.#border, column, row);
    });
    return { data: into, height: size, width: size, channels: 3 };
  }

  #drawLight(game: Game, into: Uint8Array): void {
    const { daylight } = game.world;
    const asleep = game.player.sleeping;
    this.#isLit.fill(0);
    this.#eachCell(game, (material, thing, column, row) => {
      let cell = this.#lit[material]!;
      if (thing) {
        cell = this.#litCell;
        light(this.#withThing(material, thing, game), cell, daylight, asleep);
      } else if (this.#isLit[material] === 0) {
        this.#isLit[material] = 1;
        light(this.#terrain[material]!, cell, daylight, asleep);
      }
      this.#put(cell, into, this.size, this.#border, column, row);
    });
  }

  #drawDark(game: Game, noise: Float64Array, into: Uint8Array): void {
    const { unit } = this;
    const [width, height] = [unit * VIEW_COLUMNS, unit * VIEW_ROWS];
    this.#vignette ??= vignetteOf(width, height);
    this.#scratch ??= [new Uint8Array(width * height * 3), new Uint8Array(width * height * 3)];
    const [drawn, lit] = this.#scratch;
    this.#eachCell(game, (material, thing, column, row) => {
      const cell = thing ? this.#withThing(material, thing, game) : this.#terrain[material]!;
      this.#put(cell, drawn, width, 0, column, row);
    });
    const { daylight } = game.world;
    lightDark(drawn, lit, { width, height }, daylight, game.player.sleeping, noise, this.#vignette);
    for (let y = 0; y < height; y += 1) {
      const to = ((y + this.#border) * this.size + this.#border) * 3;
      into.set(lit.subarray(y * width * 3, (y + 1) * width * 3), to);
    }
  }

  #eachCell(
    { world, player }: Game,
    visit: (material: number, thing: Thing | undefined, column: number, row: number) => void,
  ): void {
    const [left, top] = [player.x - (VIEW_COLUMNS >> 1), player.y - (VIEW_ROWS >> 1)];
    for (let row = 0; row < VIEW_ROWS; row += 1) {
      for (let column = 0; column < VIEW_COLUMNS; column += 1) {
        const [x, y] = [left + column, top + row];
        visit(world.material(x, y), world.objectAt(x, y), column, row);
      }
    }
  }

  #withThing(material: number, thing: Thing, game: Game): Uint8Array {
    this.#cell.set(this.#terrain[material]!);
    blend(this.#sprite(spriteNameOf(thing, game), this.unit), this.#cell, this.unit, 0, 0);
    return this.#cell;
  }

  /** An item and its number on black. */
  #itemCell(index: number, amount: number): Uint8Array {
    const key = index * 16 + amount;
    let cell = this.#items.get(key);
    if (cell) return cell;
    const { unit } = this;
    cell = new Uint8Array(unit ** 2 * 3);
    // sizes and places are rounded down; a place is that in the whole row, as a sum of two numbers may round otherwise
    const place = (share: number, at: number) => Math.trunc(at * unit + share * unit) - at * unit;
    const [column, row] = [index % VIEW_COLUMNS, Math.floor(index / VIEW_COLUMNS)];
    const draw = (name: SpriteName, share: number, scale: number) =>
      blend(this.#sprite(name, Math.trunc(scale * unit)), cell!, unit, place(share, column), place(share, row));
    draw(ITEMS[index]!, 0.1, 0.8);
    draw(String(amount) as SpriteName, 0.4, 0.6);
    this.#items.set(key, cell);
    return cell;
  }

  #put(cell: Uint8Array, into: Uint8Array, width: number, border: number, column: number, row: number): void {
    const { unit } = this;
    const bytes = unit * 3;
    let to = ((border + row * unit) * width + border + column * unit) * 3;
    for (let at = 0; at < cell.length; to += width * 3) {
      for (const end = at + bytes, shift = to - at; at < end; at += 1) into[at + shift] = cell[at]!;
    }
  }

  #plain(name: SpriteName): Uint8Array {
    const { data } = this.#sprite(name, this.unit);
    return Uint8Array.from({ length: this.unit ** 2 * 3 }, (_, at) => data[Math.floor(at / 3) * 4 + (at % 3)]!);
  }

  #sprite(name: SpriteName, side: number): Sprite {
    const key = `${name}/${side}`;
    let sprite = this.#sprites.get(key);
    if (!sprite) {
      sprite = spriteOf(name, side);
      this.#sprites.set(key, sprite);
    }
    return sprite;
  }
}

const SIDES = new Map([
  ['-1,0', 'left'],
  ['1,0', 'right'],
  ['0,-1', 'up'],
  ['0,1', 'down'],
] as const);
const sideOf = ([dx, dy]: readonly [number, number]) => SIDES.get(`${dx},${dy}` as never)!;

function spriteNameOf(thing: Thing, { player }: Game): SpriteName {
  switch (thing.kind) {
    case 'player':
      return player.sleeping ? 'player-sleep' : `player-${sideOf(player.look)}`;
    case 'arrow':
      return `arrow-${sideOf(thing.facing)}`;
    case 'plant':
      return thing.isRipe ? 'plant-ripe' : 'plant';
    default:
      return thing.kind;
  }
}
