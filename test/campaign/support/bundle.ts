/** Children as single files: a process that lives for a tenth of a second must not spend two on loading its sources. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsup';
import { ROOT } from '../../support/workspaces.js';

const SOURCES = {
  'kill-at': 'support/kill-at.ts',
  'clock-jumps': 'support/clock-jumps.ts',
  evaluate: 'children/evaluate.ts',
  train: 'children/train.ts',
};

export type ChildName = keyof typeof SOURCES;

let bundled: Promise<string> | undefined;

/** Path of the built child; all are built on the first call. */
export async function childPath(name: ChildName): Promise<string> {
  bundled ??= bundle();
  return join(await bundled, `${name}.js`);
}

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vlgym-children-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entry: Object.fromEntries(Object.entries(SOURCES).map(([name, path]) => [name, join(ROOT, 'test/campaign', path)])),
    outDir: folder,
    format: 'esm',
    target: 'node20',
    tsconfig: join(ROOT, 'tsconfig.json'),
    noExternal: [/./],
    splitting: false,
    silent: true,
    config: false,
    clean: false,
    dts: false,
    outExtension: () => ({ js: '.js' }),
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}
