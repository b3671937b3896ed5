/** Texts of tables and charts about answers: legal, strict, correct thoughts, and the rule for unreadable ones. */
import type { Fallback, Scores, SuiteCell } from '@vlgym/agents';
import { describe, expect, it } from 'vitest';
import { breakdownTable, scoreTable } from '../terminal/evaluation.js';
import { runSummary } from '../terminal/run-summary.js';
import { suiteTable } from '../terminal/suite-table.js';
import { summaryTable } from '../terminal/summary-table.js';
import { agentReportPage } from './agents/agents-page.js';
import type { EvaluationPoint, RunResult, TaskReport } from './data.js';
import { markdownTables } from './markdown.js';
import { reportPage } from './page.js';

const judged = (fallback: Fallback) => ({
  temperature: 1,
  maxNewTokens: 24,
  topK: 0,
  topP: 0.9,
  repetitionPenalty: 1,
  constrain: 'none' as const,
  fallback,
});

function run(seed: number, last: Partial<EvaluationPoint>, change: Partial<RunResult> = {}): RunResult {
  const point = { steps: 0, successes: 5, episodes: 10, meanReturn: 1, meanLength: 3, legalRate: 1 };
  return {
    algorithm: 'rl4vlm',
    title: 'RL4VLM',
    envId: 'test/A-v0',
    seed,
    judged: judged('illegal-noop'),
    evaluations: [
      { ...point, update: 0, strictSuccesses: 5, thoughtRate: 0.92 },
      { ...point, update: 2, steps: 64, strictSuccesses: 5, thoughtRate: 0.92, ...last },
    ],
    after: Array.from({ length: 10 }, (_, index) => ({ seed: index, taskKey: `t:${index}`, success: index < 5 })),
    content: { met: 9, overlap: 0 },
    config: { rollout: { fallback: 'random' } },
    metrics: {
      trainingSuccess: [[1, 0.2 + 0.2 * seed], [2, 0.6]],
      thoughtCorrect: [[1, 0.9], [2, 0.4]],
      updateSeconds: [[1, 12], [2, 11]],
      tokensPerSecond: [[1, 800], [2, 820]],
    }, // biome-ignore format: two points each
    cpuSeconds: 60,
    trainedSteps: 64,
    alarms: [],
    folder: 'runs/test',
    ...change,
  };
}

const task = (runs: readonly RunResult[]): TaskReport => ({
  envId: 'test/A-v0',
  options: {},
  dialogue: 'test/v1',
  evaluationSeeds: [1, 2],
  evaluationTemperature: 1,
  runs,
  strips: [],
});
const tablesOf = (runs: readonly RunResult[]) =>
  [markdownTables([task(runs)], 'rl4vlm'), summaryTable([task(runs)], 'rl4vlm'), pageOf(runs)] as const;
const pageOf = (runs: readonly RunResult[]) =>
  reportPage({ title: 'T', lead: 'L', command: 'c', model: 'tiny', tasks: [task(runs)], facts: [] }, 'rl4vlm');

describe('a table of runs', () => {
  it('has the legal rate, and correct thoughts before and after', () => {
    for (const text of tablesOf([run(0, { legalRate: 1, thoughtRate: 0.38 })])) {
      expect(text).toContain('legal');
      expect(text).toMatch(/92\.0 % → 38\.0 %/);
      expect(text).not.toMatch(/[|>] ?strict/);
      expect(text.replace(/\s+/g, ' ')).toContain('An unreadable answer is a turn that does nothing.');
    }
  });

  it('has the strict rate where fewer than 99 % of the answers are legal', () => {
    const runs = [run(0, { legalRate: 0.78, strictSuccesses: 2 }), run(1, { legalRate: 0.8, strictSuccesses: 4 })];
    for (const text of tablesOf(runs)) {
      expect(text).toContain('strict');
      expect(text).toContain('30.0 %');
      expect(text).toContain('79.0 %');
    }
  });

  it('names random actions in its head', () => {
    for (const text of tablesOf([run(0, {}, { judged: judged('random') })]))
      expect(text).toContain('unseen (unreadable: a random action)');
  });

  it('does not invent what older runs do not say', () => {
    const { judged: _, ...old } = run(0, {});
    const points = old.evaluations.map(({ strictSuccesses: _s, thoughtRate: _t, legalRate: _l, ...point }) => point);
    for (const text of tablesOf([{ ...old, evaluations: points }])) {
      expect(text.replace(/\s+/g, ' ')).toContain('Older runs do not say what an unreadable answer was');
      expect(text).not.toContain('correct thoughts');
      expect(text).not.toContain('NaN');
    }
  });
});

