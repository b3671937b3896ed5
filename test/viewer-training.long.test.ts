/**
 * A training watched from before its start to after its end, as a person watches it: `vlgym view` in a real headless
 * Chromium over `vlgym train --record`, whose process is killed in the middle and resumed. The page is never loaded again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BROWSER_ARGUMENTS, chromium, hasText, press } from '../apps/viewer/test-support/browser.js';
import { vlgym } from './support/vlgym.js';
import { ROOT } from './support/workspaces.js';

/** A browser and two trainings take as long as the machine lets them. */
const LIMIT = 300_000;
vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: LIMIT });

const SMALL = '--num-envs 4 --steps-per-update 16 --evaluation-episodes 4 --warm-start-examples 64'.split(' ');
/** So many that a page that looks twice a second sees one before the last. */
const UPDATES = 12;

/** The command as it is typed; it prints its address. */
async function openView(folder: string): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const words = [join(ROOT, 'apps/cli/bin/vlgym.js'), 'view', folder, '--no-open'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, address: said.toString().split('\n')[0]! };
}

describe.skipIf(chromium === undefined)(chromium ? 'a training' : 'a training (skipped: Chromium is missing)', () => {
  const home = mkdtempSync(join(tmpdir(), 'vlgym-watched-'));
  const folder = join(home, 'run');
  let browser: Browser;
  let viewer: ChildProcess;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    mkdirSync(folder);
    browser = await puppeteer.launch({
      executablePath: chromium!,
      args: BROWSER_ARGUMENTS,
      timeout: LIMIT,
      protocolTimeout: LIMIT,
    });
    const { child, address } = await openView(home);
    viewer = child;
    page = await browser.newPage();
    page.setDefaultTimeout(LIMIT);
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(address);
    await page.evaluate('globalThis.sameDocument = true');
  });
  afterAll(async () => {
    await browser?.close();
    viewer?.kill('SIGTERM');
    rmSync(home, { recursive: true, force: true });
  });

  it('is followed from before its start, through a kill, to its end, and says how likely other tokens were', async () => {
    const train = [
      ...['train', 'vl-dac', ...SMALL, '--updates', `${UPDATES}`],
      ...['--record', '1', '--threads', '1', '--folder', folder],
    ];
    await hasText(page, 'no run and no recording');
    let trainer: ChildProcess | undefined;
    const killed = vlgym(train, {
      started: (child) => {
        trainer = child;
      },
    });
    await hasText(page, 'running', '.state .badge');
    await page.waitForSelector('.chart canvas');
    await hasText(page, `of ${UPDATES}`, '.state');
    // the first paragraph only: the command names `--steps-per-update 16`
    await page.waitForFunction(`/update [1-9]/.test(document.querySelector('.state p')?.textContent)`);
    trainer!.kill('SIGKILL');
    expect((await killed).code).toBeNull();
    await hasText(page, 'stopped', '.state .badge');
    await hasText(page, '--resume', '.state');
    await hasText(page, 'Update ', '.tabs a[aria-current]');

    const resumed = vlgym([...train, '--resume']);
    await hasText(page, 'running', '.state .badge');
    await hasText(page, `update ${UPDATES} of ${UPDATES}`, '.state');
    await hasText(page, `Update ${UPDATES}`, '.tabs a[aria-current]'); // the newest is followed
    expect((await resumed).code).toBe(0);
    await hasText(page, 'done', '.state .badge');
    await hasText(page, 'Last evaluation', '.tabs');

    await press(page, 'return', '.list li a');
    await page.waitForSelector('.tokens button');
    await press(page, '', '.tokens button');
    await press(page, 'What else could it have written?');
    await hasText(page, 'written', '.alternatives tbody');
    const shares = await page.$$eval('.alternatives .share', (cells) =>
      cells.map((cell) => Number.parseFloat(cell.textContent!.replace('< ', ''))),
    );
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
    expect(faults).toEqual([]);
  });
});
