import type { TransferComparison, TransferReport } from '@vlgym/transfer';
import { expect, it } from 'vitest';
import { comparisonTable, partsTable, scoresTable } from './tables.js';

const comparison = (onlyBefore: number, onlyAfter: number): TransferComparison => ({
  ...{ benchmark: 'own', rules: 'exact', n: 3, onlyBefore, onlyAfter, before: 0.5, after: 0.5, difference: 0 },
  ...{ interval95: [0, 0], won: 0, lost: 0, pValue: 1, test: 'mcnemar', invalidBefore: 0, invalidAfter: 0 },
  ...{ amongValid: { difference: 0, n: 3 }, detectable: 0, undecidable: true },
});
const printed = (...sides: [number, number]) => comparisonTable([comparison(...sides)], ['share']).replace(/\s+/g, ' ');

it('names the questions that only one side answered', () => {
  expect(printed(9, 1)).toContain('9 questions answered only before and 1 only after are left out.');
  expect(printed(0, 0)).not.toContain('left out');
});

it('prints every text of a file of answers without what a terminal would execute', () => {
  const evil = 'a\u001b[2Jb\u2028c\u202ed';
  const report: TransferReport = {
    ...{ benchmark: evil, rules: evil, model: evil, answers: [], summarize: () => report.summary },
    summary: {
      metric: evil,
      value: 1,
      unit: 'share',
      n: 1,
      invalidRate: 0,
      parts: { [evil]: { value: 1, n: 1 } },
      missing: [evil],
    },
  };
  const text = [
    scoresTable([report]),
    partsTable(report),
    comparisonTable([{ ...comparison(0, 0), benchmark: evil }], ['share']),
  ];
  expect(text.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
});

it('prints the name of a model without what a terminal would execute, cut to a cell', () => {
  const report = (model: string): TransferReport => ({
    ...{ benchmark: 'own', rules: 'exact', model, answers: [], summarize: () => report(model).summary },
    summary: { metric: 'accuracy', value: 1, unit: 'share', n: 1, invalidRate: 0, parts: {}, missing: [] },
  });
  const text = scoresTable([report('a\u001b[2Jb\u009b2Jc\u202ed'), report('m'.repeat(1000))]);
  expect(text).toContain('a [2Jb 2Jc d');
  expect(text).toMatch(/ m{79}… /);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});
