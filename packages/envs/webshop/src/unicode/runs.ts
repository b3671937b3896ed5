/** `1f@4A…`: a value for every code point; how many have it in base 36, and the value as a character from `@` on. */
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
