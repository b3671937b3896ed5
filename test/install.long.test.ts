/**
 * The install as a new user sees it: every public package is packed and installed alone in an empty folder, then imported as
 * ESM and as CommonJS and type-checked with both ways of resolving modules.
 *
 * Dependencies among our packages come from the packed files too, all others from npm's cache or registry. Nothing may
 * run at install time, and `@vlgym/points24` must play without a compiler, a shell and libtorch.
 *
 * npm installs all packages into one folder, and four alone: two that are looked at closely, one that the packed files draw,
 * and those of the front page. The others are links to what npm would install; a test shows for the four that this is
 * the same. With `VLGYM_INSTALL_ALL=1` npm installs each alone.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SuiteCell } from '@vlgym/agents';
import { installedChromium } from '@vlgym/chromium';
import { Generator } from '@vlgym/core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, installationIn, npm, PackedPackages } from './support/packed-packages.js';
import { BUNDLER, NODE16, typeErrors } from './support/type-check.js';
import { publicPackages, ROOT } from './support/workspaces.js';

const run = promisify(execFile);
const chromium = installedChromium();

/** Three lines of a user, and what they print. */
const CONSUMERS: Readonly<Record<string, { readonly code: string; readonly prints: string | RegExp }>> = {
  '@vlgym/core': {
    code: `import { Generator, spaces } from '@vlgym/core';
const draw: number = new Generator(7).integers(100);
console.log(draw, spaces.discrete(3).contains(draw));`,
    prints: '94 false', // numpy.random.default_rng(7).integers(100)
  },
  '@vlgym/points24': {
    code: `import { type Solution, solve } from '@vlgym/points24';
const solutions: Solution[] = solve([10, 10, 3, 1]);
console.log(solutions.every(({ value }) => value === 24));`,
    prints: 'true',
  },
  '@vlgym/canary': {
    code: `import { type CanaryCounts, canaryVerdict } from '@vlgym/canary';
const counts: CanaryCounts = { turns: 800, current: 640, previous: 200 };
console.log(canaryVerdict([counts]).verdict);`,
    prints: 'pixels arrive',
  },
  '@vlgym/chromium': {
    code: `import { findChromium, type FindOptions } from '@vlgym/chromium';
const options: FindOptions = { executablePath: '/mine', exists: () => true };
console.log(findChromium(options));`,
    prints: '/mine',
  },
  '@vlgym/arcade': {
    code: `import { type ArcadeGame, CATCH } from '@vlgym/arcade';
const { name, actions }: ArcadeGame = CATCH;
console.log(name, Object.keys(actions).length);`,
    prints: 'catch 3',
  },
  '@vlgym/miniwob': {
    code: `import { type MiniWoBTask, TASKS } from '@vlgym/miniwob';
const task: MiniWoBTask | undefined = TASKS.get('login-user');
console.log(TASKS.size, task?.kind);`,
    prints: '125 form',
  },
  '@vlgym/minigrid': {
    code: `import { createMiniGrid, type MiniGridEnv } from '@vlgym/minigrid';
const env: MiniGridEnv = createMiniGrid('MiniGrid-Empty-5x5-v0');
env.reset({ seed: 1 });
console.log(env.oracle());`,
    prints: '2',
  },
  '@vlgym/puzzles': {
    code: `import { FrozenLakeEnv, type FrozenLakeOptions } from '@vlgym/puzzles';
const options: FrozenLakeOptions = {};
const env = new FrozenLakeEnv(options);
console.log(typeof env.reset({ seed: 1 }).observation);`,
    prints: 'number',
  },
  '@vlgym/crafter': {
    code: `import { CrafterEnv, type CrafterOptions } from '@vlgym/crafter';
const options: CrafterOptions = { observation: 'text' };
const env = new CrafterEnv(options);
console.log(env.reset({ seed: 0 }).info.facing);`,
    prints: 'grass',
  },
  '@vlgym/miniworld': {
    code: `import { createMiniWorld } from '@vlgym/miniworld';
const env = createMiniWorld('Hallway');
const pixels: Uint8Array = env.reset({ seed: 7 }).observation.data;
console.log(pixels.length);`,
    prints: '14400',
  },
  '@vlgym/render': {
    // without three.js: its types are a separate package, which a user may not have
    code: `import { createSoftRenderer, type SoftRenderer } from '@vlgym/render';
const renderer: SoftRenderer = createSoftRenderer();
console.log(renderer.backend, renderer.bytesUsed > 0);`,
    prints: 'wasm true',
  },
  '@vlgym/site': {
    code: `import { SITE_CALLS, SiteEnv } from '@vlgym/site';
const env = new SiteEnv([{ instruction: '', start: 'http://localhost:1/', judge: () => ({ reward: 0, done: false }) }]);
console.log(SITE_CALLS.some(({ name }) => name === 'fill'), env.actionSpace.contains('back'));`,
    prints: 'true true',
  },
  '@vlgym/webshop': {
    code: `import { type Product, tokenSetRatio, WebShopEnv } from '@vlgym/webshop';
const titles = (products: readonly Product[]): number => products.length;
const env = new WebShopEnv({ catalog: { products: 100 } });
env.reset({ seed: 1 });
console.log(tokenSetRatio('large', 'x-large'), titles([]), env.step('search[shoe]').info.page);`,
    prints: '100 0 results',
  },
  '@vlgym/alfworld': {
    code: `import { Game, Play, planToGoal } from '@vlgym/alfworld/games';
import { generateHousehold, householdTexts } from '@vlgym/alfworld/generator';
const household = generateHousehold({ split: 'unseen', taskType: 'pick_two_obj_and_place', seed: 1 });
const play: Play = new Play(new Game(householdTexts(household)));
for (const command of planToGoal(play) ?? []) play.step(command);
console.log(play.won);`,
    prints: 'true',
  },
  '@vlgym/agents': {
    code: `import { type Agent, randomAgent } from '@vlgym/agents';
const agent: Agent = randomAgent();
console.log(agent.name);`,
    prints: 'random',
  },
  '@vlgym/rl': {
    code: `import { type GaeOptions, stepGae } from '@vlgym/rl/advantages';
const options: GaeOptions = { gamma: 0.5, lambda: 1 };
console.log(...stepGae({ rewards: [0, 1], values: [0, 0], nextValues: [0, 0], terminated: [0, 1], truncated: [0, 0] }, options).returns);`,
    prints: '0.5 1',
  },
  '@vlgym/viewer': {
    code: `import { listRuns, type RunSummary } from '@vlgym/viewer';
const print = (found: readonly RunSummary[]) => console.log(found.length);
void listRuns(['.']).then(({ runs }) => print(runs));`,
    prints: '0',
  },
  '@vlgym/gtr-turbo': {
    code: `import { presets } from '@vlgym/gtr-turbo';
const names: string[] = Object.keys(presets);
console.log(...names);`,
    prints: 'gtr gtr-turbo-kl gtr-turbo-sft',
  },
  '@vlgym/vl-dac': {
    code: `import { presets } from '@vlgym/vl-dac';
const names: string[] = Object.keys(presets);
console.log(...names);`,
    prints: 'vl-dac',
  },
  '@vlgym/baselines': {
    code: `import { presets } from '@vlgym/baselines';
const names: string[] = Object.keys(presets);
console.log(names.includes('rl4vlm'));`,
    prints: 'true',
  },
  '@vlgym/gpu': {
    // the addon is found by a digest of the C++ sources: one that setup compiled fits the packed sources exactly
    code: `import { tensor } from '@vlgym/gpu';
const sum: number = tensor([1, 2, 3]).sum().item();
console.log(sum);`,
    prints: '6',
  },
  '@vlgym/models': {
    code: `import { type ChatTemplate, chatMl } from '@vlgym/models/tokenizer';
const template: ChatTemplate = chatMl();
console.log(template.render([{ role: 'user', content: 'Hi' }]).images.length, template.endOfTurn);`,
    prints: '0 <|im_end|>',
  },
  '@vlgym/serve': {
    code: `import { FACES, type Face } from '@vlgym/serve';
const faces: readonly Face[] = FACES;
console.log(...faces);`,
    prints: 'text native',
  },
  '@vlgym/gymnasium': {
    code: `import { findRegistration } from '@vlgym/core';
import * as gymnasium from '@vlgym/gymnasium';
console.log(typeof findRegistration, Object.keys(gymnasium).length > 0);`,
    prints: 'function true',
  },
  '@vlgym/transfer': {
    code: `import { type Benchmark, benchmark } from '@vlgym/transfer';
const { rules }: Benchmark = benchmark('muirbench');
console.log(rules);`,
    prints: 'lmms-eval-2025',
  },
  '@vlgym/datasets': {
    code: `import { type ChatExample, readExamples } from '@vlgym/datasets';
const read: (path: string) => AsyncIterable<ChatExample> = readExamples;
console.log(typeof read);`,
    prints: 'function',
  },
  '@vlgym/queue': {
    code: `import { type BlobStore, MemoryBlobs } from '@vlgym/queue';
const blobs: BlobStore = new MemoryBlobs();
console.log(typeof blobs.put);`,
    prints: 'function',
  },
};

