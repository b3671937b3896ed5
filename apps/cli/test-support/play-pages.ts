/** The play page in a real headless Chromium, for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyAgent } from '@vlgym/agents';
import { installedChromium } from '@vlgym/chromium';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { playOnPage } from '../src/play/on-page.js';

/** A browser takes as long as the machine lets it. */
export const LIMIT = 120_000;

export const chromium = installedChromium();

interface Opened {
  readonly seed?: number;
  readonly envOptions?: object;
  readonly record?: string;
  readonly player?: AnyAgent;
}

export class PlayPages {
  #browser: Browser | undefined;
  #folder = '';
  readonly #ends: (() => Promise<void>)[] = [];
  /** Errors and dialogs of the pages. */
  readonly faults: string[] = [];

  async open(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'vlgym-play-'));
    const args = ['--no-sandbox', '--disable-gpu'];
    this.#browser = await puppeteer.launch({ executablePath: chromium!, args, timeout: LIMIT });
  }

  folder(name: string): string {
    return join(this.#folder, name);
  }

  async play(id: string, { seed = 3, envOptions = {}, record, player }: Opened = {}): Promise<Page> {
    const stop = new AbortController();
    const stdout = { write: () => true };
    let over!: Promise<void>;
    const address = await new Promise<string>((onListening, reject) => {
      const options = { id, seed, envOptions: { ...envOptions }, stdout, signal: stop.signal, onListening };
      over = playOnPage({ ...options, ...(player && { player }), ...(record && { record: this.folder(record) }) });
      over.catch(reject);
    });
    const page = await this.#browser!.newPage();
    page.setDefaultTimeout(LIMIT);
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('dialog', (dialog) => this.faults.push(dialog.message()));
    await page.goto(address);
    await page.waitForFunction('document.body.dataset.turn !== undefined');
    this.#ends.push(async () => {
      stop.abort();
      await over;
      await page.close();
    });
    return page;
  }

  async endAll(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

export const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? '');

/** Does something and waits for the scene that follows. */
export async function nextScene(page: Page, doing: () => Promise<unknown>): Promise<void> {
  const turn = await page.evaluate('document.body.dataset.turn');
  await doing();
  await page.waitForFunction(`document.body.dataset.turn !== "${turn}"`);
}
