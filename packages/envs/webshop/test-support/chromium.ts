/** The installed Chromium; tests that need it are skipped without one. */
import { findChromium } from '../src/browser/chromium/find-chromium.js';

function find(): string | undefined {
  try {
    return findChromium();
  } catch {
    return undefined;
  }
}

export const CHROMIUM = find();
/** Suffix for titles of tests that are skipped without Chromium. */
export const NEEDS_CHROMIUM = CHROMIUM ? '' : ' (skipped: Chromium not found)';