/** Scripts allowed at install time: this one selects a prebuilt accelerator of BullMQ's message format, or omits it. */
const INSTALL_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  '@vlgym/queue': ['node_modules/msgpackr-extract'],
};

const libraries = publicPackages.filter(({ manifest }) => manifest.main !== undefined);
const readers = [
  { name: 'vlgym-monorepo', file: join(ROOT, 'README.md') },
  ...publicPackages.map(({ name, folder }) => ({ name, file: join(folder, 'README.md') })),
]
  .map(({ name, file }) => ({ name, readme: readFileSync(file, 'utf8') }))
  .filter(({ readme }) => !/^npm install .*pip install/m.test(readme)) // needs a Python of its own
  .map(({ name, readme }) => ({ name, ...instructionsIn(readme) }));

/** Packages that npm itself installs alone. */
const alone = new Set(['@vlgym/points24', '@vlgym/webshop']);
const ALL = process.env.VLGYM_INSTALL_ALL === '1';

let packages: PackedPackages;
/** The package.json that `npm init -y` writes. */
let manifest = '';
const installations = new Map<string, Promise<string>>();
/** Folders in which npm itself installed packages → their names. */
const byNpm = new Map<string, readonly string[]>();

/** The folder in which the package is installed, and nothing else; installed when it is first asked for. */
function installed(name: string): Promise<string> {
  let folder = installations.get(name);
  if (!folder) {
    folder = install([name], ALL || alone.has(name));
    installations.set(name, folder);
  }
  return folder;
}

