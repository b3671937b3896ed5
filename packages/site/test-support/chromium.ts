/** The installed Chromium; tests that need it are skipped without one. */
import { installedChromium } from '@vlgym/chromium';

export const CHROMIUM = installedChromium();
/** Suffix for titles of tests that are skipped without Chromium. */
export const NEEDS_CHROMIUM = CHROMIUM ? '' : ' (skipped: Chromium not found)';
