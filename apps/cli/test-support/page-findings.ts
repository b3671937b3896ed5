/** The faults of a page on a desk and on a phone, in light and in dark: axe's serious findings, and what is cut off or too small. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const SCREENS = [
  { name: 'desk', width: 1280, height: 800 },
  { name: 'phone', width: 390, height: 844 },
] as const;
const THEMES = ['light', 'dark'] as const;

/** Pixels that a finger needs. */
const LEAST_HEIGHT = 40;
/** Height of a header of one row. */
const ONE_ROW = 62;

interface Violations {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** @param shown  Called on each screen in each theme, for a screenshot. */
export async function findingsOn(
  page: Page,
  shown: (screen: string, theme: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const findings = new Set<string>();
  await page.setBypassCSP(true);
  for (const { name, width, height } of SCREENS) {
    await page.setViewport({ width, height });
    for (const theme of THEMES) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      await page.evaluate(AXE);
      // the frame of a shop runs no script, so it is read in a test of its own
      const { violations } = (await page.evaluate('axe.run(document, { iframes: false })')) as Violations;
      for (const { id, impact, nodes } of violations) {
        if (['serious', 'critical'].includes(impact)) findings.add(`${name}, ${theme}: ${id} at ${nodes[0]!.target}`);
      }
      await shown(name, theme);
    }
    for (const finding of (await page.evaluate(LAYOUT)) as string[]) findings.add(`${name}: ${finding}`);
  }
  return [...findings];
}

const LAYOUT = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push('the page is ' + root.scrollWidth + ' pixels wide');
  const site = document.querySelector('#site');
  if (!site.hidden && site.contentDocument.documentElement.scrollWidth > site.clientWidth) found.push('the frame overflows');
  const shown = (each) => each.checkVisibility();
  for (const each of document.querySelectorAll('button, input:not([type=range]), select, summary')) {
    if (!shown(each)) continue;
    const { height } = each.getBoundingClientRect();
    if (height < ${LEAST_HEIGHT}) found.push('"' + each.textContent + '" is ' + height + ' pixels high');
    if (each.scrollWidth > each.clientWidth + 1) found.push('"' + each.textContent + '" does not fit its button');
  }
  const header = document.querySelector('header').getBoundingClientRect().height;
  if (header >= ${ONE_ROW}) found.push('the header has more than one row');
  const title = document.querySelector('h1');
  if (document.querySelector('#id').textContent.startsWith(title.textContent + ',')) found.push('the title is the id');
  // the box is the picture, so all its corners are round
  const canvas = document.querySelector('#eye canvas');
  if (shown(canvas)) {
    const { clientWidth, clientHeight, width, height } = canvas;
    if (Math.abs(clientWidth / clientHeight / (width / height) - 1) > 0.02) found.push('the picture is out of shape');
    if (clientWidth < Math.min(innerWidth - 40, 480) && clientHeight < innerHeight * 0.5) found.push('the picture is ' + clientWidth + ' pixels wide');
    const { top } = canvas.getBoundingClientRect();
    if (top + scrollY > innerHeight * 0.66) found.push('the picture begins at ' + Math.round(top + scrollY));
    if (canvas.ariaLabel === 'what the agent sees') found.push('the picture has no words');
  }
  if (document.querySelector('#guide').hidden) found.push('no guide');
  return found;
})()`;
