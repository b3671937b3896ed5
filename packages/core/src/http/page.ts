/** A page on loopback for the one person who knows its address: limits on who asks, on what a browser loads, on what it sends. */
import { randomBytes } from 'node:crypto';
import { isSecret } from './admission.js';
import { type HttpAnswer, type HttpRequest, RefusedRequest } from './messages.js';

/**
 * The address holds an unguessable token. Every request needs it and, where a browser names an origin, must come from the
 * page itself. Answers carry a strict content security policy and are readable by this page only.
 */
export class PrivatePage {
  readonly #token = randomBytes(18).toString('base64url');
  /** Scripts and styles need it. */
  readonly nonce = randomBytes(12).toString('base64url');
  readonly #headers: NonNullable<HttpAnswer['headers']>;

  /** @param sources  Sources of pictures and fonts in a content security policy, e.g. `img-src data:`. */
  constructor(sources: string) {
    const own = `'nonce-${this.nonce}'`;
    this.#headers = {
      'content-security-policy': `default-src 'none'; script-src ${own}; style-src ${own}; ${sources}; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    };
  }

  /** The path of the page: `/TOKEN/`. */
  get path(): string {
    return `/${this.#token}/`;
  }

  /**
   * Checks a request, beyond the checks of the listener.
   *
   * @returns The parts of its path behind the token; none where the path lacks the last `/`.
   * @throws {RefusedRequest} 403: no token, or another site. 415: a body that is not JSON.
   */
  admit({ headers, method, url }: HttpRequest): string[] {
    const [, token = '', ...rest] = url.pathname.split('/');
    if (!isSecret(token, this.#token)) {
      throw new RefusedRequest(403, 'This address lacks the right token: open the one that vlgym has printed.');
    }
    const { origin } = headers;
    const ours = origin === undefined ? method === 'GET' : origin === `http://${headers.host}`;
    // the page may be opened from anywhere, for example from a terminal in a browser
    const followed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    const near =
      followed || ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);
    if (!ours || !near) throw new RefusedRequest(403, 'not from another site');
    if (method === 'POST' && headers['content-type'] !== 'application/json') throw new RefusedRequest(415, 'only JSON');
    return rest;
  }

  /** @param type  Text and JSON are in UTF-8. */
  answer(type: string, body: HttpAnswer['body'], status = 200): HttpAnswer {
    const isText = type.startsWith('text/') || type === 'application/json';
    return { status, type: isText ? `${type}; charset=utf-8` : type, body, headers: this.#headers };
  }
}

/** @throws {RefusedRequest} 400: not a JSON object. */
export function jsonObject(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new RefusedRequest(400, 'expected a JSON object');
}