/** A new folder in which these packages are installed, by npm itself or as it would. */
async function install(names: readonly string[], itself: boolean): Promise<string> {
  const folder = await packages.consumer(manifest);
  if (itself) {
    await packages.install(names, folder);
    byNpm.set(folder, names);
  } else await packages.link(names, folder);
  return folder;
}

async function node(folder: string, file: string, text: string, env: NodeJS.ProcessEnv = process.env) {
  await writeFile(join(folder, file), text);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
  return stdout.trim();
}

const compiled = (code: string, module: ts.ModuleKind) =>
  ts.transpileModule(code, { compilerOptions: { module, target: ts.ScriptTarget.ES2023 } }).outputText;

beforeAll(async () => {
  const theirs = readers
    .flatMap(({ install }) => install)
    .filter((name) => !publicPackages.some((each) => each.name === name));
  packages = await PackedPackages.pack([...new Set(theirs)]);
  const { shasum } = packages.packed.get('@vlgym/core')!;
  alone.add(
    publicPackages[new Generator(Number.parseInt(shasum.slice(0, 8), 16)).integers(publicPackages.length)]!.name,
  );
  const folder = await packages.consumer('');
  await rm(join(folder, 'package.json'));
  await npm(['init', '-y'], folder);
  manifest = await readFile(join(folder, 'package.json'), 'utf8');
  await packages.everything();
}, 900_000);

afterAll(() => packages.remove());

