/** Names and summaries in two columns. */
export function commandList(entries: readonly { readonly name: string; readonly summary: string }[]): string[] {
  const width = Math.max(...entries.map(({ name }) => name.length)) + 2;
  return entries.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
}
