/** Actions for any page, performed with mouse and keyboard: `mark[7]`, `at[120,340]`, `type[words]`, … */
import type { KeyInput } from '@vlgym/chromium';
import type { BrowserPage } from './browser-page.js';
import type { MarkedElement } from './live-page.js';

export const KEYS: readonly string[] = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'ArrowUp',
  'ArrowDown',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Space',
];
/** Names of the actions in this file. */
export const INPUTS: ReadonlySet<string> = new Set(['mark', 'at', 'type', 'key', 'scroll', 'back']);
/** Pixels. */
const MAX_SCROLL = 10_000;

export interface InputAction {
  readonly name: string;
  /** As written: typed text keeps its case. */
  readonly argument: string;
}

/** The target of an input. */
export interface InputTarget {
  readonly elements: readonly MarkedElement[];
  /** The screenshot shows the whole page, so coordinates start at the top of the page. */
  readonly wholePage: boolean;
}

/** Reads `name[argument]` up to the last bracket, or a bare `back`; `undefined` for any other form. */
export function inputAction(action: string): InputAction | undefined {
  if (action.trim() === 'back') return { name: 'back', argument: '' };
  const [, name, argument] = /^\s*(\w+)\[([^\n]+)\]/.exec(action) ?? [];
  return name === undefined || argument === undefined ? undefined : { name, argument };
}

/** @returns Why nothing was done, or `undefined`. @throws {PageLostError} */
export async function input(
  page: BrowserPage,
  { name, argument }: InputAction,
  { elements, wholePage }: InputTarget,
): Promise<string | undefined> {
  switch (name) {
    case 'back':
      return (await page.back()) ? undefined : 'no page to go back to';
    case 'mark':
      return clickMark(page, Number(argument), elements);
    case 'at':
      return clickAt(page, argument, wholePage);
    case 'type':
      return page.act(async () => {
        await page.page.keyboard.type(argument);
        return undefined;
      });
    case 'key':
      return pressKey(page, argument);
    case 'scroll':
      return scroll(page, Number(argument));
    default:
      return `unknown action "${name.slice(0, 40)}"`;
  }
}

async function clickMark(
  page: BrowserPage,
  number: number,
  elements: readonly MarkedElement[],
): Promise<string | undefined> {
  const element = elements.find(({ mark }) => mark === number);
  if (!element) return `unknown mark ${number}`;
  const [x, y, width, height] = element.box;
  await clickOnPage(page, x + width / 2, y + height / 2);
  return undefined;
}

async function clickAt(page: BrowserPage, place: string, wholePage: boolean): Promise<string | undefined> {
  const match = /^\s*(\d{1,5})\s*,\s*(\d{1,5})\s*$/.exec(place);
  if (!match) return 'a place is at[x,y] in pixels of the screenshot';
  const [x, y] = [Number(match[1]), Number(match[2])];
  await (wholePage ? clickOnPage(page, x, y) : page.click(x, y));
  return undefined;
}

/** Clicks at CSS pixels from the top left of the page, scrolling there first if the place is outside the window. */
async function clickOnPage(page: BrowserPage, x: number, y: number): Promise<void> {
  await page.click(...(await scrollTo(page, x, y)));
}

/** Scrolls to CSS pixels from the top left of the page if they are outside the window. @returns The place in the window. */
export function scrollTo(page: BrowserPage, x: number, y: number): Promise<[number, number]> {
  return page.evaluate<[number, number]>(`(${SCROLL_TO})(${x}, ${y})`);
}

/** @returns The same place in coordinates of the window. */
const SCROLL_TO = `(x, y) => {
  const inside = x >= scrollX && x < scrollX + innerWidth && y >= scrollY && y < scrollY + innerHeight;
  if (!inside) scrollTo({ left: Math.round(x - innerWidth / 2), top: Math.round(y - innerHeight / 2), behavior: 'instant' });
  return [x - scrollX, y - scrollY];
}`;

async function pressKey(page: BrowserPage, name: string): Promise<string | undefined> {
  const known = KEYS.find((key) => key.toLowerCase() === name.toLowerCase());
  if (!known) return `a key is one of ${KEYS.join(', ')}`;
  await page.act(() => page.page.keyboard.press(known as KeyInput));
  return undefined;
}

async function scroll(page: BrowserPage, pixels: number): Promise<string | undefined> {
  if (!Number.isFinite(pixels)) return 'scroll[pixels] takes a number, negative to go up';
  const by = Math.max(-MAX_SCROLL, Math.min(MAX_SCROLL, Math.trunc(pixels)));
  await page.evaluate(`scrollBy(0, ${by})`);
  return undefined;
}
