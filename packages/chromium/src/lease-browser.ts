/** One Chromium for all pages of the process. It ends with the last of them; after a crash, another is started. */
import { checkNames, names } from '@vlgym/core/internal';
import type { Browser } from 'puppeteer-core';
import { findChromium } from './find-chromium.js';
import { ChromiumLaunchError, startOutput } from './launch-error.js';
import { withProfile } from './profile.js';
import { within } from './within.js';

export interface LeaseOptions {
  readonly executablePath?: string | undefined;
  /** Chromium's own sandbox; default false, because containers rarely allow it. */
  readonly sandbox?: boolean | undefined;
  /** Episodes, over all users, that one browser serves; default 1000. */
  readonly restartAfter?: number | undefined;
  /** Added to those that every browser gets, which make pictures equal on all machines and keep it silent. */
  readonly flags?: readonly string[] | undefined;
}

const LEASE_OPTIONS = names<LeaseOptions>({ executablePath: 0, sandbox: 0, restartAfter: 0, flags: 0 });

export interface BrowserLease {
  readonly browser: Browser;
  /** Counts an episode; false if this browser has served enough of them. */
  beginEpisode(): boolean;
  /** Gives the browser back; the last user closes it. @param broken  The browser must no longer be shared. */
  release(broken?: boolean): Promise<void>;
}

const FLAGS = [
  '--disable-dev-shm-usage',
  // the same picture on every machine: drawn by the processor, colors as they are
  '--disable-gpu',
  '--force-device-scale-factor=1',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
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
  // Pages send nothing over UDP.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-extensions',
  '--no-first-run',
  '--no-default-browser-check',
];

interface Shared {
  readonly path: string;
  readonly flags: string;
  readonly browser: Promise<Browser>;
  users: number;
  episodes: number;
}

const running = new Set<Shared>();

/**
 * A browser that is shared with all who lease one with the same options.
 *
 * @throws {ChromiumMissingError | ChromiumLaunchError}
 */
export async function leaseBrowser(options: LeaseOptions = {}): Promise<BrowserLease> {
  checkNames('options', options, LEASE_OPTIONS);
  const { executablePath, sandbox = false, restartAfter = 1000, flags = [] } = options;
  const path = findChromium({ executablePath });
  const args = [...FLAGS, ...flags, ...(sandbox ? [] : ['--no-sandbox'])];
  const found = [...running].find((each) => each.path === path && each.flags === `${args}`);
  const current = found ?? { path, flags: `${args}`, browser: start(path, args), users: 0, episodes: 0 };
  running.add(current);
  current.users += 1;
  current.episodes += 1; // a lease starts with an episode
  try {
    const browser = await current.browser;
    browser.once('disconnected', () => running.delete(current));
    if (!browser.connected) running.delete(current);
    return {
      browser,
      beginEpisode() {
        current.episodes += 1;
        return current.episodes <= restartAfter;
      },
      async release(broken = false) {
        current.users -= 1;
        if (broken) running.delete(current);
        if (current.users > 0) return;
        running.delete(current);
        if (!(await within(3000, browser.close()))) browser.process()?.kill('SIGKILL'); // it hangs
      },
    };
  } catch (error) {
    current.users -= 1;
    running.delete(current);
    throw error;
  }
}

async function start(executablePath: string, args: string[]): Promise<Browser> {
  const { launch } = await import('./puppeteer.js');
  // a pipe is cheaper than a socket, no page can reach it, and it closes with this process
  const fixed = { headless: true, pipe: true, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false } as const;
  try {
    const browser = await withProfile((userDataDir) => launch({ executablePath, userDataDir, args, ...fixed }));
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
  for (const stream of child?.stdio ?? []) (stream as { unref?(): void } | null | undefined)?.unref?.();
}
