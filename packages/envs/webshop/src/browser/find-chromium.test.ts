import { describe, expect, it } from 'vitest';
import { WebShopBrowserEnv } from './browser-env.js';
import { ChromiumMissingError, findChromium } from './find-chromium.js';

describe('finding Chromium', () => {
  const exists = (path: string) => path === '/here/chrome';

  it('tries the option first, then environment variables', () => {
    expect(findChromium({ executablePath: '/here/chrome', exists })).toBe('/here/chrome');
    expect(findChromium({ environment: { VLGYM_CHROMIUM: '/here/chrome' }, exists })).toBe('/here/chrome');
    expect(findChromium({ environment: {}, exists: (path) => path === '/usr/bin/chromium' })).toBe('/usr/bin/chromium');
  });

  it.each([
    { executablePath: '/not/there', exists },
    { environment: { CHROME_PATH: '/not/there' }, exists },
    { environment: {}, home: '/nowhere', exists },
  ])('says what to install if it is missing', (options) => {
    expect(() => findChromium(options)).toThrow(ChromiumMissingError);
    expect(() => findChromium(options)).toThrow(/apt install chromium/);
  });

  it('happens at the first reset, not in the constructor', async () => {
    const env = new WebShopBrowserEnv({ catalog: { products: 100 }, executablePath: '/not/there' });
    await expect(env.reset({ seed: 1 })).rejects.toMatchObject({ code: 'CHROMIUM_MISSING' });
    await env.close();
  });
});
