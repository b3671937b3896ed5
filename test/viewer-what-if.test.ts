/**
 * `vlgym view` in a real headless Chromium: the arena, questions about a step, changed pictures, the stages of
 * environments, the search through all texts, thousands of episodes, and pictures that go with the cursor; whatever a run or an agent says stays text.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyAgent, evaluate, oracleAgent, randomAgent, speakingAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import '@vlgym/alfworld';
import '@vlgym/minigrid';
import '@vlgym/points24';
import '@vlgym/puzzles';
import '@vlgym/webshop';
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import { listRuns } from '@vlgym/viewer';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromium, findingsOn, hasText, press, Reader } from '../apps/viewer/test-support/browser.js';
import { makeRun, playInto, recordUpdates } from '../apps/viewer/test-support/make-run.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const HOSTILE = '</script><img src=x onerror="document.title=\'owned\'"><b id="injected">bold</b>';
const speaker = speakingAgent(() => `{"thoughts": "${HOSTILE.replaceAll('"', "'")}", "action": "+"}`, {
  name: 'speaker',
});
const agents: Readonly<Record<string, AnyAgent>> = { oracle: oracleAgent(), random: randomAgent(), speaker };
const players = {
  agents: Object.keys(agents),
  openAgent: async ({ name }: { readonly name: string }) => ({ agent: agents[name]! }),
};

/** An environment of each stage, and words that it draws for a person. */
const STAGES = {
  cards: { id: 'vlgym/Points24-v1', words: 'Formula' },
  shop: { id: 'vlgym/WebShop-v1', words: 'Page: ' },
  grid: { id: 'MiniGrid-DoorKey-6x6-v0', words: 'it looks' },
  board: { id: 'vagen/Sokoban-v0', words: 'wall' },
  household: { id: 'vlgym/ALFWorld-v1', words: 'possible commands' },
} as const;
/** Fields by which a file is known as a recording. */
const KEPT = new Set(['event', 'id', 'schema', 'digest', 'endedBy', 'truncationReason', 'boundary', 'role', 'type']);

