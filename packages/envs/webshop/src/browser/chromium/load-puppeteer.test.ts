import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PuppeteerMissingError } from './load-puppeteer.js';

it('names a version of puppeteer-core that the peer dependency accepts', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const [, major] = /puppeteer-core@(\d+)/.exec(new PuppeteerMissingError().hint!)!;
  expect(manifest.peerDependencies['puppeteer-core']).toMatch(new RegExp(`^\\^${major}\\.`));
  expect(manifest.peerDependenciesMeta['puppeteer-core']).toEqual({ optional: true });
});
