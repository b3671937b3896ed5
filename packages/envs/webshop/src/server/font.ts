/**
 * The font of the pages: Inter, served from memory, so that screenshots do not depend on installed fonts.
 *
 * It has Latin, Greek, Cyrillic, and Vietnamese letters; others come from the system. The files are those of
 * `@fontsource-variable/inter` (SIL Open Font License 1.1); its version is fixed, because pixels depend on it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FOLDER = '/static/fonts/';

let sheet: { readonly rules: string; readonly files: ReadonlyMap<string, string> } | undefined;
const kept = new Map<string, Buffer>();

function loadFont() {
  if (sheet) return sheet;
  const path = createRequire(import.meta.url).resolve('@fontsource-variable/inter/wght.css');
  const text = readFileSync(path, 'utf8');
  const files = [...text.matchAll(/url\(\.\/files\/([\w-]+\.woff2)\)/g)].map(([, name]) => name!);
  sheet = {
    // Text is never shown in a fallback font.
    rules: text.replaceAll('./files/', FOLDER).replaceAll('font-display: swap', 'font-display: block'),
    files: new Map(files.map((name) => [FOLDER + name, join(dirname(path), 'files', name)])),
  };
  return sheet;
}

/** Rules for the style sheet; the family is `Inter Variable`. */
export function fontRules(): string {
  return loadFont().rules;
}

/** @param address  As in the rules. @returns woff2, or `undefined` for an unknown file. */
export function fontFile(address: string): Buffer | undefined {
  const path = loadFont().files.get(address);
  if (path === undefined) return undefined;
  const file = kept.get(path) ?? readFileSync(path);
  kept.set(path, file);
  return file;
}
