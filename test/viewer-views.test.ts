/**
 * Every view of `vlgym view` in a real headless Chromium: axe finds nothing serious, and nothing is wider than the page, on a
 * desk in light and on a phone in dark. `VLGYM_VIEWS=FOLDER npx vitest run test/viewer-views.test.ts` takes both widths in
 * both schemes, and writes a picture of every view into FOLDER.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AgentTurn, type AnyAgent, evaluate, oracleAgent, randomAgent, speakingAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '@vlgym/alfworld';
import '@vlgym/minigrid';
import '@vlgym/points24';
import '@vlgym/puzzles';
import '@vlgym/webshop';
import { exportPage, listRuns, type TokenPlace, type TokenQuestion } from '@vlgym/viewer';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { choose, chromium, findingsOn, hasText, press, Reader } from '../apps/viewer/test-support/browser.js';
import { makeRun, playInto, toolAgent } from '../apps/viewer/test-support/make-run.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const pictures = process.env.VLGYM_VIEWS;
const LOOKS = (['light', 'dark'] as const).flatMap((scheme) =>
  [1280, 360].flatMap((width) =>
    pictures || (scheme === 'light') === (width === 1280) ? [[scheme, width] as const] : [],
  ),
);
const STAGES = {
  cards: 'vlgym/Points24-v1',
  shop: 'vlgym/WebShop-v1',
  grid: 'MiniGrid-DoorKey-6x6-v0',
  board: 'vagen/Sokoban-v0',
  household: 'vlgym/ALFWorld-v1',
} as const;
const seeds = [0, 1, 2, 3, 4, 5, 6, 7];
/** The expert, but for one step. */
const careless: AnyAgent = {
  name: 'careless',
  act: async (context): Promise<AgentTurn> => (context.stepIndex === 1 ? randomAgent() : oracleAgent()).act(context),
};
const speaker = speakingAgent(() => '{"thoughts": "The target is on the right.", "action": "+"}', { name: 'speaker' });
const others = ['"', ' left', '-', '+', ' right', ' the', '\n', '}'];
/** Made up, as the tokens of the run are. */
async function alternatives({ tokenIds }: TokenQuestion): Promise<TokenPlace[]> {
  const top = others.map((text, rank) => ({ id: rank + 11, text, logProb: -0.6 - rank * 0.9 }));
  return [...tokenIds].map((id) => ({ logProb: top[id - 11]?.logProb ?? -9, rank: id - 11, top }));
}
const agents: Readonly<Record<string, AnyAgent>> = { oracle: oracleAgent(), random: randomAgent(), speaker };
const players = {
  agents: [...Object.keys(agents), 'policy'],
  openAgent: async ({ name }: { readonly name: string }) => ({ agent: agents[name] ?? speaker, alternatives }),
};

