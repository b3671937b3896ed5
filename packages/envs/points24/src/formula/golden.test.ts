/** The evaluator agrees with recorded evaluations of the published package. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { evaluateFormula, formulaEquals } from './evaluate.js';
import { formatValue } from './values.js';

type Row = [tokens: string[], type: string, value: string, equals24: 0 | 1];

const file = new URL('../../../../../test/golden/gym-cards.json', import.meta.url);
const rows = JSON.parse(readFileSync(file, 'utf8')).formula_eval.rows as Row[];

it.each(rows)('evaluates %j to a value of type %s: %s', (tokens, type, value, equals24) => {
  const result = evaluateFormula(tokens);
  expect(result.type).toBe(type);
  expect(result.type === 'error' ? result.name : formatValue(result)).toBe(value);
  expect(formulaEquals(tokens, 24)).toBe(equals24 === 1);
});
