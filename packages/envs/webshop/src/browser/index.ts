/** @vlgym/webshop/browser: the shop as pages in a real browser. Needs a Chromium. */
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
export type { BrowserObservation, ElementRole, MarkedElement } from '@vlgym/site/pages';
export { BROWSER_TOOLS } from '../dialogue/browser-actions.js';
export type { BrowserDialogueStyle } from '../dialogue/browser-dialogue.js';
export type { Disturbance, Theme } from '../themes/theme.js';
export { WebShopBrowserEnv } from './browser-env.js';
export type { WebShopBrowserOptions } from './browser-options.js';
export type { BrowserInfo } from './info.js';
