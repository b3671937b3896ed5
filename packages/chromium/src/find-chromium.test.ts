import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChromiumMissingError, findChromium } from './find-chromium.js';

describe('finding Chromium', () => {
  const exists = (path: string) => path === '/here/chrome';

  it('tries the option first, then environment variables', () => {
    expect(findChromium({ executablePath: '/here/chrome', exists })).toBe('/here/chrome');
    expect(findChromium({ environment: { VLGYM_CHROMIUM: '/here/chrome' }, exists })).toBe('/here/chrome');
    expect(findChromium({ environment: {}, exists: (path) => path === '/usr/bin/chromium' })).toBe('/usr/bin/chromium');
  });

  it('looks on PATH, and in the caches of puppeteer, Playwright and Selenium, newest first', () => {
    const home = mkdtempSync(join(tmpdir(), 'vlgym-home-'));
    const make = (...path: string[]) => {
      const file = join(home, ...path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
      return file;
    };
    const find = (environment: Record<string, string> = {}) =>
      findChromium({ environment, home, exists: (path) => path.startsWith(home) && existsSync(path) });
    const selenium = make('.cache', 'selenium', 'chrome', 'linux64', '150.0.1', 'chrome');
    expect(find()).toBe(selenium);
    make('.cache', 'ms-playwright', 'chromium-999', 'chrome-linux', 'chrome');
    const playwright = make('.cache', 'ms-playwright', 'chromium-1200', 'chrome-linux', 'chrome');
    make('.cache', 'ms-playwright', 'firefox-1500', 'chrome-linux', 'chrome');
    expect(find()).toBe(playwright);
    const puppeteer = make('.cache', 'puppeteer', 'chrome', 'linux-140.0.1', 'chrome-linux64', 'chrome');
    expect(find()).toBe(puppeteer);
    const onPath = make('bin', 'google-chrome');
    expect(find({ PATH: ['', join(home, 'nothing'), join(home, 'bin')].join(delimiter) })).toBe(onPath);
    rmSync(home, { recursive: true });
  });

  it.each([
    { executablePath: '/not/there', exists },
    { environment: { CHROME_PATH: '/not/there' }, exists },
    { environment: {}, home: '/nowhere', exists },
  ])('says what to install if it is missing', (options) => {
    expect(() => findChromium(options)).toThrow(ChromiumMissingError);
    expect(() => findChromium(options)).toThrow(/apt install chromium/);
  });
});
