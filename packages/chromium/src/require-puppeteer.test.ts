import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PuppeteerMissingError } from './require-puppeteer.js';

it.each(['arcade', 'webshop'])('names a version of puppeteer-core that the peer dependency of %s accepts', (name) => {
  const manifest = JSON.parse(readFileSync(new URL(`../../envs/${name}/package.json`, import.meta.url), 'utf8'));
  const [, major] = /puppeteer-core@(\d+)/.exec(new PuppeteerMissingError(manifest.name).hint!)!;
  expect(manifest.peerDependencies['puppeteer-core']).toMatch(new RegExp(`^\\^${major}\\.`));
  expect(manifest.peerDependenciesMeta['puppeteer-core']).toEqual({ optional: true });
});
