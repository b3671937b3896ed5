/**
 * Games played to their end by a player who reads what the page tells assistive technology (names and texts of its
 * accessibility tree) and presses buttons by their names: no picture, no style, no data of the page.
 */
import { solve } from '@vlgym/points24';
import type { Page } from 'puppeteer-core';
import '../environments.js';
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
