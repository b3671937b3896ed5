/** Permissions of a browser page, and the options for reading it. */
import type { Page } from '@vlgym/chromium';
import type { DialogAnswer, GuardOptions, ShownDialog } from './guard-page.js';
import type { PageChannel } from './page-channel.js';

export interface BrowserPageOptions {
  /** Origins that the page may open, e.g. `http://127.0.0.1:8080`. */
  readonly origins: readonly string[];
  /** Expression that reads the page, e.g. `LIVE_SITE`. */
  readonly view: string;
  readonly width: number;
  readonly height: number;
  /** Whether screenshots will be taken; default true. Steps of a page that is not drawn cost Chromium less. */
  readonly drawn?: boolean;
  /** Milliseconds until a page counts as lost. */
  readonly timeout: number;
  /** Longest wait for open requests before the page is read, in milliseconds. Without it, requests are not awaited. */
  readonly patience?: number;
  /**
   * Function of the page's scripts that runs their own clock, where they have one: it is called after an input, and with the
   * milliseconds of a wait. The page is read when it has ended, without waiting for frames or requests.
   */
  readonly clock?: string | undefined;
  /**
   * Expression that settles when the effect of an input is shown, for pages whose scripts know; where it is `undefined`, and
   * without it, one frame is waited for.
   */
  readonly shown?: string;
  /** The view runs in a world separate from the page's scripts, which then see nothing of it. */
  readonly isolated?: boolean;
  /** Takes up a window that the page opened; without it, links open here, and windows are counted and closed. */
  readonly onPopup?: (popup: Page) => Promise<void>;
  /** Answers an allowed request from memory; what it leaves (`undefined`) goes to the network. */
  readonly answer?: GuardOptions['answer'];
  /** Takes questions of the page's script. */
  readonly channel?: PageChannel;
  /** Answers a dialog; without it, all are dismissed. */
  readonly onDialog?: (dialog: ShownDialog) => DialogAnswer;
}
