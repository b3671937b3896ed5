/** Chromium as pages need it. */
import { type BrowserLease, type LeaseOptions, leaseBrowser } from '@vlgym/chromium';

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

/** @throws {ChromiumMissingError | ChromiumLaunchError} */
export const leaseChromium = ({ framesAtOnce = false, ...options }: LaunchOptions = {}): Promise<BrowserLease> =>
  leaseBrowser({ ...options, flags: [...FLAGS, ...(framesAtOnce ? ['--disable-frame-rate-limit'] : [])] });
