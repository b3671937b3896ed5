/** Unpacks runs `1f@4A…` to a value per code point: length in base 36, then the value as a character from `@` on. */
export function unpackRuns(runs: string): Uint8Array {
  const values = new Uint8Array(0x110000);
  let start = 0;
  for (const [, count, value] of runs.matchAll(/([0-9a-z]{1,5})([^0-9a-z])/g)) {
    const end = start + Number.parseInt(count!, 36);
    values.fill(value!.charCodeAt(0) - 64, start, end);
    start = end;
  }
  return values;
}
