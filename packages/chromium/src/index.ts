/**
 * @vlgym/chromium: one Chromium for all pages of a process.
 *
 * Speaks of browsers by their shape (`BrowserLike`), so that neither it nor its types need puppeteer-core.
 */
export type { BrowserLike, BrowserProcess, BrowserStart } from './browser-like.js';
export { ChromiumMissingError, type FindOptions, findChromium, installedChromium } from './find-chromium.js';
export { ChromiumLaunchError } from './launch-error.js';
export { type BrowserLease, type LeaseOptions, leaseBrowser } from './lease-browser.js';
export { PuppeteerMissingError, requirePuppeteer } from './require-puppeteer.js';
export { within } from './within.js';
