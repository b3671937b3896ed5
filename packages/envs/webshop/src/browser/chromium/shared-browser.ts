/** One Chromium for all environments of the process. It ends with the last of them; after a crash, another is started. */
import type { Socket } from 'node:net';
import type { Browser } from 'puppeteer-core';
import { within } from '../page/page-lost.js';
import { findChromium } from './find-chromium.js';
import { ChromiumLaunchError, startOutput } from './launch-error.js';
import { loadPuppeteer } from './load-puppeteer.js';
import { withProfile } from './profile.js';

export interface LaunchOptions {
  readonly executablePath?: string | undefined;
  /** Chromium's own sandbox; default false, because containers rarely allow it. */
  readonly sandbox?: boolean | undefined;
  /** Episodes, over all environments, that one browser serves; default 1000. */
  readonly restartAfter?: number | undefined;
  /**
   * Draws a frame when it is asked for, not at the next of 60 per second; default false. Only for pages that are drawn and do not animate:
   * others would draw without end.
   */
  readonly framesAtOnce?: boolean | undefined;
}

interface Shared {
  readonly browser: Promise<Browser>;
  users: number;
  episodes: number;
}

const running = new Map<string, Shared>();

const FLAGS = [
  '--disable-dev-shm-usage',
  '--disable-gpu',
  // Saves a process; pictures are drawn without a GPU either way.
  ...(process.platform === 'linux' ? ['--in-process-gpu'] : []),
  '--hide-scrollbars',
  '--force-device-scale-factor=1',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-smooth-scrolling',
  // A partly redrawn tile can differ by a bit from one drawn as a whole.
  '--disable-partial-raster',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[
    // A spare process, cached pages, and a suggestion process per window cost memory and time.
    'SpareRendererForSitePerProcess',
    'BackForwardCache',
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
    'PreloadTopChromeWebUI',
    'Translate',
    'PaintHolding',
    'MediaRouter',
    'OptimizationHints',
    // Asks a Google server about every form.
    'AutofillServerCommunication',
  ]}`,
  // Pages reach only what their proxy allows: Chromium resolves no names and sends nothing over UDP.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-extensions',
  '--no-first-run',
  '--no-default-browser-check',
];

export interface BrowserLease {
  readonly browser: Browser;
  /** Counts an episode; false if this browser has served enough of them. */
  beginEpisode(): boolean;
  /** Gives the browser back; the last user closes it. @param broken  The browser must no longer be shared. */
  release(broken?: boolean): Promise<void>;
}

/** @throws {ChromiumMissingError | ChromiumLaunchError} */
export async function leaseBrowser(options: LaunchOptions = {}): Promise<BrowserLease> {
  const { executablePath, sandbox = false, restartAfter = 1000, framesAtOnce = false } = options;
  const path = findChromium({ executablePath });
  const flags = [
    ...FLAGS,
    ...(sandbox ? [] : ['--no-sandbox']),
    ...(framesAtOnce ? ['--disable-frame-rate-limit'] : []),
  ];
  const key = JSON.stringify([path, flags]);
  let shared = running.get(key);
  if (!shared) {
    shared = { browser: launch(path, flags), users: 0, episodes: 0 };
    running.set(key, shared);
  }
  const current = shared;
  const forget = () => {
    if (running.get(key) === current) running.delete(key);
  };
  current.users += 1;
  current.episodes += 1; // a lease starts with an episode
  try {
    const browser = await current.browser;
    browser.once('disconnected', forget);
    if (!browser.connected) forget();
    return {
      browser,
      beginEpisode() {
        current.episodes += 1;
        return current.episodes <= restartAfter;
      },
      async release(broken = false) {
        current.users -= 1;
        if (broken) forget();
        if (current.users > 0) return;
        forget();
        if (!(await within(3000, browser.close()))) browser.process()?.kill('SIGKILL'); // it hangs
      },
    };
  } catch (error) {
    current.users -= 1;
    forget();
    throw error;
  }
}

async function launch(executablePath: string, args: string[]): Promise<Browser> {
  const puppeteer = await loadPuppeteer();
  try {
    const browser = await withProfile((userDataDir) =>
      puppeteer.launch({
        executablePath,
        userDataDir,
        headless: true,
        pipe: true, // cheaper than a socket, and closes with this process
        args,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      }),
    );
    letNodeEnd(browser);
    return browser;
  } catch (cause) {
    throw new ChromiumLaunchError(executablePath, await startOutput(executablePath, args), cause);
  }
}

/** An idle browser that nobody closed ends with this process. Calls hold Node by themselves: each has a time limit. */
function letNodeEnd(browser: Browser): void {
  const child = browser.process();
  child?.unref();
  for (const stream of child?.stdio ?? []) (stream as Partial<Socket> | null | undefined)?.unref?.();
}
