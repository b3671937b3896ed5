import type { FailureCount, SuiteCell } from '@vlgym/agents';
import { expect, it } from 'vitest';
import { excludedText } from './evaluation.js';
import { failureLines } from './suite-table.js';

const failure = (code: string, count: number, counted = 0, seed = 3): FailureCount => ({
  boundary: 'model',
  code,
  message: `what ${code} said\nand more`,
  seed,
  count,
  counted,
});

it('every episode that does not count is told with its cause, however many kinds there are', () => {
  const codes = ['A_1', 'B_2', 'C_3', 'D_4', 'E_5', 'F_6', 'G_7'];
  const failures = [...codes.map((code) => failure(code, 2)), failure('A_1', 5, 4, 9), failure('OWN', 3, 3)];
  const lines = excludedText({ excluded: 17, failures }).split('\n').slice(1);
  expect(lines[0]).toBe('3 × A_1 what A_1 said (first seed 3)');
  expect(lines.at(-1)).toBe('2 × not played to the end when the run stopped');
  expect(lines.map((line) => Number.parseInt(line, 10)).reduce((sum, count) => sum + count)).toBe(17);
});

it('failures of many cells are told in full first, then by code, and none is left out', () => {
  const cells = Array.from({ length: 9 }, (_, index) => ({
    agent: `agent-${index}`,
    environment: 'here',
    failures: [failure(index % 2 ? 'MODEL_TIMEOUT' : 'MODEL_FAILED', index + 1)],
  })) as unknown as SuiteCell[];
  const lines = failureLines(cells);
  expect(lines.slice(6)).toEqual([
    '16 × MODEL_FAILED in 2 more cells; result.json has them all',
    '8 × MODEL_TIMEOUT in 1 more cell; result.json has them all',
  ]);
});
