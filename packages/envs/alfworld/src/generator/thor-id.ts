/** Ids of AI2-THOR: a class and a place. */

export function receptacleId(type: string, position: readonly number[]): string {
  const basin = /^(Sink|Bathtub)Basin$/.exec(type);
  const name = basin ? basin[1]! : type;
  return thorId(name, position) + (basin ? `|${type}` : '');
}

/** `Mug|+00.96|+00.10|-01.89` */
export function thorId(type: string, position: readonly number[]): string {
  return [type, ...position.map(coordinate)].join('|');
}

function coordinate(value: number): string {
  const hundredths = Math.round(value * 100);
  const digits = String(Math.abs(hundredths)).padStart(4, '0');
  const sign = hundredths > 0 ? '+' : hundredths < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Rounds to hundredths; never minus zero. */
export function cents(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