describe.concurrent('a packed package', { timeout: 300_000 }, () => {
  it.each(publicPackages)('$name has its license and README, and no tests', ({ name }) => {
    const paths = packages.packed.get(name)!.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE', 'README.md', 'package.json']));
    expect(paths.filter((path) => /\.test\.|fixtures|scratch|test-support|native\/build/.test(path))).toEqual([]);
  });

  it.each(libraries)('$name is imported as ESM and as CommonJS', async ({ name }) => {
    const { code, prints } = CONSUMERS[name]!;
    const folder = await installed(name);
    expect(await node(folder, 'run.mjs', compiled(code, ts.ModuleKind.ESNext))).toBe(prints);
    expect(await node(folder, 'run.cjs', compiled(code, ts.ModuleKind.CommonJS))).toBe(prints);
  });

  // one program for all of them: what they share, e.g. the types of Node, is checked once
  it.each(Object.entries({ NODE16: ['mts', 'cts'], BUNDLER: ['ts'] }))(
    'all type-check with TypeScript (%s, .%s)',
    async (resolution, endings) => {
      const files: Record<string, string> = {};
      for (const { name } of libraries) {
        const folder = await installed(name);
        for (const ending of endings) files[join(folder, `consumer.${ending}`)] = CONSUMERS[name]!.code;
      }
      expect(typeErrors(files, resolution === 'NODE16' ? NODE16 : BUNDLER)).toEqual([]);
    },
  );

  it.each(publicPackages)('$name runs nothing when it is installed', async ({ name }) => {
    const scripts = [...(await packages.needed([name]))].filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(scripts.map(([path]) => path)).toEqual(INSTALL_SCRIPTS[name] ?? []);
  });
});

it('needs no types of Node to type-check a program that imports our packages', { timeout: 300_000 }, () => {
  // those whose declarations speak of streams, bytes, environments of processes, or `await using`
  const names = ['core', 'agents', 'webshop', 'rl', 'gpu', 'serve'].map((name) => `@vlgym/${name}`);
  const imports = names.map((name, index) => `import type * as package${index} from '${name}';`);
  const uses = names.map((_, index) => `typeof package${index}`).join(' | ');
  const code = `${imports.join('\n')}\nexport type Any = keyof (${uses});`;
  const { lib: _, ...settings } = NODE16; // the default: with the types of browsers
  expect(typeErrors({ [join(ROOT, 'test/without-node-types.mts')]: code }, { ...settings, types: [] })).toEqual([]);
});

describe.concurrent('@vlgym/points24, installed alone', { timeout: 300_000 }, () => {
  const nothing = { PATH: '', HOME: '/nonexistent' };

  it('brings no native package', async () => {
    const folder = await installed('@vlgym/points24');
    const { stdout } = await npm(['ls', '--all', '--parseable'], folder);
    const names = stdout
      .trim()
      .split('\n')
      .map((path) => path.split('node_modules/').at(-1));
    expect(names).toContain('@vlgym/core');
    expect(names).not.toContain('@vlgym/gpu');
    expect(names.length).toBeLessThan(10);
  });

  it('plays without compiler, shell and libtorch', async () => {
    const folder = await installed('@vlgym/points24');
    const code = `
      import { make } from '@vlgym/core';
      import '@vlgym/points24';
      const env = await make('gym_cards/EZPoints-v0');
      await env.reset({ seed: 7 });
      for (let over = false; !over; ) {
        const { reward, terminated, truncated } = await env.step(env.oracle());
        over = terminated || truncated;
        if (over) console.log(reward);
      }`;
    expect(await node(folder, 'play.mjs', code, nothing)).toBe('10');
  });

  it.each(['mjs', 'cjs'])('plays in worker threads, started from a .%s file', async (ending) => {
    const folder = await installed('@vlgym/points24');
    const imports =
      ending === 'mjs'
        ? "import { makeVec } from '@vlgym/core'; import '@vlgym/points24';"
        : "const { makeVec } = require('@vlgym/core'); require('@vlgym/points24');";
    const code = `${imports}
      (async () => {
        const envs = await makeVec('gym_cards/NumberLine-v0', { numEnvs: 2, workers: 2, vectorization: 'worker' });
        const { observations } = await envs.reset({ seed: 7 });
        const { rewards } = await envs.step([0, 1]);
        console.log(observations.length, rewards.length);
        await envs.close();
      })();`;
    expect(await node(folder, `threads.${ending}`, code, nothing)).toBe('2 2');
  });
});

