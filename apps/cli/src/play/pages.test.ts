/**
 * The page of every environment as it opens: axe's serious findings, and what is cut off, too small or missing, at 1280 and
 * 390 pixels, in light and dark. Some of each package by default. With `VLGYM_PAGES=FOLDER` all ids, with screenshots in
 * FOLDER; `VLGYM_PAGES_ONLY=TEXT` limits them to the ids that contain the text.
 */
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TASK_TYPES } from '@vlgym/alfworld';
import { generateHousehold, writeHousehold } from '@vlgym/alfworld/generator';
import { originalPython } from '@vlgym/alfworld/python';
import { findRegistration, registeredIds } from '@vlgym/core';
import { pagesFolder } from '@vlgym/miniwob';
import '../environments.js';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findingsOn, SCREENS } from '../../test-support/page-findings.js';
import { chromium, LIMIT, nextScene, PlayPages, textOf } from '../../test-support/play-pages.js';

vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: 2 * LIMIT });

const { VLGYM_PAGES: folder, VLGYM_PAGES_ONLY: only = '' } = process.env;

/** One of each look. */
const REPRESENTATIVES = [
  'vlgym/Points24-v1',
  'vlgym/Blackjack-v1',
  'MiniWorld-PutNext-v0',
  'MiniGrid-DoorKey-6x6-v0',
  'BabyAI-MixedTrainLocal-v0',
  'Sokoban-small-v0',
  'vagen/Sokoban-v0',
  'vlgym/ALFWorld-v1',
  'vlgym/WebShop-v1',
];

/** One of every package, also of a package that is new. */
function someOfEach(): string[] {
  const moduleOf = (id: string) => findRegistration(id).module;
  const known = new Set(REPRESENTATIVES.map(moduleOf));
  const others = registeredIds().filter((id) => !known.has(moduleOf(id)) && known.add(moduleOf(id)));
  return [...REPRESENTATIVES, ...others];
}

/** `vlgym miniwob setup` fetches them. */
function lacksPages(id: string): boolean {
  try {
    pagesFolder();
    return false;
  } catch {
    return id.includes('MiniWoB');
  }
}
const needsPython = (id: string) => /Python|Thor/.test(id) && !originalPython();
const ids = folder === undefined ? someOfEach() : registeredIds().filter((id) => id.includes(only));
const without = chromium ? '' : ' (skipped: Chromium is missing)';

describe.skipIf(chromium === undefined)(`the page of an environment${without}`, () => {
  const pages = new PlayPages();
  let games: string[] = [];
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'vlgym-pages-'));
    games = await Promise.all(
      TASK_TYPES.slice(0, 2).map((taskType, seed) =>
        writeHousehold(home, generateHousehold({ split: 'train', taskType, seed })),
      ),
    );
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    await pages.open();
  });
  afterEach(async () => {
    await pages.endAll();
    expect(pages.faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await pages.close();
    await rm(home, { recursive: true, force: true });
  });

  /** The expert's action; without an expert, any. */
  async function anAction(page: Page) {
    if (!(await page.$('#hint:not([hidden])'))) return page.$('#pad button, #actions button');
    await page.click('#hint');
    await page.waitForFunction("document.querySelector('#advice').textContent !== ''");
    return page.$('#advice button');
  }

  /** A few steps, and how they look. */
  async function playOn(page: Page, id: string, into: string) {
    for (let step = 0; step < 3; step += 1) {
      const action = await anAction(page);
      if (!action) break;
      await nextScene(page, () => action.click());
      if ((await textOf(page, '#verdict strong')) !== '') break;
    }
    for (const { name, width, height } of SCREENS) {
      await page.setViewport({ width, height });
      await page.screenshot({ path: `${join(into, id.replaceAll('/', '-'))}.${name}-later.png`, fullPage: true });
    }
  }

  function optionsFor(id: string): object {
    if (id.startsWith('vlgym/WebShop')) return { catalog: { products: 300, seed: 1 } };
    return id.startsWith('alfworld/') ? { games } : {};
  }

  it.each(ids)('%s', async (id) => {
    if (needsPython(id) || lacksPages(id)) return;
    const page = await pages.play(id, { envOptions: optionsFor(id) });
    expect(await textOf(page, '#verdict strong')).toBe(''); // an environment that fails ends at once
    if (await page.$('#site:not([hidden])')) {
      await page.waitForFunction('document.querySelector("#site").dataset.turn === document.body.dataset.turn');
    }
    const findings = await findingsOn(page, async (screen, theme) => {
      if (folder === undefined) return;
      const path = `${join(folder, id.replaceAll('/', '-'))}.${screen}-${theme}.png` as const;
      await page.screenshot({ path, fullPage: true });
    });
    if (folder !== undefined) await playOn(page, id, folder);
    expect(findings).toEqual([]);
  });
});
