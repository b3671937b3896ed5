/** Keeps a page on its site: blocks and counts other requests, answers dialogs, reports navigations and windows. */
import type { CDPSession, Dialog, HTTPRequest, Page, ResponseForRequest } from '@vlgym/chromium';
import type { PageState } from './page-state.js';

export interface GuardOptions {
  /** Origins that the page may open, e.g. `http://127.0.0.1:8080`. */
  readonly origins: readonly string[];
  /** Open links that ask for a new window in this one. */
  readonly sameWindow: boolean;
  /** The page is about to open a window. */
  readonly onWindow: () => void;
  /** Answers an allowed request from memory; what it leaves (`undefined`) goes to the network. */
  readonly answer?: (request: HTTPRequest) => Promise<Partial<ResponseForRequest> | undefined>;
  /** Without it, dialogs are dismissed. */
  readonly onDialog?: (dialog: ShownDialog) => DialogAnswer;
}

export interface ShownDialog {
  readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
}

export interface DialogAnswer {
  readonly accept: boolean;
  /** For a prompt. */
  readonly text?: string;
}

const SAME_WINDOW = `addEventListener('click', ({ target }) => {
  target.closest?.('a[target]')?.removeAttribute('target');
}, true);`;

export async function guardPage(
  page: Page,
  client: CDPSession,
  state: PageState,
  { origins, sameWindow, onWindow, answer, onDialog }: GuardOptions,
): Promise<void> {
  await client.send('Page.enable');
  const mainFrame = (await client.send('Page.getFrameTree')).frameTree.frame.id;
  const onNavigation = ({ frameId }: { frameId: string }) => {
    if (frameId === mainFrame) state.beginNavigation();
  };
  // The page sends these before it answers any later question.
  client.on('Page.frameScheduledNavigation', onNavigation);
  client.on('Page.frameRequestedNavigation', onNavigation);
  page.on('load', () => state.endNavigation());
  page.on('requestfailed', (request) => {
    if (request.isNavigationRequest()) state.endNavigation();
  });
  if (sameWindow) await page.evaluateOnNewDocument(SAME_WINDOW);
  await page.setRequestInterception(true);
  await page.setCacheEnabled(true); // for style and script
  page.on('request', (request) => void allowOrBlock(request, page, state, origins, answer));
  page.on('error', () => state.lose('it crashed'));
  page.on('close', () => state.lose('it was closed'));
  page.on('dialog', (dialog) => void answerDialog(dialog, onDialog).catch(() => undefined));
  client.on('Page.windowOpen', onWindow);
  // Requests blocked by the content security policy are never sent; the log reports them.
  client.on('Log.entryAdded', ({ entry }) => {
    if (entry.source === 'security' && entry.text.includes('Content Security Policy')) state.blockedRequests += 1;
  });
  await client.send('Log.enable');
  page.browser().once('disconnected', () => state.lose('its browser ended'));
}

async function answerDialog(dialog: Dialog, onDialog: GuardOptions['onDialog']): Promise<void> {
  const shown = { type: dialog.type() as ShownDialog['type'], message: dialog.message() };
  const answer = onDialog?.(shown) ?? { accept: false };
  await (answer.accept ? dialog.accept(answer.text) : dialog.dismiss());
}

async function allowOrBlock(
  request: HTTPRequest,
  page: Page,
  state: PageState,
  origins: readonly string[],
  answer: GuardOptions['answer'],
): Promise<void> {
  const url = request.url();
  const allowed = origins.some((origin) => url.startsWith(`${origin}/`)) || /^(data|blob):/.test(url);
  const navigation = request.isNavigationRequest() && request.frame() === page.mainFrame();
  try {
    if (allowed) {
      if (navigation) state.beginNavigation();
      const answered = await answer?.(request);
      await (answered ? request.respond(answered) : request.continue());
      return;
    }
    state.blockedRequests += 1;
    // An answer without content ends the navigation, and the page stays.
    await (navigation ? request.respond({ status: 204 }) : request.abort('blockedbyclient'));
    if (navigation) state.endNavigation();
  } catch {
    // The page went away in the meantime.
  }
}
