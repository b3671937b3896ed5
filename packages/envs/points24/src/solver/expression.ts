/**
 * Normal forms of formulas, independent of the order of terms and factors and of redundant parentheses.
 *
 * A sum has added and subtracted terms, a product has factors and divisors. A sum never contains a sum directly, nor a
 * product a product. So `a-(b-c)` and `c+a-b` are the same expression with the same text.
 */
import type { FormulaEntry } from '../formula/values.js';
import type { Operator } from './fraction.js';

export type Expression = NumberExpression | Combined<'sum'> | Combined<'product'>;

interface NumberExpression {
  readonly kind: 'number';
  readonly value: number;
}

interface Combined<Kind extends 'sum' | 'product'> {
  readonly kind: Kind;
  /** Added terms, or factors. At least one. */
  readonly upper: readonly Expression[];
  /** Subtracted terms, or divisors. */
  readonly lower: readonly Expression[];
}

export function join(operator: Operator, left: Expression, right: Expression): Expression {
  const kind = operator === '+' || operator === '-' ? 'sum' : 'product';
  const a = partsOf(kind, left);
  const b = partsOf(kind, right);
  const [upper, lower] = operator === '+' || operator === '*' ? [b.upper, b.lower] : [b.lower, b.upper];
  return { kind, upper: [...a.upper, ...upper].sort(inOrder), lower: [...a.lower, ...lower].sort(inOrder) };
}

/** The formula with the fewest parentheses: added terms or factors first, then the rest. */
export function entriesOf(expression: Expression): FormulaEntry[] {
  if (expression.kind === 'number') return [expression.value];
  const [up, down] = expression.kind === 'sum' ? ['+', '-'] : ['*', '/'];
  const part = (inner: Expression) =>
    expression.kind === 'product' && inner.kind === 'sum' ? ['(', ...entriesOf(inner), ')'] : entriesOf(inner);
  const upper = expression.upper.flatMap((inner, index) => (index === 0 ? part(inner) : [up!, ...part(inner)]));
  return [...upper, ...expression.lower.flatMap((inner) => [down!, ...part(inner)])];
}

function partsOf(kind: 'sum' | 'product', expression: Expression): Pick<Combined<'sum'>, 'upper' | 'lower'> {
  return expression.kind === kind ? expression : { upper: [expression], lower: [] };
}

/** Orders plain numbers first, largest to smallest, then compounds by their text. */
function inOrder(a: Expression, b: Expression): number {
  if (a.kind === 'number' && b.kind === 'number') return b.value - a.value;
  if (a.kind === 'number' || b.kind === 'number') return a.kind === 'number' ? -1 : 1;
  const [left, right] = [entriesOf(a).join(''), entriesOf(b).join('')];
  return left < right ? -1 : left > right ? 1 : 0;
}
