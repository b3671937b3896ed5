/** Finds Chromium. Tried in order: the option, environment variables, system paths, puppeteer's cache. */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';

const VARIABLES = ['VLGYM_CHROMIUM', 'PUPPETEER_EXECUTABLE_PATH', 'CHROME_PATH'];

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Paths inside a version's folder of puppeteer's cache. */
const CACHED = [
  'chrome-linux64/chrome',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-win64/chrome.exe',
];

export interface FindOptions {
  /** An explicit path; nothing else is tried. */
  readonly executablePath?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly exists?: (path: string) => boolean;
}

/** @throws {ChromiumMissingError} Not found; the message says how to install it. */
export function findChromium({
  executablePath,
  environment = process.env,
  home = homedir(),
  exists = existsSync,
}: FindOptions = {}): string {
  if (executablePath !== undefined) {
    if (exists(executablePath)) return executablePath;
    throw new ChromiumMissingError(`Chromium not found at ${executablePath}.`);
  }
  for (const name of VARIABLES) {
    const path = environment[name];
    if (!path) continue;
    if (exists(path)) return path;
    throw new ChromiumMissingError(`Chromium not found at ${path}, which ${name} names.`);
  }
  const found = [...SYSTEM, ...cached(environment.PUPPETEER_CACHE_DIR ?? join(home, '.cache', 'puppeteer'))].find(
    exists,
  );
  if (found) return found;
  throw new ChromiumMissingError('Chromium not found.');
}

/** Newest first. */
function cached(folder: string): string[] {
  const root = join(folder, 'chrome');
  const versions = existsSync(root) ? readdirSync(root).sort().reverse() : [];
  return versions.flatMap((version) => CACHED.map((path) => join(root, version, path)));
}

/** An environment in a browser needs Chromium, and none was found. */
export class ChromiumMissingError extends GymError {
  constructor(message: string) {
    super(message, {
      code: 'CHROMIUM_MISSING',
      expected: 'the executable of Chromium or Chrome',
      hint: "install one (`apt install chromium`, or `npx @puppeteer/browsers install chrome@stable`), or set its path with the option `executablePath` or VLGYM_CHROMIUM; 'vlgym/WebShop-v1' does not need it",
    });
  }
}
