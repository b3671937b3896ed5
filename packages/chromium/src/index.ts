/** @vlgym/chromium: one Chromium for all pages of a process, driven by the puppeteer-core that is inside this package. */

export type {
  Browser,
  BrowserContext,
  CDPSession,
  Dialog,
  HTTPRequest,
  KeyInput,
  MouseButton,
  Page,
  Protocol,
  ResponseForRequest,
  SerializedAXNode,
  Target,
} from 'puppeteer-core';
export { ChromiumMissingError, type FindOptions, findChromium, installedChromium } from './find-chromium.js';
export { ChromiumLaunchError } from './launch-error.js';
export { type BrowserLease, type LeaseOptions, leaseBrowser } from './lease-browser.js';
export { within } from './within.js';
