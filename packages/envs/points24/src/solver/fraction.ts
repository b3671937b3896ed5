/** Exact fractions of small integers, in lowest terms with a positive denominator. */

export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

export type Operator = '+' | '-' | '*' | '/';

export const whole = (value: number): Fraction => ({ numerator: value, denominator: 1 });

/** Exact for numerators and denominators below 2^26; `undefined` for a division by zero. */
export function operate(operator: Operator, a: Fraction, b: Fraction): Fraction | undefined {
  switch (operator) {
    case '+':
      return reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
    case '-':
      return reduced(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);
    case '*':
      return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
    case '/':
      return b.numerator === 0 ? undefined : reduced(a.numerator * b.denominator, a.denominator * b.numerator);
  }
}

export function sameFraction(a: Fraction, b: Fraction): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

function reduced(numerator: number, denominator: number): Fraction {
  const divisor = greatestCommonDivisor(Math.abs(numerator), Math.abs(denominator)) * (denominator < 0 ? -1 : 1);
  // `+ 0` turns -0 into 0
  return { numerator: numerator / divisor + 0, denominator: denominator / divisor };
}

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
