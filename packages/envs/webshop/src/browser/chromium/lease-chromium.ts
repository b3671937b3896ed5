/** Chromium as pages of shops and sites need it, driven by puppeteer-core, which is loaded with the first page. */
import {
  type BrowserStart,
  type BrowserLease as Lease,
  type LeaseOptions,
  leaseBrowser,
  requirePuppeteer,
} from '@vlgym/chromium';
import type { Browser } from 'puppeteer-core';

export type BrowserLease = Lease<Browser>;

export interface LaunchOptions extends Omit<LeaseOptions, 'flags'> {
  /**
   * Draws a frame when it is asked for, not at the next of 60 per second; default false. Only for pages that are drawn and do not animate:
   * others would draw endlessly.
   */
  readonly framesAtOnce?: boolean | undefined;
}

const FLAGS = [
  // Saves a process; pictures are drawn without a GPU either way.
  ...(process.platform === 'linux' ? ['--in-process-gpu'] : []),
  '--hide-scrollbars',
  '--disable-smooth-scrolling',
  // A partly redrawn tile can differ by a bit from one drawn as a whole.
  '--disable-partial-raster',
  // Pages reach only what their proxy allows: Chromium resolves no names.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

const INSTEAD = "'vlgym/WebShop-v1' plays the same shop as text and does not need it";

/** @throws {PuppeteerMissingError} */
export const requireDriver = () => requirePuppeteer(import.meta.url, '@vlgym/webshop', INSTEAD);

const launch = async (start: BrowserStart) => (await import('puppeteer-core')).default.launch(start);

/** @throws {ChromiumMissingError | ChromiumLaunchError} */
export const leaseChromium = ({ framesAtOnce = false, ...options }: LaunchOptions = {}): Promise<BrowserLease> =>
  leaseBrowser({ ...options, flags: [...FLAGS, ...(framesAtOnce ? ['--disable-frame-rate-limit'] : [])] }, launch);
