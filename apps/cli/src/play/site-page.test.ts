/** The page of a web site as an environment: the numbers are in the picture, and buttons say what they click. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { register } from '@vlgym/core';
import { SiteEnv } from '@vlgym/site';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findingsOn } from '../../test-support/page-findings.js';
import { chromium, LIMIT, nextScene, PlayPages, textOf } from '../../test-support/play-pages.js';

vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: 2 * LIMIT });

const { VLGYM_PAGES: folder } = process.env;
const without = chromium ? '' : ' (skipped: Chromium is missing)';

describe.skipIf(chromium === undefined)(`the page of a web site${without}`, () => {
  const pages = new PlayPages();
  const site = createServer(({ url = '/' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const isHome = !url.startsWith('/shipping');
    response.end(
      isHome
        ? '<title>Tea</title><h1>Tea</h1><p><a href="/shipping">Shipping</a></p><button>Order</button>'
        : '<title>Shipping</title><h1>We ship.</h1>',
    );
  });
  beforeAll(async () => {
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const start = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    register({
      id: 'my/Tea-v0',
      module: 'my-tea',
      title: 'The tea shop',
      guide: { goal: 'Do what the task says.', rules: 'Click by number.', score: 'The right page gives 1.' },
      entryPoint: (options) => {
        const judge = ({ observation }: { observation: { url: string } }) => {
          const done = observation.url.endsWith('/shipping');
          return { reward: done ? 1 : 0, done };
        };
        return new SiteEnv([{ instruction: 'Find the page about shipping.', start, judge }], {
          ...options,
          timeout: LIMIT,
        });
      },
    });
    await pages.open();
  });
  afterAll(async () => {
    await pages.close();
    site.close();
  });

  it('shows names on buttons and the task, and is won by a click on one', async () => {
    const page = await pages.play('my/Tea-v0');
    const labels = () => page.$$eval('#actions button', (buttons) => buttons.map((button) => button.textContent));
    expect(await labels()).toEqual(expect.arrayContaining(['1 Shipping', '2 Order', 'back']));
    expect(await textOf(page, 'body')).toContain('Find the page about shipping.');
    const findings = await findingsOn(page, async (screen, theme) => {
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, `site.${screen}-${theme}.png`), fullPage: true });
    });
    expect(findings).toEqual([]);
    const button = await page.$('#actions button[data-action="mark[1]"]');
    await nextScene(page, () => button!.click());
    expect(await textOf(page, '#verdict strong')).not.toBe('');
    expect(pages.faults).toEqual([]);
  });
});
