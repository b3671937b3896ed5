/** The examples of `npm run small -- webshop`: the product below the price, and the options that an instruction names. */

import { Generator } from '@vlgym/core';
import type { WebShopInfo } from '@vlgym/webshop';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../scripts/small/batches.js';
import { lessons } from '../../scripts/small/lessons.js';
import { shopperChoice } from '../../scripts/small/shop-notes.js';
import { bargains, wishes } from '../../scripts/small/shop-pages.js';
import { openLesson } from './lesson.test-helper.js';

describe('the shopper', () => {
  const results =
    'Back to Search [SEP] Page 1 (Total results: 50) [SEP] Next > [SEP] B000000001 [SEP] Red Mug [SEP] $30.0';
  const more = `${results} [SEP] B000000002 [SEP] Blue Mug [SEP] $12.5 to $40.0`;
  const info = (page: WebShopInfo['page'], instruction: string, clickables: readonly string[] = []) =>
    ({ page, instruction, availableActions: { hasSearchBar: false, clickables } }) as unknown as WebShopInfo;

  it.each([
    ['a mug, and price lower than 30.00 dollars', 'below 30.00: $30.0.', 'click[b000000001]'],
    ['a mug, and price lower than 20.00 dollars', 'below 20.00: $12.5.', 'click[b000000002]'],
    ['a mug, and price lower than 10.00 dollars', 'below 10.00: none.', 'click[b000000001]'],
    ['a mug', 'any price: $30.0.', 'click[b000000001]'],
  ])('opens the first product below the price of "%s"', (instruction, thought, action) => {
    expect(shopperChoice(more, info('results', instruction), 'search[a mug]')).toEqual({ thought, action });
  });

  const options = ['navy blue', 'blue', '6', '60', 'extra large', 'buy now', 'back to search', '< prev'];
  const item =
    'Back to Search [SEP] < Prev [SEP] color [SEP] navy blue [SEP] blue [SEP] size [SEP] 6 [SEP] 60 [SEP] extra large [SEP] Mug';

  it.each<[string, string[], string, string]>([
    ['a navy blue mug, pack of 6', [], 'choose navy blue, 6.', 'click[navy blue]'],
    ['a navy blue mug, pack of 6', ['navy blue'], 'choose 6.', 'click[6]'],
    ['a blue mug (Extra-Large), and price lower than 60.00 dollars', [], 'choose blue, extra large.', 'click[blue]'],
    ['a bluish mug', [], 'choose none.', 'click[buy now]'],
  ])('chooses the options that "%s" names but %j', (instruction, chosen, thought, action) => {
    expect(shopperChoice(item, info('item', instruction, options), '', chosen)).toEqual({ thought, action });
  });

  it('says of many prices which product is the first below, and of many pages which options are named', async () => {
    const env = await openLesson(lessons.webshop!);
    const rng = new Generator(14);
    for (let i = 0; i < 10; i += 1) {
      const { messages, response, labels } = (await bargains(rng, env))!;
      const page = String(messages[0]!.content);
      const answers = labels!.map((label) => response.slice(...label));
      for (const [, limit, answer, code] of response.matchAll(/below ([\d.]+):( [^\n]+\nclick\[(\w+)\])/g)) {
        expect(answers.shift()).toBe(answer);
        const prices = [...page.matchAll(/(B0\w{8}) \[SEP\] [^$]+? \[SEP\] \$([\d.]+)/g)];
        const first = prices.find(([, , price]) => Number(price) <= Number(limit)) ?? prices[0]!;
        expect(code).toBe(first[1]);
      }
      expect(answers).toEqual([]);
      const asked = (await wishes(rng, env))!;
      const texts = [...asked.messages.map(({ content }) => String(content)), asked.response];
      const instruction = /^Instruction: (.+)$/m.exec(texts[0]!)![1]!;
      for (const [place, text] of texts.entries()) {
        if (place % 2 === 0) continue;
        const names = text.slice('choose '.length, -1).split(', ');
        for (const name of names.filter((each) => each !== 'none')) {
          expect(texts[place - 1]!.toLowerCase()).toContain(` ${name} `);
          expect(instruction.toLowerCase().replaceAll('-', ' ')).toContain(name.replaceAll('-', ' '));
        }
      }
    }
    await env.close();
  });
});

describe('episodes of the shop', () => {
  it('have new codes for its products, and click what a page shows', async () => {
    const env = await openLesson(lessons.webshop!);
    const seen = new Set<string>();
    let episodes = 0;
    for await (const { messages, response, answers } of examplesOf(lessons.webshop!.mix, env, new Generator(6))) {
      if (messages[0]!.role !== 'system') continue;
      const texts = [...messages.map(({ content }) => String(content)), response];
      for (const [place, text] of texts.entries()) {
        const code = answers!.includes(place) ? /\nclick\[(B0[A-Z0-9]{8})\]$/.exec(text)?.[1] : undefined;
        if (!code) continue;
        expect(texts[place - 1]).toContain(code);
        seen.add(code);
      }
      episodes += 1;
      if (episodes === 40) break;
    }
    // the same product of the 100 is opened more than once
    expect(seen.size).toBe(40);
    await env.close();
  });
});
