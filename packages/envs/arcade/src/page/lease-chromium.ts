/** Chromium as games need it, driven by puppeteer-core, which is loaded with the first page. */
import {
  type BrowserStart,
  type BrowserLease as Lease,
  type LeaseOptions,
  leaseBrowser,
  requirePuppeteer,
} from '@vlgym/chromium';
import type { Browser } from 'puppeteer-core';

export type BrowserLease = Lease<Browser>;

const FLAGS = [
  // a page behind others runs at full speed
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  // nothing leaves the browser: no name resolves, no address is dialed
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

/** @throws {PuppeteerMissingError} */
export const requireDriver = () => requirePuppeteer(import.meta.url, '@vlgym/arcade');

const launch = async (start: BrowserStart) => (await import('puppeteer-core')).default.launch(start);

/** @throws {ChromiumMissingError | ChromiumLaunchError} */
export const leaseChromium = (options: Pick<LeaseOptions, 'executablePath' | 'sandbox'>): Promise<BrowserLease> =>
  leaseBrowser({ ...options, flags: FLAGS }, launch);
