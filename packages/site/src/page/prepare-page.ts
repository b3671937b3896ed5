import type { CDPSession, Page } from '@vlgym/chromium';
import type { BrowserPageOptions } from './browser-page-options.js';
import { guardPage } from './guard-page.js';
import { openChannel } from './page-channel.js';
import type { PageState } from './page-state.js';
import type { Windows } from './windows.js';

/** Configures a page: size, timeout, and the restriction to its site. */
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
  if (patience !== undefined) {
    // In the session of the view: the page reports its requests before it answers a later question.
    client.on('Network.requestWillBeSent', () => {
      state.sentRequests += 1;
    });
    await client.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
  }
  // Scripts see a page in front, with its focus.
  if (drawn === false) await client.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  if (channel) await openChannel(client, channel);
  return client;
}
