import type { Browser } from '@vlgym/chromium';
import { expect, it } from 'vitest';
import { CHROMIUM, NEEDS_CHROMIUM } from '../../test-support/chromium.js';
import { RetainedPage } from './retained-page.js';

it.skipIf(!CHROMIUM)(`closes Chromium when the start of an episode throws${NEEDS_CHROMIUM}`, async () => {
  let browser: Browser | undefined;
  const page = new RetainedPage({}, async (lease) => {
    browser = lease.browser;
    throw new Error('the server of the site is gone');
  });
  await expect(page.dropOnError(() => page.ensureOpen())).rejects.toThrow('the server of the site is gone');
  expect(browser?.connected).toBe(false);
});
