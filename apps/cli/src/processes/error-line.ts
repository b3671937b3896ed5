/** The cause in what a command printed before it failed: the line with the code, and not the hint after it. */
export function errorLine(output: string): string | undefined {
  return /^[A-Z][A-Z_]{3,} .*$/m.exec(output)?.[0] ?? (output.trim().split('\n').at(-1) || undefined);
}