describe('the charts of a report', () => {
  const page = pageOf([run(0, { thoughtRate: 0.4 }), run(1, { thoughtRate: 0.5 })]);
  const chart = (title: string) => new RegExp(`aria-label="${title}">(.*?)</svg>`, 's').exec(page)?.[1] ?? '';

  it.each([
    'Success rate over environment steps',
    'Correct thoughts over environment steps',
    'Success in training over updates',
    'Correct thoughts in training',
    'Wall-clock time of an update',
    'Tokens sampled per second',
  ])('draw %s: one thick mean, and a thin line for each seed', (title) => {
    const lines = [...chart(title).matchAll(/<path class="line c\d+( faint)?"/g)].map(
      ([, faint]) => faint !== undefined,
    );
    expect(lines).toEqual([false, true, true]);
  });

  it('say how answers were sampled, and what an unreadable one was in training', () => {
    expect(page).toContain(
      'temperature 1, at most 24 tokens, top-p 0.9; an unreadable answer is a turn that does nothing',
    );
    expect(page).toContain('An unreadable answer is a random action there.');
  });
});

const scores: Scores = {
  counted: 4,
  successes: 2,
  tasks: 4,
  tasksBy: 'seed',
  successRate: 0.5,
  interval95: [0.2, 0.8],
  meanReturn: 1,
  returnInterval95: [0, 1],
  meanLength: 3,
  legalRate: 0.75,
  formatRate: 1,
  fallbackRate: 0.25,
  strictSuccesses: 1,
  strictRate: 0.25,
  thoughtRate: 0.625,
  thoughtsChecked: 8,
};
const usage = { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
const cell = (fallback: Fallback): SuiteCell => ({
  environment: 'test/A-v0',
  agent: 'mine',
  fallback,
  planned: 4,
  excluded: 0,
  usage,
  passes: [],
  failures: [],
  episodes: [],
  scores,
  breakdown: { near: scores },
});

describe('a table of agents', () => {
  const evaluation = (fallback: Fallback) =>
    ({ ...cell(fallback), ...scores, fallback, episodes: [] }) as unknown as Parameters<typeof scoreTable>[0];
  const page = (fallback: Fallback) =>
    agentReportPage({
      title: 'T',
      lead: 'L',
      command: 'c',
      cells: [cell(fallback)],
      comparisons: [],
      baselines: {},
      facts: [],
    });

  it('has legal and strict rate and correct thoughts, overall and by category', () => {
    for (const text of [
      scoreTable(evaluation('illegal-noop')),
      suiteTable([cell('illegal-noop')]),
      page('illegal-noop'),
    ]) {
      for (const words of ['strict', '25.0 %', 'legal', '75.0 %', 'thoughts', '62.5 %']) expect(text).toContain(words);
      expect(text).toContain('nreadable answer is a turn that does nothing');
      expect(text).not.toContain('random');
    }
    expect(breakdownTable('side', { near: scores })).toMatch(/strict.*legal.*correct thoughts/);
  });

  it('names random actions in its head', () => {
    for (const text of [scoreTable(evaluation('random')), suiteTable([cell('random')]), page('random')])
      expect(text).toContain('success (unreadable: a random action)');
  });
});

it('the last line of a run says what its answers were', () => {
  const result = run(0, { legalRate: 0.78, strictSuccesses: 2, thoughtRate: 0.38 });
  expect(runSummary(result, { evaluationTemperature: 1 } as never)).toContain(
    '78.0 % of answers legal, strict success 20.0 %, correct thoughts 92.0 % → 38.0 %; an unreadable answer is a turn that does nothing',
  );
});

it('the overview of several environments has the strict rate where answers are illegal', () => {
  const tasks = [
    task([run(0, { legalRate: 0.78, strictSuccesses: 2 })]),
    { ...task([run(0, {})]), envId: 'test/B-v0' },
  ];
  const page = reportPage({ title: 'T', lead: 'L', command: 'c', model: 'tiny', tasks, facts: [] });
  // in the overview, and in the tile of the algorithm
  expect([...page.matchAll(/strict \d+ %/g)].map(([text]) => text)).toEqual(['strict 20 %', 'strict 20 %']);
  const cells = [
    cell('illegal-noop'),
    { ...cell('illegal-noop'), environment: 'test/B-v0', scores: { ...scores, legalRate: 1 } },
  ];
  const agents = agentReportPage({
    title: 'T',
    lead: 'L',
    command: 'c',
    cells,
    comparisons: [],
    baselines: {},
    facts: [],
  });
  expect([...agents.matchAll(/strict \d+\.\d %/g)].map(([text]) => text)).toEqual(['strict 25.0 %']);
});
