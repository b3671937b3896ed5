/** One Chromium for all environments of the process; it ends with the last of them, and a crashed one is started anew. */
import type { Browser } from 'puppeteer-core';
import { findChromium } from './find-chromium.js';
import { within } from './page-lost.js';
import { withProfile } from './profile.js';

export interface LaunchOptions {
  readonly executablePath?: string | undefined;
  /** Chromium's own sandbox; default false, because containers seldom allow it. */
  readonly sandbox?: boolean | undefined;
  /** Episodes of all environments together that one browser serves; default 1000. */
  readonly restartAfter?: number | undefined;
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
  // one process less; pictures are drawn without a GPU either way
  ...(process.platform === 'linux' ? ['--in-process-gpu'] : []),
  '--hide-scrollbars',
  '--force-device-scale-factor=1',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-smooth-scrolling',
  // what is drawn new in a part of a tile differs by a bit from what is drawn as a whole
  '--disable-partial-raster',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[
    // a spare process, kept pages and one more process per window for suggestions would cost memory and time
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
    // asks a server of Google's about every form
    'AutofillServerCommunication',
  ]}`,
  // pages reach what their gate lets them reach, and nothing past it: no name is looked up here, and nothing is sent by UDP
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-extensions',
  '--no-first-run',
  '--no-default-browser-check',
];

export interface BrowserLease {
  readonly browser: Browser;
  /** Counts an episode; false where this browser has served as many as it should. */
  beginEpisode(): boolean;
  /** Gives the browser back; the last one closes it. @param broken  Nobody else shall get it. */
  release(broken?: boolean): Promise<void>;
}

/** @throws {ChromiumMissingError} */
export async function leaseBrowser(options: LaunchOptions = {}): Promise<BrowserLease> {
  const { executablePath, sandbox = false, restartAfter = 1000 } = options;
  const path = findChromium({ executablePath });
  const flags = [...FLAGS, ...(sandbox ? [] : ['--no-sandbox'])];
  const key = JSON.stringify([path, flags]);
  let shared = running.get(key);
  if (!shared) {
    shared = { browser: launch(path, flags), users: 0, episodes: 0 };
    running.set(key, shared);
  }
  const mine = shared;
  const forget = () => {
    if (running.get(key) === mine) running.delete(key);
  };
  mine.users += 1;
  mine.episodes += 1; // who takes it begins one
  try {
    const browser = await mine.browser;
    browser.once('disconnected', forget);
    if (!browser.connected) forget();
    return {
      browser,
      beginEpisode() {
        mine.episodes += 1;
        return mine.episodes <= restartAfter;
      },
      async release(broken = false) {
        mine.users -= 1;
        if (broken) forget();
        if (mine.users > 0) return;
        forget();
        if (!(await within(3000, browser.close()))) browser.process()?.kill('SIGKILL'); // it does not answer
      },
    };
  } catch (error) {
    mine.users -= 1;
    forget();
    throw error;
  }
}

async function launch(executablePath: string, args: string[]): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  return withProfile((userDataDir) =>
    puppeteer.launch({
      executablePath,
      userDataDir,
      headless: true,
      pipe: true, // cheaper than a socket, and closed with this process
      args,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    }),
  );
}
