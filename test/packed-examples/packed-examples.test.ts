/**
 * Each example as its README says: copied to an empty folder, with our packages from packed files, by the commands that are
 * printed there. `npm run test:examples` sets VLGYM_TEST_EXAMPLES; the normal suite checks the parts in the clone.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { readTrajectories } from '@vlgym/core/trajectory';
import type { Browser, Page } from 'puppeteer-core';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nextScene, textOf } from '../../apps/cli/test-support/play-pages.js';
import { chromium, hasText, press } from '../../apps/viewer/test-support/browser.js';
import { GYMNASIUM, PythonPackage } from '../support/python-package.js';
import { ROOT } from '../support/workspaces.js';

const LIMIT = 600_000;
vi.setConfig({ testTimeout: LIMIT, hookTimeout: LIMIT });

const run = promisify(execFile);
const WALK = ['up', 'down', 'left', 'right'];
const EXAMPLES = [
  { name: 'sokoban', id: 'example/Sokoban-v0', labels: WALK },
  { name: 'flag', id: 'example/Flag-v0', labels: ['left', 'right', 'up', 'down'] },
  {
    name: 'vault',
    id: 'example/Vault-v0',
    labels: ['turn left', 'turn right', 'move forward', 'move back', 'pick up', 'drop', 'toggle'],
  },
];
/** Instead of the settings of the examples, which take minutes. */
const TINY =
  '--updates 1 --steps-per-update 8 --num-envs 2 --warm-start-examples 64 --evaluation-episodes 2 --threads 1';

