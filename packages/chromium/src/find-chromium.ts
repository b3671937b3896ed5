/**
 * Finds Chromium. Tried in order: the option, environment variables, system paths, PATH, and the caches of puppeteer,
 * Playwright and Selenium.
 */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';

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

/** Names on PATH. */
const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chrome.exe',
  // the browser without windows: a small download
  'chromium-headless-shell',
  'chrome-headless-shell',
];

/** Paths inside a version's folder of a cache; of puppeteer's first. */
const CACHED = [
  'chrome-linux64/chrome',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-win64/chrome.exe',
  // Playwright's older layouts
  'chrome-linux/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-win/chrome.exe',
  // Selenium's
  'chrome',
  'chrome.exe',
];

export interface FindOptions {
  /** An explicit path; nothing else is tried. */
  readonly executablePath?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly home?: string | undefined;
  readonly exists?: ((path: string) => boolean) | undefined;
}

const FIND_CHROMIUM_OPTIONS = names<FindOptions>({ executablePath: 0, environment: 0, home: 0, exists: 0 });

/** @throws {ChromiumMissingError} Not found; the message says how to install it. */
export function findChromium(options: FindOptions = {}): string {
  checkNames('options', options, FIND_CHROMIUM_OPTIONS);
  const { executablePath, environment = process.env, home = homedir(), exists = existsSync } = options;
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
  const onPath = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = [
    ...SYSTEM,
    ...onPath.flatMap((folder) => COMMANDS.map((command) => join(folder, command))),
    ...caches(environment, home),
  ].find(exists);
  if (found) return found;
  throw new ChromiumMissingError('Chromium not found.');
}

/** The path of the installed Chromium, or `undefined`: for tests and tools that do without one. */
export function installedChromium(): string | undefined {
  try {
    return findChromium();
  } catch {
    return undefined;
  }
}

/** Executables in the usual caches, newest version first. */
function caches(environment: FindOptions['environment'] & {}, home: string): string[] {
  const puppeteer = environment.PUPPETEER_CACHE_DIR ?? join(home, '.cache', 'puppeteer');
  const selenium = environment.SE_CACHE_PATH ?? join(home, '.cache', 'selenium');
  const playwright = [
    environment.PLAYWRIGHT_BROWSERS_PATH ?? join(home, '.cache', 'ms-playwright'),
    join(home, 'Library', 'Caches', 'ms-playwright'),
    ...(environment.LOCALAPPDATA ? [join(environment.LOCALAPPDATA, 'ms-playwright')] : []),
  ];
  const versions = [
    ...newest(join(puppeteer, 'chrome')),
    ...playwright.flatMap((folder) => newest(folder, /^chromium-\d+$/)),
    ...['linux64', 'mac-arm64', 'mac-x64', 'win64'].flatMap((platform) => newest(join(selenium, 'chrome', platform))),
  ];
  return versions.flatMap((version) => CACHED.map((path) => join(version, path)));
}

function newest(folder: string, name = /./): string[] {
  const versions = existsSync(folder) ? readdirSync(folder).filter((version) => name.test(version)) : [];
  return versions.sort((a, b) => b.localeCompare(a, 'en', { numeric: true })).map((version) => join(folder, version));
}

/** Pages need Chromium, and none was found. */
export class ChromiumMissingError extends GymError {
  constructor(message: string) {
    super(message, {
      code: 'CHROMIUM_MISSING',
      expected: 'the executable of Chromium or Chrome',
      hint: 'install one (`apt install chromium`, or `npx @puppeteer/browsers install chrome@stable`), or set its path with the option `executablePath` or VLGYM_CHROMIUM',
    });
  }
}