describe.skipIf(chromium === undefined)(chromium ? 'the viewer' : 'the viewer (skipped: Chromium is missing)', () => {
  const home = mkdtempSync(join(tmpdir(), 'vlgym-what-if-'));
  const run = join(home, 'run');
  let reader: Reader;
  beforeAll(async () => {
    reader = await Reader.open();
    await makeRun(run, { seeds: [0, 1, 2, 3], recorded: [5], agent: speaker });
    for (const [name, { id }] of Object.entries(STAGES))
      await evaluate({
        ...{ env: () => make(id), agent: randomAgent(), seeds: [1], maxSteps: 3 },
        record: join(home, 'stages', name),
      });
  });
  afterAll(async () => {
    await reader?.close();
    rmSync(home, { recursive: true, force: true });
  });
  const openFirst = (page: Page) => press(page, 'seed', '.list li a');

  it('lets two play one seed, side by side with one cursor, and adds pairs up', async () => {
    const page = await reader.see({ folders: [run], ...players });
    await press(page, 'Last evaluation');
    await hasText(page, 'Last evaluation', '.tabs a[aria-current]');
    await openFirst(page);
    await press(page, 'Arena: two on one seed');
    const selects = '.episode details[open] select';
    await page.waitForSelector(selects);
    const [first, second] = await page.$$(selects);
    await first!.select('speaker');
    await second!.select('random');
    await press(page, 'Let them play');
    await hasText(page, 'speaker', '.pair .side');
    await hasText(page, 'random', '.pair .side');
    await page.$eval('.two input[type=range]', (element) => (element as unknown as { focus(): void }).focus());
    await hasText(page, 'of both', '.two');
    await hasText(page, 'Arena (1)', '.tabs a[aria-current]');
    await hasText(page, 'speaker', 'section[aria-label="Arena"] tbody');
    await page.close();
  });

  it('asks about a step, and shows the answer as text', async () => {
    const page = await reader.see({ folders: [run], ...players });
    await press(page, 'Last evaluation');
    await hasText(page, 'Last evaluation', '.tabs a[aria-current]');
    await openFirst(page);
    await press(page, 'Ask about this step');
    await page.waitForSelector('textarea[aria-label=Question]');
    await page.type('textarea[aria-label=Question]', 'Why?');
    await press(page, 'Ask', '.branch button');
    await hasText(page, '<b id=', '.talk .assistant');
    expect(await page.$('#injected')).toBeNull();
    await page.close();
  });

  it('plays on from a picture that was painted over, and shows what the agent saw', async () => {
    const page = await reader.see({ folders: [run], ...players });
    await press(page, 'Last evaluation');
    await hasText(page, 'Last evaluation', '.tabs a[aria-current]');
    await openFirst(page);
    await press(page, 'Branch here');
    await press(page, 'another picture', 'label');
    await page.waitForFunction(
      "document.querySelector('.editor canvas')?.width > 300 || document.querySelector('.pictures img')?.naturalWidth === document.querySelector('.editor canvas')?.width",
    );
    await press(page, 'Gray', '.editor button');
    await press(page, 'Play the branch');
    await hasText(page, 'Branches (1)', '.tabs a[aria-current]');
    await page.waitForFunction("document.querySelectorAll('.episode .pictures img').length === 2"); // the true one, and the gray one
    await press(page, 'Play it again and compare');
    await hasText(page, 'steps equal', '.episode .badge');
    await page.close();
  });

  it('searches all texts, and leads to the step with the words', async () => {
    const page = await reader.see({ folders: [run], ...players });
    await press(page, 'Last evaluation');
    await hasText(page, 'Last evaluation', '.tabs a[aria-current]');
    await press(page, 'in all texts', 'label');
    await page.waitForSelector('input[type=search][placeholder*=Enter]');
    await page.type('input[type=search]', 'onerror');
    await page.keyboard.press('Enter');
    await hasText(page, 'onerror', '.list .who');
    await openFirst(page);
    await page.waitForFunction("location.hash.includes('step=')");
    await page.close();
  });

  const stepIn = (page: Page) => page.$eval('.player label', (element) => element.textContent ?? '');
  it('shows 5,000 episodes with their counts, a histogram that filters, and the right picture of each step', async () => {
    const [folder, source] = [join(home, 'many'), join(home, 'played')];
    await playInto(source, oracleAgent(), [0, 1, 2, 3, 4, 5, 6, 7]);
    const played: Trajectory[] = [];
    for await (const trajectory of readTrajectories(source)) played.push(trajectory);
    const count = 5000;
    const at = (index: number) => played[index % played.length]!;
    cpSync(join(source, 'images'), join(folder, 'images'), { recursive: true });
    const line = (_: unknown, index: number) =>
      `${JSON.stringify({ ...at(index), id: `episode.${index}`, seed: index })}\n`;
    writeFileSync(join(folder, 'episodes.jsonl'), Array.from({ length: count }, line).join(''));
    const page = await reader.see({ folders: [folder] });
    await hasText(page, '5,000 episodes ·', '.episodes [role=status]');
    await page.$eval('.list', (list) => ((list as unknown as { scrollTop: number }).scrollTop = 1e9));
    await press(page, `seed ${count - 1}`, '.list li a');
    await hasText(page, `Seed ${count - 1}`, '.episode h2');
    const { steps, observation } = at(count - 1);
    const seen = [observation, ...steps.map((step) => step.observation)];
    for (const [step, each] of seen.entries()) {
      const [hash] = each!.images!;
      await page.waitForFunction(
        `(() => { const image = document.querySelector('.episode .pictures img'); return image?.naturalWidth > 0 && image.src.includes('${hash!.slice('sha256:'.length)}'); })()`,
      );
      if (step < steps.length) await press(page, '→', '.player button');
    }
    const length = Math.max(...played.map((each) => each.steps.length));
    const longest = Array.from({ length: count }, (_, index) => at(index)).filter(
      (each) => each.steps.length === length,
    );
    await page.click(`.histogram button[aria-label^="length ${length}: "]`);
    await hasText(page, `${longest.length.toLocaleString('en')} of 5,000 episodes`, '.episodes [role=status]');
    await page.close();
  });

  it('opens the like of an episode where the cursor goes, at the same step', async () => {
    const folder = join(home, 'scrubbed');
    await makeRun(folder, { seeds: [0, 1, 2, 3], recorded: [5] });
    await recordUpdates(folder, [10], [2]);
    const page = await reader.see({ folders: [folder] }, { fragment: '#update=6' });
    await press(page, 'seed 2', '.list li a');
    await press(page, '→', '.player button');
    await page.waitForFunction("location.hash.includes('step=1')");
    const step = await stepIn(page);
    for (let update = 7; update <= 10; update += 1) {
      await page.keyboard.press(']');
      await hasText(page, `Update ${update} of`, '.scrubber');
    }
    await hasText(page, 'Update 10', '.tabs a[aria-current]');
    await hasText(page, 'policy version 10', '.episode header');
    await hasText(page, 'Seed 2', '.episode h2');
    expect(await stepIn(page)).toBe(step);
    await page.keyboard.press('[');
    await press(page, 'seed 0', '.list li a');
    await hasText(page, 'Seed 0', '.episode h2');
    await page.keyboard.press(']');
    await hasText(page, 'Seed 2', '.episode h2'); // seed 0 is not there: the first one
    await page.close();
  });

  it.each(Object.entries(STAGES))(
    'draws the stage of %s, also where every text is hostile',
    async (name, { words }) => {
      const folder = join(home, 'stages', name);
      const path = join(folder, 'episodes.jsonl');
      const before = readFileSync(path, 'utf8');
      const seen = async () => {
        const { runs } = await listRuns([folder]);
        const { id } = runs[0]!;
        const [start] = before.split('\n');
        const { trajectory } = JSON.parse(start!) as { trajectory: { id: string } };
        const place = new URLSearchParams({ run: id, set: 'played', episode: trajectory.id, step: '1' });
        return reader.see({ folders: [folder] }, { fragment: `#${place}`, width: name === 'grid' ? 360 : 1280 });
      };
      const page = await seen();
      await hasText(page, words, '.stage');
      expect(await findingsOn(page)).toEqual([]);
      await page.close();
      let isEnv = false;
      const spoil = (key: string, value: unknown): unknown => {
        if (key === 'env') isEnv = true;
        if (typeof value !== 'string' || KEPT.has(key) || /^sha256:/.test(value)) return value;
        return isEnv && key === 'id' ? value : `${HOSTILE}${value}`;
      };
      const lines = before.trim().split('\n');
      writeFileSync(path, lines.map((line) => `${JSON.stringify(JSON.parse(line, spoil))}\n`).join(''));
      rmSync(join(folder, 'episodes.index.jsonl'));
      const spoiled = await seen();
      await hasText(spoiled, '<b id=', '.episode');
      expect(await spoiled.$('#injected')).toBeNull();
      expect(await spoiled.title()).not.toBe('owned');
      await spoiled.close();
    },
  );

  it('had no error on any page', () => expect(reader.faults).toEqual([]));
});
