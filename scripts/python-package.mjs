/**
 * Prepares the Python package: bundles the environments into `python/vlgym/_js` and writes the list of ids, spaces and
 * versions to `python/vlgym/_specs.json`, so that importing the package starts no process. With `--wheel` it builds the
 * wheel, too, and with `--wheel --try` installs it into an empty environment and plays. Needs `npm run build` first.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const python = join(root, 'python');
/** What is made lies here until it is whole: another process may use the package in the meantime, or prepare it, too. */
const draft = join(python, 'build', `draft-${process.pid}`);
const bundle = join(draft, '_js');
const require = createRequire(join(root, 'package.json'));

/** Packages whose environments run without anything else; their registrations give the ids. */
const FAMILIES = [
  '@vlgym/points24',
  '@vlgym/minigrid',
  '@vlgym/miniworld',
  '@vlgym/puzzles',
  '@vlgym/crafter',
  '@vlgym/canary',
  '@vlgym/arcade',
  '@vlgym/miniwob',
  '@vlgym/alfworld',
  '@vlgym/webshop',
];

const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'linked',
  // CommonJS modules inside the bundle call `require`
  banner: {
    js: "import{createRequire as __vlgymRequire}from'node:module';const require=__vlgymRequire(import.meta.url);",
  },
  logLevel: 'warning',
};

await build({
  ...common,
  entryPoints: [join(python, 'vlgym-env.mjs')],
  outdir: bundle,
  outExtension: { '.js': '.mjs' },
  splitting: true,
});
copyFileSync(join(root, 'packages/chromium/dist/puppeteer.LICENSES.txt'), join(bundle, 'puppeteer.LICENSES.txt'));
copyFont(join(bundle, 'node_modules', '@fontsource-variable', 'inter'));
// the environments in ALFWorld's own Python start it, from where their package has it
cpSync(join(root, 'packages/envs/alfworld/python'), join(draft, 'python'), {
  recursive: true,
  filter: (path) => !path.includes('__pycache__'),
});
writeFileSync(join(draft, '_specs.json'), `${JSON.stringify(await specs(), null, 1)}\n`);
for (const name of ['_js', 'python']) replaceFolder(join(draft, name), join(python, 'vlgym', name));
renameSync(join(draft, '_specs.json'), join(python, 'vlgym', '_specs.json'));
rmSync(draft, { recursive: true });
copyFileSync(join(root, 'LICENSE'), join(python, 'LICENSE'));
copyFileSync(join(root, 'NOTICE'), join(python, 'NOTICE'));

/** File by file, so that none is missing at any time: their names hold hashes of their contents. */
function replaceFolder(from, to) {
  const files = filesIn(from);
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  const old = existsSync(to) ? filesIn(to).filter((file) => !files.includes(file)) : [];
  for (const file of old) rmSync(join(to, file), { force: true });
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** The font of the shop's pages, whose files it looks for next to the style sheet. */
function copyFont(folder) {
  const from = dirname(require.resolve('@fontsource-variable/inter/wght.css'));
  const files = [...readFileSync(join(from, 'wght.css'), 'utf8').matchAll(/files\/[\w-]+\.woff2/g)].map(
    ([name]) => name,
  );
  for (const name of ['package.json', 'LICENSE', 'wght.css', ...files]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(from, name), join(folder, name));
  }
}

/** What Python registers: one entry per id. */
async function specs() {
  const { make, registeredIds, findRegistration, setWarningSink } = await import(pathOf('@vlgym/core'));
  setWarningSink(() => {});
  for (const family of FAMILIES) await import(pathOf(family));
  const entries = [];
  for (const id of registeredIds()) {
    const { module, title = id, nondeterministic = false, splits } = findRegistration(id);
    const env = await make(id);
    entries.push({
      id: `vlgym/${id.replace(/^vlgym\//, '').replaceAll('/', '-')}`,
      spec: id,
      module,
      title,
      nondeterministic,
      observation_space: env.observationSpace.toJSON(),
      action_space: env.actionSpace.toJSON(),
      render_modes: env.metadata.renderModes,
      render_fps: env.metadata.renderFps ?? null,
      has_split: splits !== undefined,
    });
    await env.close();
  }
  const { version } = JSON.parse(readFileSync(join(root, 'apps/cli/package.json'), 'utf8'));
  return { version, environments: entries };
}

function pathOf(name) {
  const folder = dirname(require.resolve(`${name}/package.json`));
  return new URL(`file://${join(folder, 'dist/index.js')}`).href;
}

if (process.argv.includes('--wheel')) {
  const dist = join(python, 'dist');
  mkdirSync(dist, { recursive: true });
  const pip = ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', dist, python];
  execFileSync('python3', pip, { stdio: 'inherit' });
  const wheels = readdirSync(dist).filter((name) => name.endsWith('.whl'));
  if (!existsSync(join(dist, wheels[0] ?? ''))) throw new Error('No wheel was built.');
  process.stdout.write(`${wheels.map((name) => join(dist, name)).join('\n')}\n`);
  if (process.argv.includes('--try')) tryWheel(join(dist, wheels.at(-1)));
}

/** Installs the wheel with its extra `node` into an empty environment, and plays there without the Node of this machine. */
function tryWheel(wheel) {
  const folder = mkdtempSync(join(tmpdir(), 'vlgym-wheel-'));
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    const own = join(folder, 'bin', 'python');
    execFileSync(own, ['-m', 'pip', 'install', '--quiet', `${wheel}[node]`], { stdio: 'inherit' });
    const program = `
import gymnasium, vlgym
env = gymnasium.make("vlgym/Points24-v1")
_, info = env.reset(seed=7)
print(len(vlgym.ids()), "ids; cards of seed 7:", *info["Cards"], "; played with", vlgym.find_node())
env.close()`;
    const env = { ...process.env, PATH: join(folder, 'bin'), VLGYM_NODE: '', PYTHONPATH: '' };
    execFileSync(own, ['-c', program], { stdio: 'inherit', cwd: folder, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
