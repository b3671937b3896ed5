/** Reads the reference data of the tests. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type LoadedCatalog, loadCatalog, type RawCatalog } from '../src/catalog/read-raw.js';

const ROOT = new URL('../../../../', import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: each file has its own layout
export function golden(name: string): any {
  const plain = new URL(`test/golden/webshop-${name}.json`, ROOT);
  if (existsSync(plain)) return JSON.parse(readFileSync(plain, 'utf8'));
  return JSON.parse(gunzipSync(readFileSync(`${fileURLToPath(plain)}.gz`)).toString('utf8'));
}

export const rawCatalog = (): RawCatalog & { products: unknown[] } => golden('catalog');

/** The reference catalog with the reference's noun lists. */
export function goldenCatalog(): LoadedCatalog {
  return loadCatalog({ ...rawCatalog(), nouns: golden('traces').name_nouns });
}

/** Third-party texts, which are not part of the repository: in `VLGYM_WEBSHOP_DATA` or `../shared/data/webshop`. */
export function thirdParty(name: string): string | undefined {
  const folder = process.env.VLGYM_WEBSHOP_DATA ?? fileURLToPath(new URL('../shared/data/webshop/', ROOT));
  const path = `${folder.replace(/\/?$/, '/')}${name}`;
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
