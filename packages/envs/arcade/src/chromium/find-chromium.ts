/** Finds Chromium: the option, environment variables, names on PATH, the usual places of installers. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { GymError } from '@vlgym/core';

const VARIABLES = ['VLGYM_CHROMIUM', 'PUPPETEER_EXECUTABLE_PATH', 'CHROME_PATH'];
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'chrome.exe'];
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Games need Chromium, and none was found. */
export class ChromiumMissingError extends GymError {
  constructor(message: string) {
    super(message, {
      code: 'CHROMIUM_MISSING',
      expected: 'the executable of Chromium or Chrome',
      hint: 'install one (`apt install chromium`), or set its path with the option `executablePath` or VLGYM_CHROMIUM',
    });
  }
}

/** @param executablePath  An explicit path; nothing else is tried. @throws {ChromiumMissingError} */
export function findChromium(executablePath?: string, environment: NodeJS.ProcessEnv = process.env): string {
  const variable = VARIABLES.find((name) => environment[name]);
  const wanted = executablePath ?? (variable && environment[variable]);
  if (wanted !== undefined) {
    if (existsSync(wanted)) return wanted;
    throw new ChromiumMissingError(`Chromium not found at ${wanted}.`);
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = folders.flatMap((folder) => COMMANDS.map((command) => join(folder, command)));
  const found = [...onPath, ...PLACES].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new ChromiumMissingError('Chromium not found.');
}
