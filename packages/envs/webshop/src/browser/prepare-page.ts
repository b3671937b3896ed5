/** A page before its first visit. */
import type { CDPSession, Page } from 'puppeteer-core';
import type { BrowserPageOptions } from './browser-page-options.js';
import { guardPage } from './guard-page.js';
import { openChannel } from './page-channel.js';
import type { PageState } from './page-state.js';
import type { Windows } from './windows.js';

/** Sets a page up: size, timeout, and what keeps it on its site. */
export async function preparePage(
  page: Page,
  state: PageState,
  windows: Windows,
  options: BrowserPageOptions,
): Promise<CDPSession> {
  const { width, height, timeout, origins, patience, onPopup, onDialog, answer, channel, drawn } = options;
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  page.setDefaultTimeout(timeout);
  const client = await page.createCDPSession();
  const sameWindow = patience !== undefined && onPopup === undefined;
  const onWindow = () => windows.announce();
  const more = { ...(answer && { answer }), ...(onDialog && { onDialog }) };
  await guardPage(page, client, state, { origins, sameWindow, onWindow, ...more });
  // Scripts see a page in front, with its focus.
  if (drawn === false) await client.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  if (channel) await openChannel(client, channel);
  return client;
}