describe.concurrent('@vlgym/webshop, installed alone', { timeout: 300_000 }, () => {
  it('plays the text shop without puppeteer', async () => {
    const folder = await installed('@vlgym/webshop');
    const { stdout } = await npm(['ls', '--all', '--parseable'], folder);
    expect(stdout).toContain('node_modules/@vlgym/webshop');
    expect(stdout).not.toMatch(/puppeteer|chromium-bidi|devtools-protocol/);
    const code = `
      import { make } from '@vlgym/core';
      import '@vlgym/webshop';
      const env = await make('vlgym/WebShop-v1', { options: { catalog: { products: 100 } } });
      await env.reset({ seed: 7 });
      for (let over = false; !over; ) {
        const { reward, terminated, truncated } = await env.step(env.unwrapped.oracle());
        over = terminated || truncated;
        if (over) console.log(reward);
      }
      await env.close();`;
    expect(await node(folder, 'shop.mjs', code)).toBe('1');
  });

  it.skipIf(chromium === undefined).for(['mjs', 'cjs'])(
    'opens the shop in a browser, with nothing installed beside it (.%s)',
    async (ending) => {
      const folder = await installed('@vlgym/webshop');
      const imports =
        ending === 'mjs'
          ? `import { make } from '@vlgym/core'; import '@vlgym/webshop'; import { WebShopBrowserEnv } from '@vlgym/webshop/browser';`
          : `const { make } = require('@vlgym/core'); require('@vlgym/webshop'); const { WebShopBrowserEnv } = require('@vlgym/webshop/browser');`;
      const code = `${imports}
      (async () => {
        const options = { catalog: { products: 100 } };
        for (const env of [await make('vlgym/WebShopBrowser-v1', { options }), new WebShopBrowserEnv(options)]) {
          const { observation } = await env.reset({ seed: 7 });
          console.log(observation.screenshot.width > 0);
          await env.close();
        }
      })();`;
      expect(await node(folder, `browser.${ending}`, code)).toBe('true\ntrue');
    },
  );

  it('is typed', async () => {
    const folder = await installed('@vlgym/webshop');
    const code = `import { make } from '@vlgym/core';
      import { ShopServer, WebShopEnv } from '@vlgym/webshop';
      export const env: Promise<{ readonly unwrapped: WebShopEnv }> = make('vlgym/WebShop-v1');
      export type Server = ShopServer;`;
    expect(typeErrors({ [join(folder, 'text-shop.mts')]: code }, { ...NODE16, skipLibCheck: false })).toEqual([]);
  });
});

describe.concurrent('@vlgym/site, installed alone', { timeout: 300_000 }, () => {
  it('is typed with the pages of a browser', async () => {
    const folder = await installed('@vlgym/site');
    const code = (question: string) => `import { SiteEnv, type SiteTask } from '@vlgym/site';
      const task: SiteTask = {
        instruction: 'read',
        start: 'http://localhost:8080/',
        judge: async ({ page }) => ({ reward: 1, done: (await page.${question}()) === 'shop' }),
      };
      export const env = new SiteEnv([task]);`;
    // the driver's own declarations need those of a browser and of Node
    const errors = (question: string) =>
      typeErrors({ [join(folder, 'site.mts')]: code(question) }, { ...NODE16, skipLibCheck: true });
    expect(errors('title')).toEqual([]);
    expect(errors('titel')).toHaveLength(1);
  });
});

describe.concurrent('@vlgym/alfworld, installed alone', { timeout: 300_000 }, () => {
  it('draws pictures', async () => {
    const folder = await installed('@vlgym/alfworld');
    const code = `
      import { make } from '@vlgym/core';
      import '@vlgym/alfworld';
      const env = await make('vlgym/ALFWorldPictures-v1');
      const { observation } = await env.reset({ seed: 7 });
      console.log(observation.width, observation.height, new Set(observation.data).size > 50);
      await env.close();`;
    expect(await node(folder, 'draw.mjs', code)).toBe('300 300 true');
  });
});

