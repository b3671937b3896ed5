/**
 * Writes `src/art/glyphs.generated.ts`: the outlines of the DejaVu letters in the pictures, so that no font has to be
 * installed. After changing a list below, run `node scripts/generate-glyphs.mjs` in the package folder.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import opentype from 'opentype.js';

const require = createRequire(import.meta.url);

const FONTS = {
  regular: { file: 'DejaVuSans.ttf', characters: 'Formula: Tget 0123456789+-*/()=' },
  bold: { file: 'DejaVuSans-Bold.ttf', characters: 'AJQKDealrPyTgtCun: 0123456789+-*/()=' },
};

// The license asks for its notice in every copy; `/*!` keeps it in bundles.
const license = readFileSync(require.resolve('dejavu-fonts-ttf/LICENSE'), 'utf8').split('TeX Gyre DJV Math')[0].trim();
const lines = [
  '// Written by scripts/generate-glyphs.mjs; do not edit.',
  '/*!',
  'Outlines of some letters of DejaVu Sans and DejaVu Sans Bold 2.37.',
  '',
  license,
  '*/',
  "import type { FontData } from './font.js';",
  '',
];
for (const [name, { file, characters }] of Object.entries(FONTS)) {
  const bytes = readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${file}`));
  const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  lines.push(`export const ${name}: FontData = {`);
  lines.push(`  name: '${name}',`);
  lines.push(`  unitsPerEm: ${font.unitsPerEm},`, `  ascender: ${font.ascender},`, '  glyphs: {');
  for (const character of [...new Set(characters)].sort()) {
    const glyph = font.charToGlyph(character);
    lines.push(`    ${JSON.stringify(character)}: [${glyph.advanceWidth}, '${outline(glyph)}'],`);
  }
  lines.push('  },', '};', '');
}
writeFileSync(new URL('../src/art/glyphs.generated.ts', import.meta.url), lines.join('\n'));

/** The outline in font units as an SVG path, with y pointing down from the baseline. */
function outline(glyph) {
  return glyph.path.commands
    .map(({ type, x1, y1, x2, y2, x, y }) => {
      const points = [x1, y1, x2, y2, x, y].filter((value) => value !== undefined);
      return type + points.map((value, index) => (index % 2 === 1 ? 0 - value : value)).join(' ');
    })
    .join('');
}
