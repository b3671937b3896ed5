/** The comparison of greedy tokens in half precision: a row may leave the reference only where two tokens are almost as likely. */
import { expect, it } from 'vitest';
import { Precision } from '../scripts/golden/precision.js';
import { Report } from '../scripts/golden/report.js';

const [ROWS, SCORED, VOCABULARY] = [2, 3, 2];
/** [rows, scored steps, vocabulary]: token 0 is clearly likelier, but for step 1 of row 1. */
const logits = Array.from({ length: ROWS * SCORED }, (_, at) => (at === SCORED + 1 ? [1, 0.9] : [4, 0])).flat();

it.each([
  ['equal tokens', [0, 0, 0, 0], true],
  ['another token that is almost as likely', [0, 0, 0, 1], true],
  ['another token that is far less likely', [0, 1, 0, 0], false],
  ['the same in another row', [0, 0, 1, 0], false],
])('%s, against scores of more steps than are compared', (_, found, isFine) => {
  const report = new Report({ print: () => {} });
  const reference = { logits, rows: ROWS, vocabulary: VOCABULARY };
  new Precision('bfloat16', 'cpu').compareTokens(report, 'greedy', found, [0, 0, 0, 0], reference);
  expect([report.passed, report.failed]).toEqual(isFine ? [1, 0] : [0, 1]);
});
