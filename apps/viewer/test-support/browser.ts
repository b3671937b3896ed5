/** A real headless Chromium that looks at folders through `vlgym view`, and the gestures of its reader. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { installedChromium } from '@vlgym/chromium';
import { type ViewerOptions, type Viewing, view } from '@vlgym/viewer';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

/** A browser takes as long as the machine lets it. */
const LIMIT = 60_000;

export const chromium = installedChromium();

export const BROWSER_ARGUMENTS = ['--no-sandbox', '--disable-gpu'];

export class Reader {
  readonly #browser: Browser;
  readonly #open: Viewing[] = [];
  /** Errors of pages, and dialogs that none should open. */
  readonly faults: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<Reader> {
    const args = BROWSER_ARGUMENTS;
    return new Reader(await puppeteer.launch({ executablePath: chromium!, args, timeout: LIMIT }));
  }

  /** @param fragment  With `#`, or a path below the address. */
  async see(options: ViewerOptions, { fragment = '', width = 1280, scheme = 'light' } = {}): Promise<Page> {
    const viewing = await view(options);
    this.#open.push(viewing);
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(LIMIT);
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('dialog', (dialog) => this.faults.push(dialog.message()));
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(`${viewing.address}${fragment}`);
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    for (const viewing of this.#open) await viewing.close();
  }
}

export const hasText = (page: Page, words: string, selector = 'main') =>
  page.waitForFunction(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(words)}))`,
  );

/** Chooses of a list once it is there. */
export async function choose(page: Page, selector: string, value: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.select(selector, value);
}

/** Clicks what a person would read; in one turn of the page, which may draw a list again at any time. */
export const press = (page: Page, words: string, selector = 'a, button, summary, label') =>
  page.waitForFunction(
    `(() => {
      const found = [...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent.includes(${JSON.stringify(words)}));
      if (!found || found.disabled) return false;
      found.click();
      return true;
    })()`,
  );

/** Serious findings of axe, and pixels that are wider than the page. */
export async function findingsOn(page: Page): Promise<readonly string[]> {
  await page.setBypassCSP(true);
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  const wider = (await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )) as number;
  return [
    ...serious.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`),
    ...(wider > 0 ? [`${wider} px too wide`] : []),
  ];
}
