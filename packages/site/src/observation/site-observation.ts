/** The observation of a web site: that of a page, with the state of elements, the title, tabs and dialogs. */
import { type Generator, type RgbImage, spaces } from '@vlgym/core';
import { z } from 'zod';
import type { Tab, Tabs } from '../env/tabs.js';
import type { ShownDialog } from '../page/guard-page.js';
import {
  type BrowserObservation,
  markPicture,
  type PageOptions,
  pageSpaces,
  pictureOf,
} from '../page/page-observation.js';
import { plainText } from '../page/page-text.js';
import { siteAccessibility } from './site-accessibility.js';
import type { LiveSite, SiteElement } from './site-view.js';

export interface AnsweredDialog extends ShownDialog {
  readonly accepted: boolean;
}

/** An observation, and how far the page was scrolled at that time, CSS pixels. */
export interface SiteMoment {
  readonly observation: SiteObservation;
  readonly scroll: LiveSite['scroll'];
}

export interface SiteObservation extends BrowserObservation {
  readonly title: string;
  readonly elements: SiteElement[];
  readonly tabs: Tab[];
  /** Dialogs since the observation before, and how they were answered. */
  readonly dialogs: AnsweredDialog[];
}

const elementSchema = z.object({
  mark: z.number(),
  role: z.string(),
  name: z.string(),
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  visible: z.boolean(),
  type: z.string().optional(),
  value: z.string().optional(),
  checked: z.union([z.boolean(), z.literal('mixed')]).optional(),
  options: z.array(z.string()).optional(),
  selected: z.array(z.string()).optional(),
  focused: z.literal(true).optional(),
  disabled: z.literal(true).optional(),
  required: z.literal(true).optional(),
  expanded: z.boolean().optional(),
  covered: z.string().optional(),
});
const tabSchema = z.object({ url: z.string(), title: z.string(), active: z.boolean() });
const dialogSchema = z.object({
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
  accepted: z.boolean(),
});

/** None, or one link. */
const sampledElements = (generator: Generator): z.output<typeof elementSchema>[] =>
  generator.random() < 0.5 ? [] : [{ mark: 1, role: 'link', name: 'Home', box: [8, 8, 40, 18], visible: true }];

export function siteObservationSpace(options: PageOptions) {
  return spaces.dict({
    ...pageSpaces(options),
    title: spaces.text({ minLength: 0, maxLength: 1_000_000 }),
    elements: spaces.json(z.array(elementSchema), { sampler: sampledElements }),
    tabs: spaces.json(z.array(tabSchema), {
      sampler: () => [{ url: 'http://localhost/', title: 'Home', active: true }],
    }),
    dialogs: spaces.json(z.array(dialogSchema), { sampler: () => [] }),
  }) as unknown as ReturnType<typeof spaces.json<z.ZodType<SiteObservation>>>;
}

/** @throws {PageLostError} */
export async function observeSite(
  tabs: Tabs,
  options: PageOptions,
  dialogs: readonly AnsweredDialog[],
  lastError: string,
): Promise<SiteMoment> {
  const { page } = tabs;
  const live = await page.read<LiveSite>();
  const observation: SiteObservation = {
    screenshot: await pictureOf(page, live, options),
    text: plainText(live.tree),
    url: live.url,
    title: live.title,
    accessibility: options.accessibility ? await siteAccessibility(page, live.elements) : '',
    elements: [...live.elements],
    tabs: await tabs.list(),
    dialogs: [...dialogs],
    lastError,
  };
  return { observation, scroll: live.scroll };
}

/** Pixels of a dot of the numbers: pages are shown smaller than they are. */
const DOT_FOR_PEOPLE = 4;

/** The screenshot with the number of each element, also where observations have none. */
export function markedPicture({ observation, scroll }: SiteMoment, { marks, screenshot }: PageOptions): RgbImage {
  const picture = observation.screenshot;
  return marks || !screenshot
    ? picture
    : markPicture(picture, { ...observation, scroll }, screenshot === 'page', DOT_FOR_PEOPLE);
}

const TAKES_TEXT = new Set(['textbox', 'combobox', 'slider']);

/** Equal for observations between which no action had an effect. A focus counts if it is in a field. */
export function effectKey({ text, url, title, elements, tabs }: SiteObservation): string {
  const states = elements.map(({ visible: _, covered: __, focused, ...element }) => [
    element,
    focused === true && TAKES_TEXT.has(element.role),
  ]);
  // Boxes are relative to the page, so scrolling shows in what is visible.
  return JSON.stringify([text, url, title, states, elements.map(({ visible }) => visible), tabs]);
}
