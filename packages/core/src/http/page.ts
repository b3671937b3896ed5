/** Servers with a page: limits on what a browser loads, and on what the page sends. */
import { type HttpAnswer, RefusedRequest } from './messages.js';

/** @param policy  Sources of pictures and fonts, e.g. `img-src data:`; scripts and styles need the nonce. */
export function pageHeaders(nonce: string, policy: string): NonNullable<HttpAnswer['headers']> {
  const own = `'nonce-${nonce}'`;
  return {
    'content-security-policy': `default-src 'none'; script-src ${own}; style-src ${own}; ${policy}; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

/** @throws {RefusedRequest} 400: not a JSON object. */
export function jsonObject(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new RefusedRequest(400, 'expected a JSON object');
}
