/** A person at the page, in a real headless Chromium: keys, clicks, words, and what comes of them on disk. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyAgent, oracleAgent } from '@vlgym/agents';
import { installedChromium } from '@vlgym/chromium';
import { BaseEnv, register, spaces } from '@vlgym/core';
import { readTrajectories, replay, type Trajectory } from '@vlgym/core/trajectory';
import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import '../environments.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { playOnPage } from './on-page.js';

/** A browser takes as long as the machine lets it. */
const LIMIT = 120_000;
vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: 2 * LIMIT });

const chromium = installedChromium();

const HOSTILE = '</script><img src=x onerror="document.title=\'owned\'"><b id="injected">bold</b>';

/** Says hostile things wherever an environment can speak. */
class HostileEnv extends BaseEnv<string, string> {
  override readonly metadata = { renderModes: [] };
  readonly observationSpace = spaces.text({ maxLength: 1000 });
  readonly actionSpace = spaces.text({ maxLength: 1000 });
  reset() {
    return { observation: `seen: ${HOSTILE}`, info: { task: HOSTILE, rewardParts: { [HOSTILE]: 1 } } };
  }
  describeState() {
    return HOSTILE;
  }
  describeEnd() {
    return HOSTILE;
  }
  describeRefusal(action: string) {
    return action === 'refuse' ? HOSTILE : undefined;
  }
  step(action: string) {
    if (action === 'fail') throw new Error(`no ${HOSTILE} here`);
    return { ...this.reset(), reward: 1, terminated: true, truncated: false };
  }
}

const hostileGuide = { goal: HOSTILE, rules: HOSTILE, score: HOSTILE };
register({ id: 'test/HostileWords-v0', entryPoint: () => new HostileEnv(), guide: hostileGuide });

const title = chromium ? 'playing on the page' : 'playing on the page (skipped: Chromium is missing)';

