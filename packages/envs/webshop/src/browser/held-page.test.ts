import type { Browser } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { findChromium } from './find-chromium.js';
import { HeldPage } from './held-page.js';

function hasChromium(): boolean {
  try {
    return findChromium({}) !== '';
  } catch {
    return false;
  }
}

it.skipIf(!hasChromium())('ends Chromium when the beginning of an episode throws', async () => {
  let browser: Browser | undefined;
  const held = new HeldPage({}, async (lease) => {
    browser = lease.browser;
    throw new Error('the server of the site is gone');
  });
  await expect(held.orDrop(() => held.opened())).rejects.toThrow('the server of the site is gone');
  expect(browser?.connected).toBe(false);
});
