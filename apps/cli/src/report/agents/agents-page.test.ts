/** The report of agents as people see it: no score without a counted episode, nothing unescaped, no serious barrier. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SuiteCell } from '@vlgym/agents';
import { compareCells, pairsWithin, passRate, successRate } from '@vlgym/agents/statistics';
import { installedChromium } from '@vlgym/chromium';
import puppeteer from 'puppeteer-core';
import { describe, expect, it, vi } from 'vitest';
import type { AgentReport } from './agent-report.js';
import { agentReportPage } from './agents-page.js';

vi.setConfig({ testTimeout: 300_000 }); // a browser on a busy machine

const chromium = installedChromium();

function cell(environment: string, agent: string, share: number): SuiteCell {
  const episodes = Array.from({ length: 40 }, (_, index) => ({
    id: `e.${index}`,
    seed: index >> 1,
    repeat: index & 1,
    taskKey: `t:${index >> 1}`,
    success: index < 40 * share,
    counted: true,
    return: 1,
    length: 3,
  }));
  const { rate, interval95, tasks, tasksBy } = successRate(episodes);
  const scores = {
    counted: 40,
    successes: 40 * share,
    tasks,
    tasksBy,
    successRate: rate,
    interval95,
    meanReturn: 1,
    returnInterval95: [1, 1] as const,
    meanLength: 3,
    legalRate: 0.9,
    strictSuccesses: 0,
    strictRate: 0,
    fallbackRate: 0.1,
  };
  return {
    environment,
    agent,
    planned: 40,
    excluded: 0,
    scores,
    costPerSuccess: 0.01,
    usage: { requests: 120, inputTokens: 90_000, outputTokens: 1200, cost: 0.4 },
    passes: [1, 2].flatMap((k) => passRate(episodes, k) ?? []),
    breakdown: { easy: scores, hard: scores },
    failures: [{ boundary: 'agent', code: 'AGENT_FAILED', message: '<b>lost</b>', seed: 3, count: 2, counted: 2 }],
    episodes,
  };
}

const empty: SuiteCell = {
  environment: 'test/A-v1',
  agent: 'offline <script>',
  planned: 40,
  excluded: 40,
  usage: { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
  passes: [],
  failures: [{ boundary: 'model', code: 'MODEL_TIMEOUT', message: 'late', seed: 0, count: 40, counted: 0 }],
  episodes: [],
};

function report(): AgentReport {
  const cells = [cell('test/A-v1', 'one', 0.5), cell('test/A-v1', 'two', 1), empty, cell('test/B-v1', 'one', 0.25)];
  return {
    title: 'Agents',
    lead: 'Two environments.',
    command: 'vlgym suite "a b.yaml"',
    cells,
    comparisons: compareCells(pairsWithin(cells)),
    baselines: { 'test/A-v1': [{ agent: 'rule', successRate: 0.3, episodes: 100, source: 'a paper' }] },
    facts: [['seeds', '0 to 19']],
  };
}

describe('the report of agents', () => {
  const page = agentReportPage(report());

  it('has no score where no episode counted, and says why', () => {
    expect(page.split('no episode counted')).toHaveLength(3); // in the matrix and in the bars
    expect(page).toContain('40 episodes (not counted), first seed 0. <code>MODEL_TIMEOUT</code> late');
    expect(page).not.toMatch(/NaN|undefined/);
  });

  it('shows intervals, attempts, corrected tests, categories, costs and published scores', () => {
    for (const text of ['pass@2', 'pass^2', 'p, Holm', 'two succeeds more often than one.', 'By category: one']) {
      expect(page).toContain(text);
    }
    expect(page).toContain('rule, published');
    expect(page).toMatch(/data-label="tokens in">90,000</);
  });

  it('escapes what agents and errors are called', () => {
    expect(page).not.toMatch(/<script|<b>lost/);
    expect(page).toContain('offline &lt;script&gt;');
  });

  it.skipIf(!chromium)('has no serious barrier and no sideways scroll on any screen (needs Chromium)', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const browser = await puppeteer.launch({ executablePath: chromium!, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      for (const width of [1280, 360]) {
        for (const value of ['light', 'dark']) {
          const tab = await browser.newPage();
          await tab.setBypassCSP(true);
          await tab.setViewport({ width, height: 900 });
          await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
          await tab.setContent(page);
          await tab.evaluate(axe);
          const violations = (await tab.evaluate('axe.run().then(({ violations }) => violations)')) as {
            id: string;
            impact: string;
          }[];
          const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
          expect(
            serious.map(({ id }) => id),
            `${width} px, ${value}`,
          ).toEqual([]);
          expect(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          // no figure is cut off: on a phone every row is a card
          const cut =
            "[...document.querySelectorAll('td')].filter((cell) => cell.getBoundingClientRect().right > innerWidth).length";
          expect(await tab.evaluate(cut)).toBe(0);
          await tab.close();
        }
      }
    } finally {
      await browser.close();
    }
  });
});
