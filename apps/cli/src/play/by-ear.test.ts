/**
 * Games played to their end by a player who reads what the page tells assistive technology (names and texts of its
 * accessibility tree) and presses buttons by their names: no picture, no style, no data of the page.
 */
import { solve } from '@vlgym/points24';
import { type Room, solve as solveRoom } from '@vlgym/puzzles';
import type { Page } from 'puppeteer-core';
import '../environments.js';
import '../../../../examples/sokoban/index.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromium, LIMIT, nextScene, PlayPages, textOf } from '../../test-support/play-pages.js';

vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: 2 * LIMIT });

interface Node {
  readonly role: string;
  readonly name?: string;
  readonly children?: readonly Node[];
}

/** Everything that is read out, in the order of the page. */
class Reader {
  readonly #page: Page;
  #nodes: readonly Node[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  async read(): Promise<this> {
    const flat = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(flat)];
    const tree = await this.#page.accessibility.snapshot({ interestingOnly: false });
    this.#nodes = tree ? flat(tree as Node) : [];
    return this;
  }

  get text(): string {
    return this.#nodes.map(({ name = '' }) => name).join('\n');
  }

  /** The label of the picture. */
  get picture(): string {
    return this.#nodes.find(({ role, name }) => /^im(?:g|age)$/.test(role) && name)?.name ?? '';
  }

  get buttons(): string[] {
    return this.#nodes.flatMap(({ role, name }) => (role === 'button' && name ? [name] : []));
  }

  get isOver(): boolean {
    return /^(?:Solved|Not solved)\. Return/m.test(this.text);
  }

  async press(name: string): Promise<void> {
    const button = await this.#page.$(`::-p-aria([name="${name}"][role="button"])`);
    await nextScene(this.#page, () => button!.evaluate((each) => (each as unknown as { click(): void }).click()));
    await this.read();
  }
}

/** `row 2, columns 2 to 4 and 6; row 3, column 2` as cells of a board. */
function cellsIn(words: string, columns: number): number[] {
  return Array.from(words.matchAll(/row (\d+), columns? ([^;.]+)/g), ([, row, at]) => {
    const ends = at!.split(/, | and /).map((part) => part.split(' to ').map(Number));
    return ends.flatMap(([from, to = from]) => {
      const count = to! - from! + 1;
      return Array.from({ length: count }, (_, index) => (Number(row) - 1) * columns + from! - 1 + index);
    });
  }).flat();
}

/** More than any room has. */
const COLUMNS = 20;

/** The room of Sokoban that is read out, in cells as the solver takes them. */
function roomIn(words: string): { readonly room: Room; readonly player: number } {
  const [, you, boxes, placed, targets, floor] =
    /You are in ([^.]+)\. Boxes: ([^.]+)\. Boxes on \w+: ([^.]+)\. \w+ without a box: ([^.]+)\. Cells that are no wall: ([^.]+)\./.exec(
      words,
    )!;
  const fixed = new Uint8Array(COLUMNS ** 2);
  for (const cell of cellsIn(floor!, COLUMNS)) fixed[cell] = 1;
  for (const cell of [...cellsIn(targets!, COLUMNS), ...cellsIn(placed!, COLUMNS)]) fixed[cell] = 2;
  const state = fixed.slice();
  for (const cell of cellsIn(boxes!, COLUMNS)) state[cell] = 4;
  for (const cell of cellsIn(placed!, COLUMNS)) state[cell] = 3;
  const [player] = cellsIn(you!, COLUMNS);
  return { room: { rows: COLUMNS, columns: COLUMNS, fixed, state }, player: player! };
}

const title = chromium ? 'a player who reads the page' : 'a player who reads the page (skipped: Chromium is missing)';

describe.skipIf(chromium === undefined)(title, () => {
  const pages = new PlayPages();
  beforeAll(() => pages.open());
  afterEach(() => pages.endAll());
  afterAll(() => pages.close());

  async function open(id: string, envOptions: object, seed: number) {
    const page = await pages.play(id, { envOptions, seed });
    return { page, reader: await new Reader(page).read() };
  }

  it.each([3, 8])('makes 24 from the cards that are read out (seed %i)', async (seed) => {
    const { page, reader } = await open('vlgym/Points24-v1', { solvableOnly: true }, seed);
    const target = Number(/Make (\d+) from the four cards/.exec(reader.text)![1]);
    const numbers = /they count ([\d, and]+)\./.exec(reader.picture)![1]!.match(/\d+/g)!.map(Number);
    const [solution] = solve(numbers, { target }).filter(({ accepted }) => accepted);
    for (const entry of [...solution!.entries, '=']) await reader.press(String(entry));
    expect(reader.isOver).toBe(true);
    expect(await textOf(page, '#verdict')).toMatch(/^Solved\. Return 10 .*is 24, and every card is used\.$/);
  });

  it('plays Blackjack by the total and the card of the dealer', async () => {
    const { reader } = await open('vlgym/Blackjack-v1', {}, 11);
    while (!reader.isOver) {
      const [, total] = /Your total is (\d+)/.exec(reader.picture)!;
      const [, shown] = /The dealer shows the (\w+) of/.exec(reader.picture)!;
      await reader.press(Number(total) < (/^[2-6]$/.test(shown!) ? 13 : 17) ? 'hit' : 'stand');
    }
    expect(reader.text).toMatch(/Your total is \d+.*The dealer has /);
  });

  it.each([
    ['Sokoban-small-v0', 5, 'push '],
    ['example/Sokoban-v0', 5, ''],
  ])('pushes every box of %s onto a target, from the words of the room', async (id, seed, verb) => {
    const { page, reader } = await open(id, {}, seed);
    const { room, player } = roomIn(reader.picture);
    const moves = solveRoom(room, player)!;
    for (const move of moves) await reader.press(`${verb}${['up', 'down', 'left', 'right'][move - 1]}`);
    expect(reader.isOver).toBe(true);
    expect(roomIn(reader.picture).room.state.includes(4)).toBe(false);
    expect(await textOf(page, '#verdict')).toMatch(/^Solved\. .*Every box is on a (?:target|goal)\./);
  });

  it('finishes a household task from its sentences', async () => {
    const { page, reader } = await open('vlgym/ALFWorld-v1', { taskTypes: ['pick_and_place_simple'] }, 4);
    const task = await textOf(page, '#task');
    const [, object, place] =
      /(?:put|place) (?:a|an|some|the) (\w+) (?:in|on|in\/on|into|onto) (?:a |an |some |the )?(\w+)/i.exec(task)!;
    const seen = new Set<string>();
    let carrying = false;
    const find = (pattern: RegExp) => reader.buttons.find((name) => pattern.test(name));
    while (!reader.isOver) {
      const put = find(new RegExp(`^(?:move|put) ${object} \\d+ (?:to|in/on) ${place} \\d+$`));
      const take = find(new RegExp(`^take ${object} \\d+ from (?!${place} )`));
      const opening = find(/^open /);
      const going = reader.buttons.filter((name) => name.startsWith('go to '));
      const next = carrying
        ? (put ?? opening ?? going.find((name) => name.startsWith(`go to ${place} `) && !seen.has(`with it ${name}`)))
        : (take ?? opening ?? going.find((name) => !seen.has(name)));
      expect([task, next === undefined]).toEqual([task, false]);
      if (next === take) {
        carrying = true;
      } else seen.add(carrying ? `with it ${next}` : next!);
      await reader.press(next!);
    }
    expect(await textOf(page, '#verdict')).toMatch(/^Solved\. .*The task is done\./);
  });
});
