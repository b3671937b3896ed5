/**
 * An observation by BrowserGym's names, for agents that were written for it.
 *
 * Names follow `browsergym/core/env.py` (Apache-2.0). Where BrowserGym gives raw trees and leaves it to the agent to flatten
 * them, this gives the text: `axtree_txt`.
 */
import type { RgbImage } from '@vlgym/core';
import type { SiteInfo } from '../env/site-info.js';
import type { SiteObservation } from './site-observation.js';

export interface BrowserGymObservation {
  readonly goal: string;
  readonly goal_object: readonly { readonly type: 'text'; readonly text: string }[];
  readonly url: string;
  readonly open_pages_urls: readonly string[];
  readonly open_pages_titles: readonly string[];
  readonly active_page_index: readonly [number];
  readonly screenshot: RgbImage;
  /** Needs the option `accessibility`. */
  readonly axtree_txt: string;
  readonly extra_element_properties: Readonly<Record<string, ElementProperties>>;
  /** Empty if nothing is focused that can be used. */
  readonly focused_element_bid: string;
  readonly last_action: string;
  readonly last_action_error: string;
}

export interface ElementProperties {
  readonly visibility: number;
  /** x, y, width, height in CSS pixels of the page. */
  readonly bbox: readonly number[];
  readonly clickable: boolean;
  readonly set_of_marks: boolean;
}

/**
 * @param lastAction  The action before this observation; empty after `reset`.
 * @example
 * agent.act(browserGymObservation(observation, info, action));
 */
export function browserGymObservation(
  observation: SiteObservation,
  { instruction }: Pick<SiteInfo, 'instruction'>,
  lastAction = '',
): BrowserGymObservation {
  const { elements, tabs, url, screenshot, accessibility, lastError } = observation;
  const properties = elements.map(({ mark, box, visible, covered, role }): [string, ElementProperties] => [
    String(mark),
    {
      visibility: visible && covered === undefined ? 1 : 0,
      bbox: box,
      clickable: role !== 'region',
      set_of_marks: visible,
    },
  ]);
  const focused = elements.find((element) => element.focused);
  return {
    goal: instruction,
    goal_object: [{ type: 'text', text: instruction }],
    url,
    open_pages_urls: tabs.map((tab) => tab.url),
    open_pages_titles: tabs.map((tab) => tab.title),
    active_page_index: [tabs.findIndex(({ active }) => active)],
    screenshot,
    axtree_txt: accessibility,
    extra_element_properties: Object.fromEntries(properties),
    focused_element_bid: focused ? String(focused.mark) : '',
    last_action: lastAction,
    last_action_error: lastError,
  };
}
