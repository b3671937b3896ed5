/** Scores that environments declare are those of the suite that measured them, and nothing measured is left out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedBaselines, type SuiteResult } from '@vlgym/agents';
import { expect, it } from 'vitest';
import '../apps/cli/src/environments.js';
import { ROOT } from './support/workspaces.js';

const { cells } = JSON.parse(readFileSync(join(ROOT, 'docs/benchmark/agents.json'), 'utf8')) as SuiteResult;
// WebShop declares scores of five times as many episodes, with a rule between
const measured = cells.filter(({ environment }) => environment !== 'vlgym/WebShop-v1');

it.each(measured)('$environment declares what $agent solved', ({ environment, agent, scores }) => {
  const declared = publishedBaselines(environment).find((baseline) => baseline.agent === agent);
  expect(declared).toEqual({
    agent,
    successRate: scores!.successRate,
    episodes: scores!.counted,
    source: 'docs/benchmark/agents.yaml',
  });
});

it('WebShop declares random clicks, a rule and the oracle', () => {
  expect(publishedBaselines('vlgym/WebShop-v1').map(({ agent }) => agent.split(/[: ]/)[0])).toEqual([
    'random',
    'rule',
    'oracle',
  ]);
});
