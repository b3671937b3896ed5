/**
 * Puts puppeteer-core into `dist`, so that nobody installs it: its code as `puppeteer.cjs`, its types in `types`, and the
 * licenses of all that is in them. Runs after tsup, which leaves both out.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const modules = at('../../node_modules/');

/** Type file → its name in `dist/types`, and how the others import it. */
const TYPES = [
  { file: 'puppeteer-core/lib/types.d.ts', name: 'puppeteer', imports: 'puppeteer-core' },
  { file: 'devtools-protocol/types/protocol.d.ts', name: 'protocol', imports: 'devtools-protocol' },
  {
    file: 'devtools-protocol/types/protocol-mapping.d.ts',
    name: 'protocol-mapping',
    imports: 'devtools-protocol/types/protocol-mapping.js',
  },
  { file: 'typed-query-selector/parser.d.ts', name: 'parser', imports: 'typed-query-selector/parser.js' },
  { file: 'webdriver-bidi-protocol/out/gen/main.d.ts', name: 'bidi', imports: 'webdriver-bidi-protocol' },
];

const { metafile } = await build({
  entryPoints: [at('src/puppeteer.ts')],
  outfile: at('dist/puppeteer.cjs'),
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  legalComments: 'none', // the licenses are complete
  metafile: true,
  absWorkingDir: at('../..'),
  logLevel: 'warning',
});
mkdirSync(at('dist/types'), { recursive: true });
for (const { file, name } of TYPES) writeFileSync(at(`dist/types/${name}.d.cts`), inside(`${modules}${file}`, './'));
for (const name of ['index.d.ts', 'index.d.cts'])
  writeFileSync(at(`dist/${name}`), inside(at(`dist/${name}`), './types/'));

const folders = [...Object.keys(metafile.inputs), ...TYPES.map(({ file }) => `node_modules/${file}`)].flatMap(
  (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
);
writeFileSync(at('dist/puppeteer.LICENSES.txt'), [...new Set(folders)].sort().map(licenseOf).join('\n\n'));

/** The text of a type file, with imports of the others as they are named in `dist`. */
function inside(path: string, folder: string): string {
  return TYPES.reduce(
    (text, { name, imports }) => text.replaceAll(`from '${imports}'`, `from '${folder}${name}.cjs'`),
    readFileSync(path, 'utf8')
      .replace(`from './protocol'`, `from './protocol.cjs'`)
      .replace(/^export (\{.*'puppeteer-core')/m, 'export type $1'), // declarations lose the word
  );
}

function licenseOf(folder: string): string {
  const path = (name: string) => at(`../../${folder}/${name}`);
  const { name, version, license } = JSON.parse(readFileSync(path('package.json'), 'utf8'));
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'].find((each) => existsSync(path(each)));
  return `== ${name} ${version}: ${license}\n\n${file === undefined ? '' : readFileSync(path(file), 'utf8')}`;
}
