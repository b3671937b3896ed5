/** The observation of a browser page, and the options that select its parts. */
import { type RgbImage, spaces } from '@vlgym/core';
import { z } from 'zod';
import { accessibilityText } from './accessibility.js';
import type { BrowserPage } from './browser-page.js';
import type { LivePage, MarkedElement } from './live-page.js';
import { drawMarks } from './marks.js';
import { plainText } from './page-text.js';

export interface BrowserObservation {
  /** The window, or the page from its top; black if `screenshot` is off. */
  readonly screenshot: RgbImage;
  /** Text of the page. */
  readonly text: string;
  /** Address of the page; for pages of the shop, without the origin. */
  readonly url: string;
  /** Indented lines; empty if `accessibility` is off. */
  readonly accessibility: string;
  readonly elements: MarkedElement[];
  /** The reason why the last action was not performed; empty if it was. */
  readonly lastError: string;
}

/** Options that every browser environment shares. */
export const pageOptions = {
  width: z.number().int().min(320).max(2560).default(1280),
  height: z.number().int().min(240).max(4096).default(720),
  screenshot: z.union([z.boolean(), z.literal('page')]).default(true),
  pageHeight: z.number().int().min(240).max(8192).default(3000),
  accessibility: z.boolean().default(false),
  marks: z.boolean().default(false),
  timeout: z.number().int().min(100).max(120_000).default(15_000),
  executablePath: z.string().min(1).optional(),
  sandbox: z.boolean().optional(),
  restartAfter: z.number().int().min(1).optional(),
  renderMode: z.enum(['rgb_array']).optional(),
};

export type PageOptions = z.output<ReturnType<typeof z.object<typeof pageOptions>>>;

const elementSchema = z.object({
  mark: z.number(),
  role: z.enum(['button', 'link', 'radio', 'checkbox', 'textbox', 'combobox']),
  name: z.string(),
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  visible: z.boolean(),
});

type TextSpace = ReturnType<typeof spaces.text>;

interface PageSpaces {
  readonly screenshot: ReturnType<typeof spaces.image>;
  readonly text: TextSpace;
  readonly url: TextSpace;
  readonly accessibility: TextSpace;
  readonly elements: ReturnType<typeof spaces.json<z.ZodArray<typeof elementSchema>>>;
  readonly lastError: TextSpace;
}

/** The parts that every page has. */
export function pageSpaces(options: PageOptions): PageSpaces {
  return {
    screenshot: spaces.image(sizeOf(options)),
    text: spaces.text({ minLength: 0, maxLength: 10_000_000 }),
    url: spaces.text({ minLength: 0, maxLength: 1_000_000 }),
    accessibility: spaces.text({ minLength: 0, maxLength: 10_000_000 }),
    elements: spaces.json(z.array(elementSchema)),
    lastError: spaces.text({ minLength: 0, maxLength: 10_000 }),
  };
}

export function pageObservationSpace(options: PageOptions) {
  return spaces.dict({ ...pageSpaces(options) }) as unknown as ReturnType<
    typeof spaces.json<z.ZodType<BrowserObservation>>
  >;
}

/** Size of the screenshot, pixels. */
function sizeOf({ screenshot, width, height, pageHeight }: PageOptions) {
  return { width, height: screenshot === 'page' ? pageHeight : height };
}

/** @param base  Origin to remove from the address. @throws {PageLostError} */
export async function observePage(
  page: BrowserPage,
  options: PageOptions,
  lastError: string,
  base = '',
): Promise<{ observation: BrowserObservation; live: LivePage }> {
  const live = await page.read();
  const observation: BrowserObservation = {
    screenshot: await pictureOf(page, live, options),
    text: plainText(live.tree),
    url: live.url.startsWith(`${base}/`) ? live.url.slice(base.length) : live.url,
    accessibility: options.accessibility ? accessibilityText(await page.accessibility()) : '',
    elements: [...live.elements],
    lastError,
  };
  return { observation, live };
}

/** The screenshot that the options ask for, with marks if they do. @throws {PageLostError} */
export async function pictureOf(
  page: BrowserPage,
  live: Pick<LivePage, 'elements' | 'scroll'>,
  options: PageOptions,
): Promise<RgbImage> {
  const { screenshot, marks, pageHeight } = options;
  const whole = screenshot === 'page';
  const picture = screenshot ? await page.screenshot(whole ? pageHeight : undefined) : blank(sizeOf(options));
  return marks ? markPicture(picture, live, whole) : picture;
}

/**
 * @param whole  The picture shows the page from its top, and not the window.
 * @param size  Pixels of a dot of the numbers; default: as in observations.
 */
export function markPicture(
  picture: RgbImage,
  { elements, scroll }: Pick<LivePage, 'elements' | 'scroll'>,
  whole: boolean,
  size?: number,
): RgbImage {
  const onPage = () => elements.map((element) => ({ ...element, visible: true }));
  return whole ? drawMarks(picture, onPage(), [0, 0], size) : drawMarks(picture, elements, scroll, size);
}

function blank({ width, height }: { width: number; height: number }): RgbImage {
  return { width, height, channels: 3, data: new Uint8Array(width * height * 3) };
}