describe.concurrent('vlgym, installed alone', { timeout: 300_000 }, () => {
  it('is a command', async () => {
    const folder = await installed('vlgym');
    const vlgym = join(folder, 'node_modules/.bin/vlgym');
    const { version } = publicPackages.find(({ name }) => name === 'vlgym')!.manifest;
    expect((await run(vlgym, ['--version'], { cwd: folder })).stdout.trim()).toBe(version);
    const { stdout } = await run(vlgym, ['eval', 'vlgym/EZPoints-v1', '--agent', 'oracle', '--episodes', '3'], {
      cwd: folder,
    });
    expect(stdout).toMatch(/success +100\.0 %/);
  });
});

describe.concurrent('vlgym, installed alone', { timeout: 600_000 }, () => {
  it('plays, trains and compares an environment and an algorithm that somebody wrote in less than 30 lines each', async () => {
    const folder = await installed('vlgym');
    const vlgym = (...args: string[]) => run(join(folder, 'node_modules/.bin/vlgym'), args, { cwd: folder });
    await vlgym('new', 'env', 'their-lamp');
    await vlgym('new', 'algorithm', 'their-rule');
    for (const name of ['their-lamp', 'their-rule']) {
      const lines = (await readFile(join(folder, name, 'index.js'), 'utf8')).split('\n');
      expect(lines.filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line)).length).toBeLessThan(30);
    }
    const lamp = ['my/TheirLamp-v0', '--import', './their-lamp/index.js'];
    expect((await vlgym('eval', ...lamp, '--agent', 'oracle', '--episodes', '2')).stdout).toMatch(/success +100\.0 %/);
    await writeFile(
      join(folder, 'lamp.yaml'),
      'import: [./their-lamp/index.js]\nenvironments: [my/TheirLamp-v0]\nagents: [random, oracle]\nseeds: 0-1\n',
    );
    expect((await vlgym('suite', 'lamp.yaml')).stdout).toMatch(/^oracle +100\.0 %/m);
    const tiny = '--updates 1 --steps-per-update 8 --num-envs 2 --warm-start-examples 64 --evaluation-episodes 2';
    const both = ['--import', './their-lamp/index.js', ...tiny.split(' ')];
    const bench = ['bench', 'my/TheirLamp-v0', '--algorithms', './their-rule/index.js', '--baseline', 'their-rule'];
    const { stdout } = await vlgym(...bench, '--seeds', '0', '--jobs', '1', '--out', 'many', ...both);
    expect(stdout).toMatch(/^Their Rule +1 /m);
    expect(await readFile(join(folder, 'many/report.html'), 'utf8')).toContain('Their Lamp, my/TheirLamp-v0');
  });

  it('gives the benchmark and the report to code', async () => {
    const folder = await installed('vlgym');
    const code = `import { benchmark, reportPage } from 'vlgym';
      const page = reportPage({ title: 'T', lead: '', command: '', model: '', tasks: [], facts: [] });
      const wrong = await benchmark({ algorithms: ['nope'] }).catch(({ code }) => code);
      console.log(page.includes('<title>T</title>'), wrong);`;
    expect(await node(folder, 'use.mjs', code)).toBe('true USAGE');
    const typed = `import { benchmark, type BenchmarkOutcome } from 'vlgym';
      export const outcome: Promise<BenchmarkOutcome> = benchmark({ seeds: [0] });`;
    expect(typeErrors({ [join(folder, 'use.mts')]: typed }, NODE16)).toEqual([]);
  });
});

describe.concurrent('a reader of the README', { timeout: 600_000 }, () => {
  it.each(readers)('of $name does what it says in a new folder, and the example runs', async (reader) => {
    const folder = await install(reader.install, ALL || reader.name === 'vlgym-monorepo');
    await writeFile(join(folder, reader.save), reader.code);
    const running = run('sh', ['-ec', reader.command], { cwd: folder });
    running.child.stdin?.end(); // nobody is there to play
    expect((await running).stdout.trim()).not.toBe('');
  });
});

