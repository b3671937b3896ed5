/** Environments in a server's bundle, as docs/bundling.md describes: what plays in one file, and what says that it cannot. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build as buildByEsbuild } from 'esbuild';
import { build as buildByVite } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SERVER = `
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make, makeVec } from '@vlgym/core';
import '@vlgym/points24';
import { readExamples, writeParquet } from '@vlgym/datasets';
import { generateCatalog } from '@vlgym/webshop';

for (const id of ['gym_cards/Points24-v0', 'vlgym/WebShop-v1']) {
  const env = await make(id);
  await env.reset({ seed: 7 });
  const { reward } = await env.step(env.actionSpace.sample());
  console.log(id, typeof reward);
  await env.close();
}
const home = mkdtempSync(join(tmpdir(), 'vlgym-bundle-server-'));
const path = join(home, 'chat.parquet');
/** What needs a file of its own: the last word, or why not. */
async function say(what, run) {
  try {
    console.log(what, await run());
  } catch (error) {
    console.log(what, error.code, error.hint);
  }
}
await say('workers', async () => {
  const vector = await makeVec('gym_cards/Points24-v0', { numEnvs: 2, vectorization: 'worker' });
  await vector.reset({ seed: 1 });
  await vector.close();
  return vector.numEnvs;
});
for (const workers of [2, 0]) {
  await say('catalog', async () => {
    const folder = join(home, 'catalog-' + workers);
    await generateCatalog(folder, { products: 100 }, { workers });
    return (await make('vlgym/WebShop-v1', { options: { catalog: { folder } } })).close();
  });
}
await say('parquet', async () => {
  await writeParquet(path, (async function* () {
    yield { prompt: [{ role: 'user', content: 'Red?' }], response: 'Red.', source: '', group: '' };
  })());
  for await (const { response } of readExamples(path)) return response;
});
`;

/** Makes files of the server in a folder, and names the one to start. */
type Bundler = (outFolder: string, options: { readonly leavesOut: boolean }) => Promise<string>;

const esbuild: Bundler = async (outFolder, { leavesOut }) => {
  const outfile = join(outFolder, 'server.mjs');
  const packages: BuildOptions['packages'] = leavesOut ? 'external' : 'bundle';
  await buildByEsbuild({
    stdin: { contents: SERVER, resolveDir: ROOT, sourcefile: 'server.mjs' },
    bundle: true,
    packages,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    // packages as they are built, not the sources that this repository's own configuration names
    tsconfigRaw: {},
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  return outfile;
};

const vite: Bundler = async (outDir, { leavesOut }) => {
  const entry = join(ROOT, 'test', 'server.mjs');
  await buildByVite({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [
      {
        name: 'server',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? SERVER : undefined),
      },
    ],
    ssr: leavesOut ? { external: true } : { noExternal: true },
    build: { ssr: entry, outDir, emptyOutDir: true, rolldownOptions: { output: { entryFileNames: 'server.mjs' } } },
  });
  return join(outDir, 'server.mjs');
};

/** The lines that the server prints, started in a folder of its own below one without packages, or with all of them. */
async function printed(bundler: Bundler, parent: string, leavesOut: boolean): Promise<string[]> {
  const cwd = await mkdtemp(join(parent, 'bundle-test-'));
  try {
    await writeFile(join(cwd, 'package.json'), '{}');
    const file = await bundler(cwd, { leavesOut });
    const { stdout } = await run(process.execPath, [file], { cwd, timeout: 120_000 });
    return stdout.trim().split('\n');
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const LEAVE_OUT = /WORKER_FILE_MISSING leave @vlgym\/\* out of the bundle/;

describe.each([
  ['esbuild', esbuild],
  ['Vite', vite],
])('a server bundled by %s', (_name, bundler) => {
  it('plays in an empty folder, and says before any thread or process starts that it needs a file of its own', async () => {
    const [cards, shop, workers, catalog, alone, parquet] = await printed(bundler, folder, false);
    expect(cards).toBe('gym_cards/Points24-v0 number');
    expect(shop).toBe('vlgym/WebShop-v1 number');
    expect(workers).toMatch(LEAVE_OUT);
    expect(workers).toContain('`workerUrl`');
    expect(catalog).toMatch(LEAVE_OUT);
    expect(catalog).toContain('`workers: 0`');
    expect(alone).toBe('catalog undefined');
    expect(parquet).toMatch(LEAVE_OUT);
  });

  it('has threads and processes, too, where packages are left out', async () => {
    expect(await printed(bundler, join(ROOT, 'test'), true)).toEqual([
      'gym_cards/Points24-v0 number',
      'vlgym/WebShop-v1 number',
      'workers 2',
      'catalog undefined',
      'catalog undefined',
      'parquet Red.',
    ]);
  });
});
