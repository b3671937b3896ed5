/** The dialogue of `SiteEnv`: any page in a browser, with mouse, keyboard, addresses and an answer. */
import type { Dialogue } from '@vlgym/core';
import type { SiteInfo } from '../env/site-info.js';
import type { SiteObservation } from '../observation/site-observation.js';
import { browserGymDialogue } from './browsergym-dialogue.js';
import { SITE_ACTIONS } from './page-actions.js';
import { pageDialogue } from './page-dialogue.js';
import { type DialogueStyle, FORMATS } from './styles.js';

export function siteDialogue(
  style: DialogueStyle | 'browsergym-v1',
  screenshot: boolean,
): Dialogue<SiteObservation, string, SiteInfo> {
  if (style === 'browsergym-v1') return browserGymDialogue(screenshot);
  return pageDialogue<SiteInfo>({
    version: `site/${style}`,
    format: FORMATS[style],
    actions: SITE_ACTIONS,
    opening: 'You are using a web site in a browser. Do what the instruction says, then stop.',
    screenshot,
    page: ({ elements }) => ({
      clickables: elements.map(({ name }) => name.trim().toLowerCase()),
      hasSearchBar: false,
    }),
  });
}
