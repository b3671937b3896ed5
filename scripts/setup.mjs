/**
 * Everything a fresh clone needs, each step skipped when it is already done: npm packages, a compiler, the build,
 * libtorch with the compiled addon, a Chromium. Uses nothing but Node, since it runs before any package is installed.
 *
 *   node scripts/setup.mjs             all of it
 *   node scripts/setup.mjs --no-torch  without libtorch (environments and agents need none)
 *   node scripts/setup.mjs --no-chromium  without Chromium (only pages and the shop's browser environment need one)
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Debian packages that the addon's compilation and the libtorch wheel need, by the command that shows them. */
const DEBIAN = { 'c++': 'g++', cmake: 'cmake', ninja: 'ninja-build', python3: 'python3', pip: 'python3-pip' };

function step(name) {
  process.stdout.write(`${process.stdout.isTTY ? '\x1b[1m' : ''}• ${name}${process.stdout.isTTY ? '\x1b[0m' : ''}\n`);
}

/** Runs a command in the repository; its output is shown only when it fails, unless `show`. */
export function run(command, args, { show = false, env = {} } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...env },
    stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (result.status !== 0) {
    if (!show) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    const why = result.error?.message ?? `exit code ${result.status ?? result.signal}`;
    throw new Error(`\`${[command, ...args].join(' ')}\` failed: ${why}`);
  }
}

function answers(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function missingTools() {
  const missing = [];
  if (!answers('c++')) missing.push('c++');
  if (!answers('cmake')) missing.push('cmake');
  if (!answers('ninja') && !answers('make')) missing.push('ninja');
  if (!answers('python3')) missing.push('python3');
  if (!answers('python3', ['-m', 'pip', '--version'])) missing.push('pip');
  return missing;
}

function ensurePackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.vlgym-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  step('npm packages');
  run('npm', ['ci', '--no-audit', '--no-fund']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

function ensureTools() {
  const missing = missingTools();
  if (missing.length === 0) return;
  const packages = missing.map((command) => DEBIAN[command]);
  if (canInstall()) return installDebian(packages);
  throw new Error(`These are missing: ${missing.join(', ')}.\n  hint: sudo apt-get install ${packages.join(' ')}`);
}

const canInstall = () => process.getuid?.() === 0 && answers('apt-get');

function installDebian(packages) {
  step(`Debian packages: ${packages.join(' ')}`);
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', ...packages], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Without one, everything but pages in a browser works: that is said, and no error. */
async function ensureChromium() {
  const { findChromium } = await import(pathToFileURL(join(root, 'packages/chromium/dist/index.js')).href);
  try {
    findChromium();
  } catch (missing) {
    try {
      if (!canInstall()) throw missing;
      installDebian(['chromium']);
    } catch (error) {
      process.stderr.write(`${error.message}\n  tests that need a browser are skipped\n`);
    }
  }
}

export async function setup({ torch = true, chromium = true } = {}) {
  ensurePackages();
  step('build');
  run(process.execPath, [join(root, 'node_modules/turbo/bin/turbo'), 'run', 'build', '--output-logs=errors-only']);
  if (chromium) await ensureChromium();
  if (!torch) return;
  step('libtorch');
  // a process of its own: loading the addon to look at it would keep this one from using a new one
  const cli = join(root, 'apps/cli/dist/cli.js');
  if (answers(process.execPath, [cli, 'doctor', '--quiet'])) return;
  ensureTools();
  run(process.execPath, [cli, 'setup', '--fetch'], { show: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const without = (part) => process.argv.includes(`--no-${part}`);
    await setup({ torch: !without('torch'), chromium: !without('chromium') });
  } catch (error) {
    process.stderr.write(`set-up stopped: ${error.message}\n`);
    process.exit(1);
  }
}