describe.skipIf(chromium === undefined)(chromium ? 'the viewer' : 'the viewer (skipped: Chromium is missing)', () => {
  const home = mkdtempSync(join(tmpdir(), 'vlgym-views-'));
  const [runs, one, file] = [join(home, 'runs'), join(home, 'runs', 'first'), join(home, 'run.html')];
  let reader: Reader;
  beforeAll(async () => {
    reader = await Reader.open();
    await makeRun(one, { seeds, agent: careless });
    await makeRun(join(runs, 'second'), { seeds, settings: { config: { loss: { clipLow: 0.2 } } }, isDone: false });
    await playInto(join(runs, 'tools'), toolAgent, seeds);
    for (const [name, id] of Object.entries(STAGES)) {
      const record = join(runs, 'stages', name);
      await evaluate({ env: () => make(id), agent: randomAgent(), seeds: [1], maxSteps: 3, record });
    }
    mkdirSync(join(home, 'empty'));
    await exportPage({ folders: [one], file, episodes: 8 });
    if (pictures) mkdirSync(pictures, { recursive: true });
  });
  afterAll(async () => {
    await reader?.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** Plays what the views of branches and of the arena show; the rest is there once. */
  async function playOn(page: Page): Promise<void> {
    await press(page, 'seed', '.list li a');
    await press(page, 'Branch here');
    await press(page, 'Play the branch');
    await hasText(page, 'Branches (', '.tabs a[aria-current]');
    await press(page, 'Arena: two on one seed');
    const selects = '.episode details[open] select';
    await page.waitForFunction(`document.querySelectorAll(${JSON.stringify(selects)}).length >= 2`);
    const [first, second] = (await page.$$(selects)).slice(-2);
    await first!.select('speaker');
    await second!.select('random');
    await press(page, 'Let them play');
    await hasText(page, 'Arena (', '.tabs a[aria-current]');
  }

  it.each(LOOKS)('shows every view (%s, %i px)', async (scheme, width) => {
    const { runs: found } = await listRuns([runs]);
    const idOf = (name: string) => found.find((run) => run.name === name)!.id;
    const page = await reader.see({ folders: [runs], ...players }, { scheme, width });
    const findings: string[] = [];
    const show = async (view: string) => {
      if (pictures) {
        const path = join(pictures, `${view}-${width}-${scheme}.png`) as `${string}.png`;
        // pictures below the fold load when they come into view
        await page.evaluate('for (const picture of document.images) picture.loading = "eager"');
        await page.waitForFunction('[...document.images].every((picture) => picture.complete)');
        await page.screenshot({ path, fullPage: true });
      }
      findings.push(...(await findingsOn(page)).map((finding) => `${view}: ${finding}`));
    };
    const go = (name: string, place: Readonly<Record<string, string>> = {}) =>
      page.evaluate(`location.hash = ${JSON.stringify(`#${new URLSearchParams({ run: idOf(name), ...place })}`)}`);
    const openFirst = async (words = 'seed') => {
      await press(page, words, '.list li a');
      await page.waitForSelector('.player');
    };

    await page.waitForSelector('tbody tr');
    await show('runs');
    await press(page, '?', 'header button');
    await page.waitForSelector('dialog[open]');
    await show('keys');
    await page.keyboard.press('Escape');

    await go('first');
    await page.waitForSelector('.list li a');
    await page.waitForSelector('.chart canvas');
    await show('run');
    await press(page, 'Settings');
    await page.waitForSelector('section[aria-label="Settings"] tbody tr');
    await show('settings');
    await press(page, 'Settings', '.state button');
    await openFirst();
    await page.waitForSelector('.tokens button');
    await show('episode');
    await press(page, '"action"', '.tokens button');
    await press(page, 'What else could it have written?');
    await hasText(page, 'written', '.alternatives tbody');
    await press(page, 'All numbers');
    await show('tokens');
    for (const words of ['Branch here', 'Ask about this step', 'Arena: two']) await press(page, words, 'summary');
    await press(page, 'another picture', 'label');
    await page.waitForSelector('.editor canvas');
    await show('what-if');
    await press(page, 'Beside the others');
    await page.waitForSelector('.beside');
    await show('group');

    await go('second');
    await hasText(page, 'stopped', '.state .badge');
    await page.waitForSelector('.list li a');
    await show('stopped');
    await go('first', { other: idOf('second') });
    await page.waitForSelector('section[aria-label="Comparison"] tbody tr');
    await show('comparison');
    await press(page, '', '.seeds a');
    await hasText(page, 'They first differ at step');
    await show('one-seed');

    await go('first', { set: 'played' });
    await hasText(page, 'Last evaluation', '.tabs a[aria-current]');
    await playOn(page);
    await page.waitForSelector('.pair .side');
    await show('arena');
    await press(page, 'Branches (');
    await hasText(page, 'Branches (', '.tabs a[aria-current]');
    await openFirst();
    await page.waitForSelector('.tree');
    await show('branches');

    await go('tools');
    await hasText(page, 'episodes', '.episodes [role=status]');
    await choose(page, '.filters select', 'error');
    await hasText(page, 'TOOL_FAILED', '.list');
    await openFirst('TOOL_FAILED');
    await press(page, 'Go to step');
    await hasText(page, '503', '.tools .alert');
    await show('tools');

    for (const name of Object.keys(STAGES)) {
      await go(join('stages', name));
      await hasText(page, name, 'header .crumb');
      await openFirst();
      await page.waitForSelector('.stage');
      await show(`stage-${name}`);
    }
    await page.close();

    const empty = await reader.see({ folders: [join(home, 'empty')] }, { scheme, width });
    await hasText(empty, 'no run and no recording');
    await empty.goto(pathToFileURL(file).href);
    await hasText(empty, 'One file with');
    await empty.waitForSelector('.chart canvas');
    if (pictures)
      await empty.screenshot({ path: join(pictures, `one-file-${width}-${scheme}.png`) as `${string}.png` });
    findings.push(...(await findingsOn(empty)).map((finding) => `one-file: ${finding}`));
    await empty.close();
    expect(findings).toEqual([]);
    expect(reader.faults).toEqual([]);
  });
});
