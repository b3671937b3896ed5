/** Chromium as games need it. */
import { type BrowserLease, type LeaseOptions, leaseBrowser } from '@vlgym/chromium';

const FLAGS = [
  // a page behind others runs at full speed
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  // nothing leaves the browser: no name resolves, no address is dialed
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

/** @throws {ChromiumMissingError | ChromiumLaunchError} */
export const leaseChromium = (options: Pick<LeaseOptions, 'executablePath' | 'sandbox'>): Promise<BrowserLease> =>
  leaseBrowser({ ...options, flags: FLAGS });
