import type { Browser } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { findChromium } from './find-chromium.js';
import { RetainedPage } from './retained-page.js';

function hasChromium(): boolean {
  try {
    return findChromium({}) !== '';
  } catch {
    return false;
  }
}

it.skipIf(!hasChromium())('closes Chromium when the start of an episode throws', async () => {
  let browser: Browser | undefined;
  const page = new RetainedPage({}, async (lease) => {
    browser = lease.browser;
    throw new Error('the server of the site is gone');
  });
  await expect(page.dropOnError(() => page.ensureOpen())).rejects.toThrow('the server of the site is gone');
  expect(browser?.connected).toBe(false);
});
