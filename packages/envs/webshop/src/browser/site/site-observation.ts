/** The observation of a web site: like that of the shop's pages, with the state of elements, the title, tabs and dialogs. */
import { spaces } from '@vlgym/core';
import { z } from 'zod';
import { plainText } from '../../shop/observe.js';
import type { ShownDialog } from '../page/guard-page.js';
import { type BrowserObservation, type PageOptions, pageSpaces, pictureOf } from '../page/page-observation.js';
import { siteAccessibility } from './site-accessibility.js';
import type { LiveSite, SiteElement } from './site-view.js';
import type { Tab, Tabs } from './tabs.js';

export interface AnsweredDialog extends ShownDialog {
  readonly accepted: boolean;
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

export function siteObservationSpace(options: PageOptions) {
  return spaces.dict({
    ...pageSpaces(options),
    title: spaces.text({ minLength: 0, maxLength: 1_000_000 }),
    elements: spaces.json(z.array(elementSchema)),
    tabs: spaces.json(z.array(tabSchema)),
    dialogs: spaces.json(z.array(dialogSchema)),
  }) as unknown as ReturnType<typeof spaces.json<z.ZodType<SiteObservation>>>;
}

/** @throws {PageLostError} */
export async function observeSite(
  tabs: Tabs,
  options: PageOptions,
  dialogs: readonly AnsweredDialog[],
  lastError: string,
): Promise<SiteObservation> {
  const { page } = tabs;
  const live = await page.read<LiveSite>();
  return {
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
