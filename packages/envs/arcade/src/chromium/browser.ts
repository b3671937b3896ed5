/** One Chromium for all games of the process. It ends with the last of them; after a crash, another is started. */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { GymError } from '@vlgym/core';
import type { Browser } from 'puppeteer-core';
import { findChromium } from './find-chromium.js';
import { within } from './within.js';

export interface LaunchOptions {
  readonly executablePath?: string | undefined;
  /** Chromium's own sandbox; default false, because containers rarely allow it. */
  readonly sandbox?: boolean | undefined;
}

/** A game was made where puppeteer-core is not installed. */
export class PuppeteerMissingError extends GymError {
  constructor(cause?: unknown) {
    super('The package puppeteer-core is not installed.', {
      code: 'PUPPETEER_MISSING',
      expected: 'puppeteer-core 24 next to @vlgym/arcade',
      hint: 'run `npm install puppeteer-core@24`',
      cause,
    });
  }
}

export class ChromiumLaunchError extends GymError {
  constructor(path: string, cause: unknown) {
    super(`Chromium at ${path} does not start.`, {
      code: 'CHROMIUM_DOES_NOT_START',
      value: path,
      expected: 'a Chromium or Chrome that starts',
      hint: `run \`${path} --headless --no-sandbox about:blank\`; it says what is missing`,
      cause,
    });
  }
}

const FLAGS = [
  '--disable-dev-shm-usage',
  // the same picture on every machine: drawn by the processor, colors as they are
  '--disable-gpu',
  '--force-device-scale-factor=1',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  // a page behind others runs at full speed
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  // nothing leaves the browser: no name resolves, no address is dialed, nothing is sent over UDP
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-features=SpareRendererForSitePerProcess,BackForwardCache,Translate,MediaRouter,OptimizationHints,AutofillServerCommunication',
  '--no-first-run',
  '--no-default-browser-check',
];

interface Shared {
  readonly browser: Promise<Browser>;
  users: number;
}

const running = new Map<string, Shared>();

export interface BrowserLease {
  readonly browser: Browser;
  /** Gives the browser back; the last user closes it. @param broken  The browser must no longer be shared. */
  release(broken?: boolean): Promise<void>;
}

/** @throws {PuppeteerMissingError} */
export function requirePuppeteer(): void {
  try {
    createRequire(import.meta.url).resolve('puppeteer-core');
  } catch (cause) {
    throw new PuppeteerMissingError(cause);
  }
}

/** @throws {ChromiumMissingError | ChromiumLaunchError} */
export async function leaseBrowser({ executablePath, sandbox = false }: LaunchOptions): Promise<BrowserLease> {
  const path = findChromium(executablePath);
  const args = [...FLAGS, ...(sandbox ? [] : ['--no-sandbox'])];
  const key = JSON.stringify([path, sandbox]);
  const current = running.get(key) ?? { browser: launch(path, args), users: 0 };
  running.set(key, current);
  const forget = () => {
    if (running.get(key) === current) running.delete(key);
  };
  current.users += 1;
  try {
    const browser = await current.browser;
    browser.once('disconnected', forget);
    if (!browser.connected) forget();
    return {
      browser,
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
  const { default: puppeteer } = await import('puppeteer-core');
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  try {
    // a pipe is cheaper than a socket, no page can reach it, and it closes with this process
    const browser = await puppeteer.launch({ executablePath, headless: true, pipe: true, args, ...signals });
    const child = browser.process();
    child?.unref();
    for (const stream of child?.stdio ?? []) (stream as Partial<Socket> | null | undefined)?.unref?.();
    return browser;
  } catch (cause) {
    throw new ChromiumLaunchError(executablePath, cause);
  }
}
