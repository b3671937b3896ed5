/** @vlgym/webshop/browser: the shop, or any web site, as pages in a real browser. Needs a Chromium. */
import type { KnownEnv } from '@vlgym/core';
import '../register.js';
import type { WebShopBrowserEnv } from './browser-env.js';
import type { WebShopBrowserOptions } from './browser-options.js';

// Declared here, so that the types of the text shop need no types of a browser.
declare module '@vlgym/core' {
  interface KnownEnvs {
    'vlgym/WebShopBrowser-v1': KnownEnv<WebShopBrowserEnv, WebShopBrowserOptions>;
    'vlgym/WebShopBrowser-v2': KnownEnv<WebShopBrowserEnv, WebShopBrowserOptions>;
  }
}

export { ChromiumLaunchError, ChromiumMissingError } from '@vlgym/chromium';
export type { BrowserDialogueStyle } from '../dialogue/browser-dialogue.js';
export { BROWSER_TOOLS, SITE_TOOLS } from '../dialogue/page-actions.js';
export type { Disturbance, Theme } from '../themes/theme.js';
export { WebShopBrowserEnv } from './browser-env.js';
export type { WebShopBrowserOptions } from './browser-options.js';
export type { BrowserInfo, SiteInfo } from './info.js';
export type { ElementRole, MarkedElement } from './page/live-page.js';
export type { BrowserObservation } from './page/page-observation.js';
export { type BrowserGymObservation, browserGymObservation, type ElementProperties } from './site/browsergym.js';
export { SiteActionSpace } from './site/site-action-space.js';
export { SITE_CALLS, type SiteAction } from './site/site-actions.js';
export type { AnsweredDialog, SiteObservation } from './site/site-observation.js';
export type { SiteElement } from './site/site-view.js';
export type { Tab } from './site/tabs.js';
export { SiteEnv, type SiteOptions } from './site-env.js';
export type { SiteLook, SiteTask, SiteVerdict } from './site-task.js';