describe.skipIf(chromium === undefined)(title, () => {
  let browser: Browser;
  let folder = '';
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vlgym-play-'));
    const args = ['--no-sandbox', '--disable-gpu'];
    browser = await puppeteer.launch({ executablePath: chromium!, args, timeout: LIMIT });
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(
    id: string,
    {
      seed = 3,
      envOptions = {},
      record,
      player,
    }: { seed?: number; envOptions?: object; record?: string; player?: AnyAgent } = {},
  ) {
    const stop = new AbortController();
    const said: string[] = [];
    const stdout = { write: (text: string) => said.push(text) > 0 };
    let over!: Promise<void>;
    const address = await new Promise<string>((onListening, reject) => {
      const options = { id, seed, envOptions: { ...envOptions }, stdout, signal: stop.signal, onListening };
      over = playOnPage({ ...options, ...(player && { player }), ...(record && { record: join(folder, record) }) });
      over.catch(reject);
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    await page.goto(address);
    await page.waitForFunction('document.body.dataset.turn !== undefined');
    const end = async () => {
      stop.abort();
      await over;
      expect(faults).toEqual([]);
      if (!page.isClosed()) await page.close();
    };
    ends.push(end);
    return { page, over, stop, said };
  }

  const text = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? '');

  /** Does something and waits for the scene that follows. */
  async function then(page: Page, doing: () => Promise<unknown>) {
    const turn = await page.evaluate('document.body.dataset.turn');
    await doing();
    await page.waitForFunction(`document.body.dataset.turn !== "${turn}"`);
  }

  async function recorded(name: string): Promise<Trajectory[]> {
    const episodes: Trajectory[] = [];
    for await (const episode of readTrajectories(join(folder, name))) episodes.push(episode);
    return episodes;
  }

  async function hint(page: Page): Promise<string> {
    await page.click('#hint');
    await page.waitForSelector('#advice button');
    return text(page, '#advice button');
  }

  const drawing = (page: Page, selector: string) =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)}).toDataURL()`);

  it('shows an agent at play step by step, with its thoughts in the log, and records it as that agent', async () => {
    const { page } = await open('vlgym/EZPoints-v1', { record: 'watched', player: oracleAgent() });
    expect(await text(page, '#who')).toBe('oracle plays');
    expect(await page.$$eval('#actions button', (buttons) => buttons.length)).toBe(0);
    while ((await text(page, '#verdict strong')) === '') await then(page, () => page.click('#one'));
    const [episode] = await recorded('watched');
    const lines = await page.$$eval('#log li', (items) => items.map((item) => item.textContent ?? ''));
    expect(lines).toHaveLength(episode!.steps.length);
    for (const [index, { actionText = '', thought = '' }] of episode!.steps.entries()) {
      expect(lines[index]).toContain(actionText);
      expect(lines[index]).toContain(thought);
    }
    expect(episode!.agent?.name).toBe('oracle');
    await page.setBypassCSP(true);
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const found = (await page.evaluate('axe.run(document)')) as { violations: { id: string; impact: string }[] };
    expect(found.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))).toEqual([]);
  });

  it('leads to the red box by keys alone, following the hints, while the map shows where one is', async () => {
    const { page, said } = await open('MiniWorld-OneRoomS6-v0', {
      record: 'miniworld',
      envOptions: { windowWidth: 320, windowHeight: 240 },
    });
    const keys = { 'turn left': 'ArrowLeft', 'turn right': 'ArrowRight', 'move forward': 'ArrowUp' } as const;
    const map = '[data-caption="map"] canvas';
    const maps = new Set([await drawing(page, map)]);
    const views = new Set([await drawing(page, '#eye canvas')]);
    while ((await text(page, '#verdict strong')) === '') {
      await page.keyboard.press('?');
      await page.waitForSelector('#advice button');
      const key = keys[(await text(page, '#advice button')) as keyof typeof keys];
      await then(page, () => page.keyboard.press(key));
      maps.add(await drawing(page, map));
      views.add(await drawing(page, '#eye canvas'));
    }
    const steps = Number.parseInt(await text(page, '#step'), 10);
    expect(maps.size).toBe(steps + 1);
    expect(views.size).toBe(steps + 1);
    expect(await text(page, '#verdict')).toMatch(/^Solved\. Return 0\.\d+ in/);
    expect(said.join('')).toContain(`in ${steps} steps.`);

    await then(page, () => page.keyboard.press('Enter')); // the next episode
    expect(await page.evaluate('document.querySelector("#seed").value')).toBe('4');
    expect(await text(page, '#step')).toBe('0 of 100');
    await ends.pop()!();
    const [first, second] = await recorded('miniworld');
    expect(first!.steps).toHaveLength(steps);
    expect(await replay(first!)).toMatchObject({ ok: true });
    expect(second).toMatchObject({ seed: 4, steps: [{ truncationReason: 'interrupted' }] });
  });

  it('plays a household task by clicking what can be done, or by typing a part of it', async () => {
    const { page } = await open('vlgym/ALFWorld-v1');
    expect(await text(page, '#task')).not.toBe('');
    const eye = '#eye:not([hidden]) canvas';
    await page.waitForSelector(eye);
    const before = await drawing(page, eye);
    const advice = await hint(page);
    await then(page, () => page.click(`#actions [data-action="${advice}"]`));
    expect(await text(page, '#talk .action')).toBe(advice);
    expect(await text(page, '#step')).toBe('1 of 50');
    expect(await page.evaluate(`document.querySelector(${JSON.stringify(eye)}).width`)).toBe(300);
    expect(await drawing(page, eye)).not.toBe(before);
    await page.type('#words', 'inven');
    await then(page, () => page.keyboard.press('Enter'));
    expect(await text(page, '#talk .now')).toMatch(/carrying/);
  });

  it('shops in the real pages: the reward comes with its parts, and is that of an agent', async () => {
    const { page } = await open('vlgym/WebShop-v1', {
      record: 'webshop',
      envOptions: { catalog: { products: 300, seed: 1 } },
    });
    const instruction = await text(page, '#task');
    const shop = async () => {
      await page.waitForFunction('document.querySelector("#site").dataset.turn === document.body.dataset.turn');
      return page.waitForFrame((frame) => frame.parentFrame() !== null);
    };
    const press = async (frame: Frame, selector: string) =>
      (await frame.waitForSelector(selector))!.evaluate((element) => (element as unknown as { click(): void }).click());
    for (let done = false; !done; done = (await text(page, '#verdict strong')) !== '') {
      const action = await hint(page);
      const [, kind, thing = ''] = /^(\w+)\[(.*)\]$/.exec(action)!;
      const frame = await shop();
      await then(page, async () => {
        if (kind === 'search') {
          await frame.type('#search_input', thing);
          return page.keyboard.press('Enter');
        }
        if (thing === 'buy now') return press(frame, '.purchase');
        const link = `a[data-asin="${thing.toUpperCase()}"]`;
        return press(frame, (await frame.$(link)) ? link : `input[value="${thing}" i]`);
      });
    }
    expect(await text(page, '#task')).toBe(instruction);
    expect(await text(page, '#verdict')).toMatch(
      /^Solved\. Return 1 in .*attributes(\S+) of \1.*price.*kind of product1$/,
    );
    expect(await (await shop()).evaluate('document.body.textContent')).toContain('Thank you for shopping');
    await ends.pop()!();
    const [episode] = await recorded('webshop');
    expect(await replay(episode!)).toMatchObject({ ok: true });
  });

  it('writes whatever an environment says as text', async () => {
    const { page } = await open('test/HostileWords-v0');
    expect(await text(page, '#task')).toBe(HOSTILE);
    expect(await text(page, '#talk .now')).toBe(`seen: ${HOSTILE}`);
    for (const selector of ['#goal', '#rules', '#costs']) expect(await text(page, selector)).toBe(HOSTILE);
    expect(await text(page, '#news')).toContain(HOSTILE);
    await page.type('#words', 'refuse');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#note:not([hidden])');
    expect(await text(page, '#note')).toBe(HOSTILE);
    await page.evaluate('document.querySelector("#words").value = ""');
    await page.type('#words', HOSTILE);
    await then(page, () => page.keyboard.press('Enter'));
    expect(await text(page, '#ending')).toBe(HOSTILE);
    expect(await text(page, '#talk .action')).toContain(HOSTILE);
    expect(await text(page, '#verdict dt')).toBe(HOSTILE);
    expect(await page.$('#injected')).toBeNull();
    expect(await page.title()).toBe('test/HostileWords-v0 · vlgym play');
  });

  it('says what does not fit, and stays', async () => {
    const { page } = await open('test/HostileWords-v0');
    await page.evaluate('document.querySelector("#words").value = "x".repeat(1001)');
    await page.focus('#words');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#note:not([hidden])');
    expect(await text(page, '#note')).toMatch(/^"x{60}…" is not an action here\.$/);
    expect(await text(page, '#step')).toBe('0');
  });

  it('says what has failed, and plays on; leaves an episode for another', async () => {
    const { page, said } = await open('test/HostileWords-v0', { record: 'failed' });
    await page.type('#words', 'fail');
    await then(page, () => page.keyboard.press('Enter'));
    expect(await text(page, '#verdict strong')).toContain(`no ${HOSTILE} here`);
    await then(page, () => page.click('#next'));
    expect(await page.evaluate('document.querySelector("#verdict").hidden')).toBe(true);
    await then(page, () => page.click('#next')); // in the middle
    await page.type('#words', 'yes');
    await then(page, () => page.keyboard.press('Enter'));
    expect(said.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'seed 3: Failed:',
      'seed 4: Left.',
      'seed 5: Solved.',
    ]);
    expect((await recorded('failed')).map(({ seed }) => seed)).toEqual([3, 4, 5]);
  });

  it('ends when the page is closed in the middle of an episode, and keeps what was played', async () => {
    const { page, over } = await open('vlgym/EZPoints-v1', { record: 'closed' });
    await then(page, () => page.keyboard.press('+'));
    await page.reload(); // a reload does not end the game
    await page.waitForFunction('document.querySelector("#step").textContent === "1 of 20"');
    await page.close();
    await over;
    const [episode] = await recorded('closed');
    expect(episode!.steps).toMatchObject([{ action: 10 }, { truncationReason: 'interrupted' }]);
  });

  it('says on the page that it has been stopped', async () => {
    const { page, over, stop } = await open('vlgym/EZPoints-v1');
    stop.abort();
    await over;
    await page.waitForSelector('#gone:not([hidden])');
  });
});
