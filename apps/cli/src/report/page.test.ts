/** The report as people see it: what a chart may draw, one color per algorithm, no serious barrier on any screen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { installedChromium } from '@vlgym/chromium';
import puppeteer from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import type { ReportData, RunResult, TaskReport } from './data.js';
import { lineChart } from './document/chart.js';
import { colorsOf } from './document/colors.js';
import { episodesPage } from './episodes-page.js';
import { markdownTables } from './markdown.js';
import { reportPage } from './page.js';

const chromium = installedChromium();

function run(algorithm: string, envId: string, seed = 0): RunResult {
  const point = (update: number, successes: number) => ({
    update,
    steps: 100 * update,
    successes,
    episodes: 20,
    meanReturn: 1,
    meanLength: 3,
    legalRate: 0.8,
    strictSuccesses: successes - 2,
    thoughtRate: 0.9 - 0.1 * update,
  });
  return {
    algorithm,
    title: algorithm.toUpperCase(),
    envId,
    seed,
    evaluations: [point(0, 5), point(1, 4), point(2, 15)],
    after: Array.from({ length: 20 }, (_, index) => ({ seed: index, taskKey: `t:${index}`, success: index < 15 })),
    content: { met: 9, overlap: 0 },
    config: { loss: { clipLow: algorithm === 'vl-dac' ? 0.2 : 0.1, clipHigh: 0.1 } },
    metrics: { entropy: [[1, 1.5], [2, 0.5]], trainingSuccess: [[1, 0.2], [2, 0.5]] }, // biome-ignore format: two points
    cpuSeconds: 60,
    trainedSteps: 200,
    alarms: ['update 2: value/explained-variance is -0.5: for 3 updates'],
    folder: 'runs/test',
  };
}

const task = (envId: string, algorithms: readonly string[]): TaskReport => ({
  envId,
  options: {},
  dialogue: 'test/v1',
  evaluationSeeds: [1, 2],
  evaluationTemperature: 0,
  warmStart: { mistakes: 0.5, examples: 64, seconds: 1, before: [], loss: [[0, 3], [64, 1]] }, // biome-ignore format: two points
  runs: algorithms.flatMap((name) => [run(name, envId), run(name, envId, 1)]),
  strips: [],
  episodePages: [{ title: 'VL-DAC, seed 0', href: 'vl-dac-0/episodes.html' }],
});

const report = (tasks: readonly TaskReport[]): ReportData => ({
  title: 'Two worlds',
  lead: 'What it is about.',
  command: 'vlgym bench a b --set \'{"loss":{}}\'',
  model: 'tiny',
  tasks,
  facts: [['vlgym', '0.1.0']],
});

it('says who set each option, and what is not the algorithm’s own', () => {
  const departures = [{ name: 'loss.clipLow', value: 0.2, own: 0.1, origin: 'flag' }];
  const origins = { 'loss.clipLow': 'flag', 'loss.clipHigh': 'algorithm' };
  const kept = { ...task('a/A-v0', []), runs: [{ ...run('vl-dac', 'a/A-v0'), origins, departures }] };
  const page = reportPage(report([kept]));
  expect(page).toContain('<b>VL-DAC</b>: its own options, but for loss.clipLow 0.2 instead of 0.1 (flag).');
  expect(page).toContain('0.2 <span class="soft">flag</span>');
  expect(page).toContain('0.1 <span class="soft">algorithm</span>');
  // results from before it was kept say nothing of it
  expect(reportPage(report([task('a/A-v0', ['vl-dac'])]))).not.toContain('its own options');
});

it('names environments by their titles, and adds the id where two tasks have the same one', () => {
  const named = (envId: string, title?: string) => ({ ...task(envId, ['vl-dac', 'rl4vlm']), ...(title && { title }) });
  const pageOf = (...tasks: TaskReport[]) => reportPage(report(tasks));
  const page = pageOf(named('vlgym/EZPoints-v1', 'EZPoints'), named('my/Env-v0'));
  expect(page).toContain('<h2>EZPoints</h2>');
  expect(page).toContain('<h2>my/Env-v0</h2>');
  expect(page).toContain('<dd>EZPoints, vlgym/EZPoints-v1</dd>');
  const twice = pageOf(named('a/One-v0', 'One'), named('b/One-v0', 'One'));
  expect(twice).toContain('<h2>One (a/One-v0)</h2>');
});

it('a report before its end says so, on the page, in its title and in the table', () => {
  const partial = { runs: 1, planned: 6 };
  const tasks = [{ ...task('a/A-v0', []), runs: [run('vl-dac', 'a/A-v0')] }];
  const page = reportPage({ ...report(tasks), partial }, 'rl4vlm');
  expect(page).toContain('<title>Partial: Two worlds</title>');
  expect(page).toContain('Partial: 1 of 6 runs have a result.');
  expect(markdownTables(tasks, 'rl4vlm', partial)).toMatch(/^\*\*Partial: 1 of 6 runs have a result\./);
  expect(reportPage(report(tasks), 'rl4vlm')).not.toContain('Partial');
});

/** Class of the element that names the algorithm, wherever it is named. */
const classesOf = (page: string, title: string) =>
  new Set(
    [...page.matchAll(new RegExp(`class="(?:tile |label )?([\\w ]+)"[^>]*>(?:<p class="name">)?${title}\\b`, 'g'))].map(
      ([, name]) => name,
    ),
  );

