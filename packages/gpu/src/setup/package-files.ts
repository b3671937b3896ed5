/** Paths of the C++ sources and the N-API headers, from the sources as well as from `dist`. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NativeSourcesMissingError } from './errors.js';

/** The folder `native/` of this package: found by walking up, because `src/setup` and `dist` lie at different depths. */
export function nativeSources(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (true) {
    const candidate = join(folder, 'native');
    if (existsSync(join(candidate, 'CMakeLists.txt'))) return candidate;
    const parent = dirname(folder);
    if (parent === folder) throw new NativeSourcesMissingError();
    folder = parent;
  }
}

export function nodeApiHeaders(): string {
  return join(dirname(createRequire(import.meta.url).resolve('node-api-headers/package.json')), 'include');
}

let digest: string | undefined;

/** A digest over the C++ sources, under 1 ms for their 100 kB. */
export function sourcesDigest(): string {
  if (digest) return digest;
  const folder = nativeSources();
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(cpp|h|txt)$/.test(name)) continue;
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(folder, name)))
      .update('\0');
  }
  digest = hash.digest('hex').slice(0, 16);
  return digest;
}
