/** The page as people meet it: the rules, refusals before they cost, steps taken back, the end, phones, screen readers. */
import { BaseEnv, type RenderMode, register, spaces } from '@vlgym/core';
import { readTrajectories, replay, type Trajectory } from '@vlgym/core/trajectory';
import type { Page } from 'puppeteer-core';
import '../environments.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromium, LIMIT, nextScene, PlayPages, textOf } from '../../test-support/play-pages.js';

vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: 2 * LIMIT });

/** Has a picture, and words only in its text mode. */
class LampEnv extends BaseEnv<{ picture: object; text: string }, number> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'] } as const;
  readonly observationSpace = spaces.dict({
    picture: spaces.image({ height: 8, width: 16 }),
    text: spaces.text({ maxLength: 20 }),
  });
  readonly actionSpace = spaces.discrete(2, { labels: ['switch', 'wait'] });
  #lit = false;
  #picture = () => ({
    data: new Uint8Array(8 * 16 * 3).fill(this.#lit ? 250 : 20),
    height: 8,
    width: 16,
    channels: 3 as const,
  });
  reset() {
    this.#lit = false;
    return { observation: { picture: this.#picture(), text: 'a lamp' }, info: {} };
  }
  step(action: number) {
    if (action === 0) this.#lit = !this.#lit;
    const observation = { picture: this.#picture(), text: 'a lamp' };
    return { observation, reward: 0, terminated: false, truncated: false, info: {} };
  }
  override render() {
    return this.renderMode === 'ansi' ? `The lamp is ${this.#lit ? 'on' : 'off'}.` : this.#picture();
  }
  snapshot() {
    return { kind: 'lamp/1', state: this.#lit };
  }
  restore({ state }: { readonly state: unknown }) {
    this.#lit = state === true;
  }
}

register({
  id: 'test/Lamp-v0',
  title: 'A lamp',
  entryPoint: (options: { renderMode?: RenderMode }) => new LampEnv(options),
});

const title = chromium ? 'a person at the page' : 'a person at the page (skipped: Chromium is missing)';

describe.skipIf(chromium === undefined)(title, () => {
  const pages = new PlayPages();
  beforeAll(() => pages.open());
  afterEach(async () => {
    await pages.endAll();
    expect(pages.faults).toEqual([]);
  });
  afterAll(() => pages.close());

  const label = (page: Page) => page.$eval('#eye canvas', (canvas) => canvas.getAttribute('aria-label') ?? '');
  const press = (page: Page, action: string) => page.click(`[data-action="${action}"]`);
  const points24 = (record?: string) =>
    pages.play('vlgym/Points24-v1', { envOptions: { solvableOnly: true }, ...(record && { record }) });

  it('reads goal, rules and score before the first step, under the name of the game, with the step and its limit', async () => {
    const page = await points24();
    expect(await textOf(page, 'h1')).toBe('Points24');
    expect(await page.title()).toBe('Points24 · vlgym play');
    expect(await textOf(page, '#task')).toBe('Make 24 from the four cards.');
    expect(await textOf(page, '#guide')).toMatch(/all four cards that makes 24.*J, Q and K count as 10.*gives 10/s);
    expect(await textOf(page, '#step')).toBe('0 of 20');
  });

  it('is told why an entry is not allowed before it costs anything, and can insist', async () => {
    const page = await points24();
    const counts = (await label(page)).match(/they count ([\d, and]+)/)![1]!;
    const absent = ['2', '3', '6', '7'].find((entry) => !counts.includes(entry))!;
    await press(page, absent);
    await page.waitForSelector('#note:not([hidden])');
    expect(await textOf(page, '#note')).toMatch(`No card that is left counts ${absent}`);
    expect(await textOf(page, '#step')).toBe('0 of 20');
    await nextScene(page, () => page.click('#anyway'));
    expect([await textOf(page, '#step'), await textOf(page, '#return')]).toEqual(['1 of 20', '-1']);
    expect(await textOf(page, '#note')).toMatch(`No card that is left counts ${absent}`); // still said after the step
  });

  it('takes steps back, also the last, and the recording can be replayed', async () => {
    const page = await points24('taken-back');
    const start = await label(page);
    await nextScene(page, () => press(page, '('));
    const open = await label(page);
    await nextScene(page, () => press(page, '='));
    expect(await page.$eval('#verdict', ({ className }) => className)).toBe('lost');
    expect(await textOf(page, '#ending')).toBe('( is not a complete formula.');
    await nextScene(page, () => page.click('#undo'));
    expect([await label(page), await textOf(page, '#step')]).toEqual([open, '1 of 20']);
    await nextScene(page, () => page.keyboard.press('Backspace'));
    expect([await label(page), await textOf(page, '#step')]).toEqual([start, '0 of 20']);
    expect(await page.$eval('#undo', (button) => (button as unknown as { hidden: boolean }).hidden)).toBe(true);
    while ((await textOf(page, '#verdict strong')) === '') {
      await page.click('#hint');
      await page.waitForSelector('#advice button');
      await nextScene(page, () => page.click('#advice button'));
    }
    expect(await page.$eval('#verdict', ({ className }) => className)).toBe('won');
    expect(await textOf(page, '#ending')).toMatch(/ is 24, and every card is used\.$/);
    await pages.endAll();
    const episodes: Trajectory[] = [];
    for await (const episode of readTrajectories(pages.folder('taken-back'))) episodes.push(episode);
    expect(episodes.map(({ outcome }) => outcome.success)).toEqual([false, false, true]);
    for (const episode of episodes) expect(await replay(episode)).toMatchObject({ ok: true });
  });

  it("sees the dealer's cards at the end of Blackjack, and reads them", async () => {
    const page = await pages.play('vlgym/Blackjack-v1');
    const drawing = () =>
      page.$eval('#eye canvas', (canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
    const before = await drawing();
    await nextScene(page, () => press(page, 'stand'));
    expect(await drawing()).not.toBe(before);
    expect(await textOf(page, '#ending')).toMatch(/The dealer has .+ and .+: \d+\./);
  });

  it('hears the state: in words of the environment, or of its text mode from its snapshots', async () => {
    const page = await pages.play('test/Lamp-v0');
    expect(await label(page)).toBe('The lamp is off.');
    expect(await textOf(page, '#talk')).toBe('a lamp'); // the text next to the picture of an observation
    await nextScene(page, () => press(page, 'switch'));
    expect(await label(page)).toBe('The lamp is on.');
    expect(await textOf(page, '#news')).toBe('switch. Reward 0, score 0. Step 1. The lamp is on.');
  });

  it('finds a pad of arrows on a phone, where a game is steered with arrow keys', async () => {
    const page = await pages.play('MiniWorld-PutNext-v0', { envOptions: { windowWidth: 320, windowHeight: 240 } });
    await page.setViewport({ width: 390, height: 844 });
    expect(await page.$$eval('#pad button', (buttons) => buttons.map((button) => button.textContent))).toEqual([
      'turn left←',
      'turn right→',
      'move forward↑',
      'move back↓',
    ]);
  });
});
