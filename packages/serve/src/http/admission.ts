/**
 * Admission of requests: they must name the server as their host, must not come from a foreign page, and must have the
 * token.
 *
 * On loopback no token is needed, but browsers are checked: a page may open WebSockets to localhost, and a name may be
 * rebound to it. Beyond loopback a token is required and the host may be any name.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { GymError } from '@vlgym/core';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The reason why a request is refused, and which value is wrong. */
export type Refusal =
  | { readonly status: 403; readonly header: 'Host' | 'Origin'; readonly value: string }
  | { readonly status: 401 };

export class Admission {
  readonly #token: Buffer | undefined;
  readonly #local: boolean;

  /** @throws {GymError} `TOKEN_NEEDED`: open to others without a token. */
  constructor({ host, token }: { readonly host: string; readonly token?: string | undefined }) {
    this.#local = isLoopback(host);
    if (token !== undefined && token.length < 16) {
      throw new GymError('The token is too short.', {
        code: 'INVALID_OPTION',
        expected: '16 or more characters',
        hint: 'a random one: `openssl rand -hex 16`',
      });
    }
    if (!this.#local && token === undefined) {
      throw new GymError(`Serving on ${host} needs a token, because others can reach it.`, {
        code: 'TOKEN_NEEDED',
        value: host,
        expected: 'a token, or a loopback address such as 127.0.0.1',
        hint: 'set VLGYM_TOKEN; clients send it as `Authorization: Bearer …`',
      });
    }
    this.#token = token === undefined ? undefined : digest(token);
  }

  /** @param open  No token is asked for, as for `/health`. */
  refusal(headers: IncomingHttpHeaders, open = false): Refusal | undefined {
    const host = nameOf(`http://${headers.host ?? ''}`);
    if (this.#local && !LOOPBACK_NAMES.includes(host)) return { status: 403, header: 'Host', value: host };
    const { origin } = headers;
    if (origin !== undefined) {
      const from = nameOf(origin);
      const same = origin === `http://${headers.host}` || origin === `https://${headers.host}`;
      if (!same && !(this.#local && LOOPBACK_NAMES.includes(from)))
        return { status: 403, header: 'Origin', value: from };
    }
    if (this.#token === undefined || open) return undefined;
    const [, given] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    return given !== undefined && timingSafeEqual(digest(given.trim()), this.#token) ? undefined : { status: 401 };
  }
}

/** Equal lengths for a comparison in constant time. */
const digest = (text: string) => createHash('sha256').update(text).digest();

function nameOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return address.replace(/^https?:\/\//, '').slice(0, 200);
  }
}