/** The result of a tool. */
interface Answer {
  readonly content: readonly { readonly type: string; readonly data?: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

const { VLGYM_TEST_EXAMPLES: asked } = process.env;
const examples = EXAMPLES.filter(({ name }) => asked === 'all' || asked?.split(',').includes(name));

describe.skipIf(!asked)(asked ? 'an example, copied' : 'an example, copied (skipped: npm run test:examples)', () => {
  let home = '';
  let packed = '';
  let browser: Browser;
  let python: PythonPackage | undefined;

  beforeAll(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'vlgym-packed-examples-')));
    packed = join(home, 'packed');
    await run('npm', ['run', 'pack', '--silent', '--', packed], { cwd: ROOT });
    browser = await puppeteer.launch({ executablePath: chromium!, args: ['--no-sandbox', '--disable-gpu'] });
    if (GYMNASIUM.python) python = await PythonPackage.install();
  });
  afterAll(async () => {
    await browser?.close();
    python?.remove();
    await rm(home, { recursive: true, force: true });
  });

  describe.each(examples)('$name', ({ name, id, labels }) => {
    let folder = '';
    let commands: string[] = [];
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' };

    beforeAll(async () => {
      folder = join(home, name);
      const source = join(ROOT, 'examples', name);
      const isSource = (path: string) => !/^\/(?:dist|node_modules)\b/.test(path.slice(source.length));
      await cp(source, folder, { recursive: true, filter: isSource });
      const [block] = /^```sh\n[^`]*^```$/m.exec(await readFile(join(folder, 'README.md'), 'utf8'))!;
      commands = block.split('\n').slice(1, -1).map((line) => line.replace(/ +#.*/, '')); // biome-ignore format: one line
      for (const command of commands.filter((each) => /^npm (?:install|run)/.test(each))) {
        await shell(command.replace('FOLDER', packed), '--prefer-offline --no-audit --no-fund --ignore-scripts');
      }
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** The line of the README with these words. */
    function line(...words: string[]): string {
      const found = commands.find((each) => words.every((word) => each.includes(word)));
      expect(found, `${words.join(' ')} in the README`).toBeDefined();
      return found!;
    }
    const shell = (command: string, more = '', variables: NodeJS.ProcessEnv = {}) =>
      run('sh', ['-ec', `${command} ${more}`], { cwd: folder, env: { ...env, ...variables }, maxBuffer: 64 << 20 });

    /** A command that serves a page until it is stopped. */
    async function onPage(command: string, use: (page: Page) => Promise<void>): Promise<void> {
      const [, file, ...args] = command.split(' ');
      const child = spawn(join(folder, 'node_modules/.bin', file!), [...args, '--no-open'], {
        ...{ cwd: folder, env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const over = once(child, 'exit');
      try {
        let address: string | undefined;
        for await (const text of createInterface({ input: child.stdout })) {
          [address] = /http:\S+/.exec(text) ?? [];
          if (address) break;
        }
        const page = await browser.newPage();
        page.setDefaultTimeout(LIMIT / 2);
        await page.goto(address!);
        await use(page);
        await page.close();
      } finally {
        child.kill('SIGINT');
        await over;
      }
    }

    it('has tests that pass', async () => {
      expect((await shell(line('npm test'))).stdout).toMatch(/^(?:ℹ|#) fail 0$/m);
    });

    it('says what it declares', async () => {
      const { stdout, stderr } = await shell(line('vlgym envs'));
      expect(stdout).toMatch(/goal [\s\S]*opens +as a page[\s\S]*training +\{/);
      expect(stderr).toBe('');
    });

    it('is played by its expert, and replayed', async () => {
      expect((await shell(line('vlgym eval'))).stdout).toMatch(/success +100\.0 %/);
      expect((await shell(line('vlgym replay'))).stdout).toMatch(/(\d+) of \1 episodes agree/);
    });

    it('is watched, and played again there', async () => {
      await onPage(line('vlgym watch'), async (page) => {
        await page.waitForFunction("document.querySelector('.pictures img')?.naturalWidth > 0");
        await page.keyboard.press('ArrowRight');
        await hasText(page, 'Step 1', '.player');
        await press(page, 'Play it again and compare');
        await hasText(page, 'steps equal', '.episode .badge');
      });
    });

    it('is played to its end in the terminal, by typing', async () => {
      const typed: string[] = [];
      for await (const { seed, steps } of readTrajectories(join(folder, 'runs', name))) {
        if (seed === 0) typed.push(...steps.map(({ action }) => labels[action as number]!));
      }
      expect(typed.length).toBeGreaterThan(1);
      const playing = shell(line('vlgym play', '--terminal'));
      playing.child.stdin?.end(`nonsense\n${typed.join('\n')}\n`);
      const { stdout } = await playing;
      expect(stdout).toContain('"nonsense" is not an action');
      expect(stdout).toMatch(new RegExp(`^Solved\\. Return \\S+ in ${typed.length} steps`, 'm'));
    });

    it('is played to its end on the page, by the hints', async () => {
      await onPage(line('vlgym play'), async (page) => {
        await page.waitForFunction('document.body.dataset.turn !== undefined');
        expect(await page.$eval('canvas', ({ width }) => width)).toBeGreaterThan(40);
        expect(await textOf(page, '#guide')).toMatch(/How to play.{20}/);
        while ((await textOf(page, '#verdict strong')) === '') {
          await page.click('#hint');
          const advice = await page.waitForSelector('#advice button');
          await nextScene(page, () => advice!.click());
        }
        expect(await textOf(page, '#verdict')).toMatch(/^Solved\. Return /);
      });
    });

    it('is played by an agent with tools, which is shown pictures', async () => {
      const [, file, ...args] = line('vlgym mcp').split(' ');
      const command = join(folder, 'node_modules/.bin', file!);
      const client = await createMCPClient({
        transport: new StdioMCPTransport({ command, args, cwd: folder, stderr: 'ignore' }),
      });
      try {
        const tools = await client.tools();
        const call = async (tool: string, args: object) =>
          (await tools[tool]!.execute(args, { toolCallId: tool, messages: [] })) as Answer;
        const start = await call('reset', { seed: 7 });
        const picture = start.content.find(({ type }) => type === 'image');
        expect(Buffer.from(picture!.data!, 'base64').subarray(1, 4).toString()).toBe('PNG');
        const { structuredContent } = await call('act', {
          episode: start.structuredContent.episode,
          action: labels[0],
        });
        expect(structuredContent).toMatchObject({ reward: expect.any(Number), terminated: false });
      } finally {
        await client.close();
      }
    });

    it('is trained with its settings, and the run has a report', async () => {
      const { stdout } = await shell(line('vlgym train'), `${TINY} --folder runs/trained`);
      expect(stdout).toMatch(/^VL-DAC: /);
      expect(stdout).toContain('report runs/trained/report.html');
      expect(await readFile(join(folder, 'runs/trained/report.html'), 'utf8')).toContain(id);
    });

    it.skipIf(!GYMNASIUM.python)('is played in Python, and passes the checks of Gymnasium', async () => {
      const variables = { PATH: `${dirname(GYMNASIUM.python!)}:${env.PATH}`, PYTHONPATH: python!.folder };
      expect((await shell(line('play.py'), '', variables)).stdout).toContain(`'${id}'`);
      expect(await python!.check('foreign', [`@vlgym/example-${name}`, id], { cwd: folder })).toMatchObject({
        found: expect.arrayContaining([id]), // and the worlds of a package that it imports
        labels,
        listed: true,
        equal: [true, true],
      });
    });
  });
});
