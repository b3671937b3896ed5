/**
 * `vlgym view` in a real headless Chromium: from a curve to a token, three questions of newcomers, live runs that are
 * killed, hostile runs, one file without a server, and keys. `viewer-views.test.ts` looks at every view.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type AgentTurn, type AnyAgent, oracleAgent, randomAgent } from '@vlgym/agents';
import { installedChromium } from '@vlgym/chromium';
import { TrajectoryWriter } from '@vlgym/core/trajectory';
import { exportPage, type Viewing, view } from '@vlgym/viewer';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { choose, hasText } from '../apps/viewer/test-support/browser.js';
import { makeRun, metricsLine, playInto, recordUpdates, toolAgent } from '../apps/viewer/test-support/make-run.js';

/** A browser takes as long as the machine lets it. */
const LIMIT = 60_000;
vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: 2 * LIMIT });

const chromium = installedChromium();

const HOSTILE = '</script><img src=x onerror="document.title=\'owned\'"><b id="injected">bold</b>';
/** Fields whose text a model or an environment chooses. */
const SPOILED = new Set(['thought', 'text', 'taskKey', 'actionText', 'action', 'response', 'name', 'role']);
const seeds = [0, 1, 2, 3, 4, 5, 6, 7];

/** A process that owns the folder of a run, as a trainer does. */
async function holderOf(folder: string): Promise<ChildProcess> {
  const code = `import { lockFolder } from '@vlgym/core/internal';
    await lockFolder(${JSON.stringify(folder)}, 'run');
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

/** The expert, but for one step of some seeds. */
const careless: AnyAgent = {
  name: 'careless',
  act: async (context): Promise<AgentTurn> => {
    const turn = await oracleAgent().act(context);
    return context.stepIndex === 1 ? randomAgent().act(context) : turn;
  },
};

describe.skipIf(chromium === undefined)(chromium ? 'the viewer' : 'the viewer (skipped: Chromium is missing)', () => {
  let browser: Browser;
  let home = '';
  const open: Viewing[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'vlgym-viewer-'));
    browser = await puppeteer.launch({
      executablePath: chromium!,
      args: ['--no-sandbox', '--disable-gpu'],
      timeout: LIMIT,
    });
    await makeRun(join(home, 'one', 'first'), { seeds });
    await makeRun(join(home, 'one', 'second'), {
      seeds,
      agent: careless,
      settings: { config: { loss: { clipLow: 0.2 } } },
    });
    await playInto(join(home, 'one', 'tools'), toolAgent, seeds);
    // as `vlgym eval --record` leaves two agents in one folder, and both in one recording
    for (const agent of [oracleAgent(), careless]) await playInto(join(home, 'agents', agent.name), agent, seeds);
    const writer = await TrajectoryWriter.open(join(home, 'both'));
    for (const agent of [oracleAgent(), careless]) await playInto(writer, agent, seeds);
    await writer.close();
  });
  afterAll(async () => {
    await browser?.close();
    for (const viewing of open) await viewing.close();
    rmSync(home, { recursive: true, force: true });
  });

  const faults: string[] = [];
  async function pageAt(address: string, { width = 1280 } = {}): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT);
    await page.setViewport({ width, height: 900 });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    await page.evaluateOnNewDocument(
      "globalThis.clicks = 0; addEventListener('click', () => { globalThis.clicks += 1; }, true);",
    );
    await page.goto(address);
    return page;
  }
  async function see(folders: readonly string[], { fragment = '', width = 1280 } = {}): Promise<Page> {
    const viewing = await view({ folders });
    open.push(viewing);
    return pageAt(`${viewing.address}${fragment}`, { width });
  }
  async function exported(folders: readonly string[]): Promise<string> {
    const file = join(await mkdtemp(join(home, 'out-')), 'run.html');
    await exportPage({ folders, file });
    return file;
  }
  const text = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? '');
  const clicksOn = (page: Page) => page.evaluate('globalThis.clicks');
  /** Clicks what a person would read. */
  async function press(page: Page, words: string, selector = 'a, button, summary'): Promise<void> {
    const handle = await page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent.includes(${JSON.stringify(words)}))`,
    );
    await (handle.asElement() as unknown as { click(): Promise<void> }).click();
  }
  /** In one turn of the page: a list may be drawn again at any time. */
  const openFirst = (page: Page) =>
    page.waitForFunction(
      `(() => { const first = document.querySelector('.list li a'); first?.click(); return first !== null; })()`,
    );
  const openRun = async (page: Page, name: string) => {
    await press(page, name);
    await page.waitForSelector('.state .badge');
  };
  const fragmentOf = async (page: Page) =>
    new URLSearchParams((await page.evaluate('location.hash.slice(1)')) as string);

  it('leads from a curve to the failed episode of that update, its tokens and advantages, in two clicks', async () => {
    const page = await see([join(home, 'one', 'first')]);
    const plot = (await page.waitForSelector('.chart .u-over'))!;
    const box = (await plot.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2); // update 10 of 20
    await hasText(page, 'Update 10', '.tabs a[aria-current]');
    await choose(page, '.filters select', 'failure');
    await page.waitForFunction(
      "document.querySelector('.list .mark.bad') && !document.querySelector('.list .mark.good')",
    );
    await page.click('.list li a');
    await hasText(page, 'not solved', '.episode');
    await hasText(page, 'advantage', '.episode .facts');
    await page.waitForSelector('.tokens button');
    expect(await text(page, '.tokens')).toBe('{"thoughts": "go on", "action": "+"}');
    expect(await clicksOn(page)).toBe(2); // the curve, and the episode; the filter is a choice of a list
    await page.click('.tokens button:nth-child(4)');
    expect(await text(page, '.chosen')).toMatch(/log-prob−0\.4.*entropy, nats0\.8.*learner to sampler1\.11/);
    const place = await fragmentOf(page);
    expect(Object.fromEntries(place)).toMatchObject({ update: '10', set: 'update-10', token: '3' });
    await page.reload(); // the address is the state
    await hasText(page, 'learner to sampler', '.chosen');
    await press(page, 'Beside the others of the same group');
    await page.waitForSelector('.beside thead .differs');
    expect(await text(page, '.beside tbody')).toContain('advantage');
    await page.close();
  });

  it('says in two clicks why a tool agent failed, with the calls, their outputs and the reasoning', async () => {
    const page = await see([join(home, 'one')]);
    await openRun(page, 'tools');
    await choose(page, '.filters select', 'error');
    await page.waitForSelector('.list li a');
    await page.click('.list li a');
    await hasText(page, 'tool TOOL_FAILED: The server of look_up answered 503.', '.episode .alert');
    await hasText(page, 'right', '.tools pre');
    await hasText(page, 'The target is on the right.', '.episode');
    expect(await clicksOn(page)).toBe(2); // the run, and the episode
    await press(page, 'Go to step');
    await hasText(page, 'The server of look_up answered 503.', '.tools .alert');
    await press(page, 'Usage and settings');
    await hasText(page, '120', '.facts');
    await page.close();
  });

  it('says in four clicks which of two runs lost on which seed, where they first differ, and which settings differ', async () => {
    const page = await see([join(home, 'one')]);
    for (const name of ['first', 'second'])
      await page
        .click(`[aria-label="compare ${name}"]`)
        .catch(() => page.waitForSelector(`[aria-label="compare ${name}"]`).then((box) => box!.click()));
    await press(page, 'Compare the two');
    await hasText(page, '8 equal seeds');
    await hasText(page, 'loss.clipLow', 'section[aria-label="Comparison"] table');
    await page.click('.seeds a');
    await hasText(page, 'They first differ at step');
    expect(await clicksOn(page)).toBe(4); // the two runs, to compare them, and the seed
    const first = Number(/step (\d+)/.exec(await text(page, 'section[aria-label="Comparison"] p[role=status]'))![1]);
    const row = await page.$$eval(`.beside tbody td:nth-child(${first + 2}) code`, (cells) =>
      cells.map((cell) => cell.textContent),
    );
    expect(new Set(row).size === 1).toBe(false);
    await page.close();
  });

  /** Opens the first seed of the list. @returns the words about who lost, and the step where the two first differ. */
  async function lostSeed(page: Page): Promise<readonly string[]> {
    await page.waitForSelector('.seeds a');
    const said = await text(page, '.seeds a');
    expect(said).toMatch(/seed \d+: careless lost/);
    await page.click('.seeds a');
    await hasText(page, 'They first differ at step', 'section[aria-label="Comparison"]');
    const [, step] = /differ at step (\d+): oracle chose \S+, careless chose \S+/.exec(
      await text(page, 'section[aria-label="Comparison"] p[role=status]'),
    )!;
    const cells = await page.$$eval(`.beside tbody td:nth-child(${Number(step) + 2}) code`, (found) =>
      found.map((cell) => cell.textContent),
    );
    expect(new Set(cells).size).toBe(2);
    return [said, step!];
  }

  it('says in four clicks which of two agents lost on which seed and where they first differ, and in two in one recording', async () => {
    const page = await see([join(home, 'agents')]);
    for (const name of ['oracle', 'careless']) {
      await page.waitForSelector(`[aria-label="compare ${name}"]`);
      await page.click(`[aria-label="compare ${name}"]`);
    }
    await press(page, 'Compare the two');
    await hasText(page, 'oracle and careless', 'h2');
    await hasText(page, 'agent.name', 'section[aria-label="Comparison"] table');
    const found = await lostSeed(page);
    expect(await clicksOn(page)).toBe(4); // the two recordings, to compare them, and the seed
    await page.goto(pathToFileURL(await exported([join(home, 'agents')])).href);
    await press(page, 'oracle');
    await choose(
      page,
      '.state select',
      await page.$eval('.state select option:nth-child(2)', (each) => (each as unknown as { value: string }).value),
    );
    expect(await lostSeed(page)).toEqual(found);
    await page.close();

    const one = await see([join(home, 'both')]);
    await press(one, 'Compare the two');
    expect(await lostSeed(one)).toEqual(found);
    expect(await clicksOn(one)).toBe(2);
    await press(one, 'careless', '.list li a');
    await press(one, 'Beside the others of the same seed');
    await hasText(one, 'careless', 'section[aria-label="Side by side"] .beside');
    await one.close();
  });

  it('follows a run while it is trained, moves nothing that was set, and stays when it is killed and when the viewer ends', async () => {
    const folder = join(home, 'live');
    await makeRun(folder, { updates: 4, recorded: [2], seeds, settings: { updates: 100 }, isDone: false });
    const trainer = await holderOf(folder);
    const page = await see([folder]);
    await hasText(page, 'running', '.state');
    await hasText(page, 'update 4 of 100', '.state');
    await page.click('.list li a');
    await hasText(page, 'Step 0', '.player');
    const before = await fragmentOf(page);
    appendFileSync(join(folder, 'metrics.jsonl'), metricsLine(5) + metricsLine(6).slice(0, 20));
    await hasText(page, 'update 5 of 100', '.state');
    appendFileSync(join(folder, 'metrics.jsonl'), metricsLine(6).slice(20));
    await recordUpdates(folder, [6]);
    await hasText(page, 'Update 6 of 6', '.scrubber');
    expect(await fragmentOf(page)).toEqual(before);
    await hasText(page, 'Step 0', '.player');
    await page.focus('.scrubber input[type=range]');
    await page.keyboard.press('ArrowLeft'); // the cursor is the reader's from now on
    await hasText(page, 'Update 5 of 6', '.scrubber');
    appendFileSync(join(folder, 'metrics.jsonl'), metricsLine(7));
    await hasText(page, 'Update 5 of 7', '.scrubber');
    trainer.kill('SIGKILL');
    await hasText(page, 'stopped', '.state .badge');
    await open.pop()!.close();
    await hasText(page, 'does not answer any more', '.alert');
    await hasText(page, 'Update 5 of 7', '.scrubber');
    await page.close();
  });

  it('continues an episode from a step, shows the branch beside its parent, and verifies it', async () => {
    const page = await see([join(home, 'one', 'second')]);
    await press(page, 'Last evaluation');
    await openFirst(page);
    await press(page, 'Branch here');
    await page.$eval('.branch textarea', (element) => ((element as unknown as { value: string }).value = ''));
    await page.type('.branch textarea', '{"action": "-"}');
    await press(page, 'Play the branch');
    await hasText(page, 'Branches (1)', '.tabs a[aria-current]');
    await press(page, 'Play it again and compare');
    await hasText(page, 'steps equal', '.episode .badge');
    await press(page, 'the recorded episode', '.tree a');
    await hasText(page, 'at step 0', '.tree');
    await page.close();
  });

  it('writes whatever a run says as text', async () => {
    const folder = join(home, 'hostile');
    await makeRun(folder, { seeds: [0, 1], recorded: [5] });
    for (const file of ['training/update-000005.jsonl', 'training/episodes.jsonl', 'episodes/episodes.jsonl']) {
      const path = join(folder, file);
      const spoil = (key: string, value: unknown) =>
        typeof value === 'string' && SPOILED.has(key) ? `${HOSTILE}${value}` : value;
      const lines = readFileSync(path, 'utf8').trim().split('\n');
      const changed = lines.map((line) => `${JSON.stringify(JSON.parse(line, spoil))}\n`).join('');
      writeFileSync(path, changed);
    }
    rmSync(join(folder, 'episodes', 'episodes.index.jsonl'));
    const settings = { typed: {}, effective: { algorithm: HOSTILE, env: HOSTILE, seed: 0, [HOSTILE]: HOSTILE } };
    writeFileSync(join(folder, 'run.json'), JSON.stringify(settings));
    renameSync(folder, join(home, '<b id="injected">'));
    const page = await see([join(home, '<b id="injected">')]);
    await hasText(page, HOSTILE, '.state');
    await press(page, 'Settings');
    await hasText(page, HOSTILE, 'table');
    await page.click('.list li a');
    await hasText(page, HOSTILE, '.episode');
    expect(await page.$('#injected')).toBeNull();
    const own = await mkdtemp(join(home, 'out-'));
    await exportPage({ folders: [join(home, '<b id="injected">')], file: join(own, 'run.html') });
    await page.goto(pathToFileURL(join(own, 'run.html')).href);
    await hasText(page, HOSTILE, '.state');
    expect(await page.$('#injected')).toBeNull();
    expect(await page.title()).not.toBe('owned');
    await page.close();
  });

  it('opens as one file from disk, without a network, with pictures, tokens and filters', async () => {
    const file = join(home, 'run.html');
    const { kept, leftOut } = await exportPage({ folders: [join(home, 'one', 'first')], file, episodes: 6 });
    expect([kept, leftOut]).toEqual([6, 18]);
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT);
    page.on('pageerror', (error) => faults.push(String(error)));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setOfflineMode(true);
    await page.goto(pathToFileURL(file).href);
    await hasText(page, 'One file with 6 episodes; 18 episodes are left out.');
    await page.waitForSelector('.chart canvas');
    await page.click('.list li a');
    await page.waitForSelector('.tokens button');
    await page.waitForFunction("document.querySelector('.pictures img')?.naturalWidth > 0");
    await choose(page, '.filters select', 'success');
    await hasText(page, 'of ', '.episodes [role=status]');
    expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
    await page.close();
  });

  it('is driven by keys: episodes, steps, the cursor and the way out', async () => {
    const page = await see([join(home, 'one', 'first')]);
    await page.waitForSelector('.list li a');
    await page.keyboard.press('j');
    await page.waitForSelector('.player');
    const first = (await fragmentOf(page)).get('episode');
    await page.keyboard.press('ArrowRight');
    await hasText(page, 'Step 1', '.player');
    await page.keyboard.press('j');
    await page.waitForFunction(`!location.hash.includes(${JSON.stringify(encodeURIComponent(first!))})`);
    await page.keyboard.press('k');
    await page.waitForFunction(`location.hash.includes(${JSON.stringify(encodeURIComponent(first!))})`);
    // no frame is drawn between the keys
    await page.evaluate(`(async () => {
      for (const key of 'jjj') {
        dispatchEvent(new KeyboardEvent('keydown', { key }));
        await Promise.resolve();
      }
    })()`);
    await page.waitForSelector('.list li:nth-child(4) a[aria-current]');
    await page.keyboard.press('Escape');
    await page.waitForFunction("!document.querySelector('.player')");
    await page.keyboard.press('[');
    await hasText(page, 'Update 19 of 20', '.scrubber');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.close();
  });

  it('had no error on any page', () => expect(faults).toEqual([]));
});
