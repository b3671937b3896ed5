/** An input of a fuzz target as one word, for command lines: `core/png:eyJ…`. */

export const encodeInput = (target: string, input: unknown): string =>
  `${target}:${Buffer.from(JSON.stringify(input) ?? 'null').toString('base64url')}`;

export function decodeInput(text: string): { readonly target: string; readonly input: unknown } {
  const colon = text.lastIndexOf(':');
  const json = Buffer.from(text.slice(colon + 1), 'base64url').toString('utf8');
  return { target: text.slice(0, colon), input: JSON.parse(json) as unknown };
}