describe('agents of a user on WebShop, from the README of @vlgym/agents', { timeout: 600_000 }, () => {
  let folder = '';
  let files: (readonly [name: string, text: string])[] = [];

  beforeAll(async () => {
    const readme = await readFile(join(ROOT, 'packages/agents/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```(?:js|yaml)\n(?:\/\/|#) ([\w.]+)\n(.*?)^```$/gms)];
    files = blocks.map(([, name, text]) => [name!, text!] as const);
    folder = await installed('vlgym');
    for (const [name, text] of files) await writeFile(join(folder, name), text);
  }, 600_000);

  const vlgym = async (...args: string[]) =>
    (await run('npx', ['vlgym', ...args], { cwd: folder, maxBuffer: 64 << 20 })).stdout;

  it('each is a file of fewer than 30 lines', () => {
    expect(files.map(([name]) => name).sort()).toEqual(['curious.mjs', 'shop.yaml', 'shopper.mjs']);
    for (const [name, text] of files) expect(text.trimEnd().split('\n').length, name).toBeLessThan(30);
  });

  it.each([
    ['curious.mjs', []],
    ['shopper.mjs', ['--env-options', 'dialogue=tools-v1']],
  ])('%s plays on the command line', async (file, options) => {
    const args = ['vlgym/WebShop-v1', '--agent', `./${file}`, '--episodes', '4', '--json', ...options];
    const { cells } = JSON.parse(await vlgym('eval', ...args)) as { cells: SuiteCell[] };
    expect(cells).toMatchObject([{ planned: 4, excluded: 0, scores: { counted: 4, fallbackRate: 0 }, failures: [] }]);
  });

  it('the suite plays them beside the baselines, and resumes', async () => {
    const before = await vlgym('suite', 'shop.yaml', '--json');
    const { cells, comparisons } = JSON.parse(before) as { cells: SuiteCell[]; comparisons: unknown[] };
    expect(cells.map(({ agent }) => agent)).toEqual(['random', 'oracle', 'curious', 'tool-loop']);
    expect(cells.every(({ scores }) => scores?.counted === 30)).toBe(true);
    expect(cells[3]!.usage.requests).toBeGreaterThan(30);
    expect(comparisons).toHaveLength(6);
    expect(await readFile(join(folder, 'runs/shop/report.html'), 'utf8')).toContain('tool-loop');
    expect(await vlgym('suite', 'shop.yaml', '--json')).toBe(before);
    expect(await vlgym('compare', 'runs/shop', 'runs/shop')).toContain('No significant difference.');
  });
});

it('what is linked for a consumer is what npm installs for it', { timeout: 300_000 }, async () => {
  // names: where several versions fit, npm takes the one that other packages need too
  const names = (installation: Installation) =>
    [...new Set([...installation.keys()].map((path) => path.split('node_modules/').at(-1)!))].sort();
  for (const name of alone) await installed(name);
  expect(byNpm.size).toBeGreaterThan(alone.size); // and the front page
  for (const [folder, wanted] of byNpm) {
    expect(names(installationIn(folder)), wanted.join(' ')).toEqual(names(await packages.needed(wanted)));
  }
});

/** The first example of a README, word for word: what to install, what to save under which name, what to type. */
function instructionsIn(readme: string) {
  const { 0: line, 1: packages, index } = /^npm install (.+)$/m.exec(readme)!;
  const install = packages!
    .replace(/\s+#.*/, '')
    .trim()
    .split(/\s+/)
    .filter((word) => !word.startsWith('--'));
  const rest = readme.slice(index + line.length);
  const [example, language, code] = /^```(ts|js|sh)\n(.*?)^```$/ms.exec(rest)!;
  if (language === 'sh') return { install, save: 'first.sh', code: code!, command: 'sh -e first.sh' };
  const after = rest.slice(rest.indexOf(example) + example.length);
  const told = /^\n+Save as `([\w.-]+)`, then(?: `([^`\n]+)`\.|:\n\n```sh\n([^\n]+)\n```)/.exec(after);
  if (!told) throw new Error('The README does not say how to run its first example.');
  const [, save, inline, block] = told;
  return { install, save: save!, code: code!, command: (inline ?? block)! };
}