describe('a chart', () => {
  it('joins measured points by straight lines, so that it shows no value that nobody measured', () => {
    const points = [0, 1, 2, 3].map((x) => ({ x, y: [0.5, 0.1, 0.9, 0.9][x]! }));
    const { text } = lineChart([{ label: 'a', className: 'c0', points }], {
      width: 400,
      height: 200,
      xLabel: 'steps',
      yFormat: String,
      title: 'test',
    });
    const [, path] = /<path class="line c0" d="([^"]+)"/.exec(text)!;
    expect(path).toMatch(/^M[\d.,-]+(?:L[\d.,-]+){3}$/);
  });
});

describe('an algorithm', () => {
  it('has one color in every chart and table, also where another one is missing or comes first', () => {
    const page = reportPage(report([task('test/A-v0', ['rl4vlm', 'vl-dac']), task('test/B-v0', ['vl-dac'])]), 'rl4vlm');
    expect(classesOf(page, 'VL-DAC')).toEqual(new Set(['c1']));
    expect(classesOf(page, 'RL4VLM')).toEqual(new Set(['c2']));
  });

  it('of somebody else takes a color that no other has', () => {
    const names = ['mine', 'vl-dac', 'vl-dac:wide', 'rl4vlm'];
    const color = colorsOf([task('test/A-v0', names)]);
    expect(new Set(names.map(color)).size).toBe(names.length);
  });
});

describe('the report', () => {
  const page = reportPage(report([task('test/A-v0', ['rl4vlm', 'vl-dac']), task('test/B-v0', ['vl-dac'])]), 'rl4vlm');

  it('holds every hyperparameter in force, those that differ first', () => {
    expect(page).toMatch(/Hyperparameters in force \(2, 1 differ\)/);
    const rows = [...page.matchAll(/<code>(loss\.\w+)<\/code><\/th><td>([^<]+)<\/td><td>([^<]+)/g)];
    expect(rows.map(([, name, first, second]) => [name, first, second])).toEqual([
      ['loss.clipLow', '0.1', '0.2'],
      ['loss.clipHigh', '0.1', '0.1'],
    ]);
  });

  it('links to a page with every evaluated episode', () => {
    expect(page).toContain('<a href="vl-dac-0/episodes.html">VL-DAC, seed 0</a>');
  });
});

const episodes = episodesPage({
  title: 'Episodes: VL-DAC',
  lead: 'All of them.',
  images: 'episodes/images',
  episodes: [
    {
      id: 'one',
      seed: 7,
      observation: { digest: 'sha256:1' },
      steps: [{ index: 0, actionText: 'left', response: '{"action": "left"}', reward: 1 }],
      outcome: { return: 1, success: true },
    },
  ] as never,
});

const title = chromium ? 'in a browser' : 'in a browser (skipped: Chromium is missing)';

describe.skipIf(chromium === undefined)(title, () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const pages = {
    'the report': reportPage(
      report([task('test/A-v0', ['rl4vlm', 'vl-dac']), task('test/B-v0', ['vl-dac'])]),
      'rl4vlm',
    ),
    'the page of episodes': episodes,
  };
  const screens = Object.entries(pages).flatMap(([name, page]) =>
    [1280, 360].flatMap((width) => ['light', 'dark'].map((scheme) => [name, width, scheme, page] as const)),
  );

  it.each(screens)(
    '%s at %i pixels, %s, has no serious barrier and fits the screen',
    async (_, width, scheme, html) => {
      const browser = await puppeteer.launch({ executablePath: chromium!, args: ['--no-sandbox', '--disable-gpu'] });
      try {
        const page = await browser.newPage();
        await page.setBypassCSP(true); // for the checker's own script
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.setContent(html);
        await page.evaluate(axe);
        const found = (await page.evaluate('axe.run(document)')) as {
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        };
        const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        const smallest = await page.evaluate(`Math.min(...[...document.querySelectorAll('svg text')]
        .map((text) => text.getBoundingClientRect().height).filter((height) => height > 0), 99)`);
        expect(smallest).toBeGreaterThan(11);
      } finally {
        await browser.close();
      }
    },
  );
});
