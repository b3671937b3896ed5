/**
 * Admission of requests: they must name the server as their host, must not come from a foreign page, and must have the
 * token.
 *
 * On loopback no token is needed, but browsers are checked: a page may open WebSockets to localhost, and a name may be
 * rebound to it. Beyond loopback a token is required and the host may be any name.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { GymError } from '../errors.js';
import { RefusedRequest } from './messages.js';

export interface AdmissionOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Needed beyond loopback, 16 or more characters. Clients send it as `Authorization: Bearer …`; browsers ask for it as the
   * password of any user.
   */
  readonly token?: string | undefined;
  /** Where a user sets the token: the hint of `TOKEN_NEEDED`. */
  readonly tokenHint?: string | undefined;
  /** Further names of a server on loopback, e.g. that of a reverse proxy. Beyond loopback, every host name is accepted. */
  readonly names?: readonly string[] | undefined;
  /** Paths that need no token; `'all'` for answers that any stranger may read. Default: none. */
  readonly open?: 'all' | ((path: string) => boolean) | undefined;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #isLocal: boolean;

  /** @throws {GymError} `TOKEN_NEEDED`: open to others without a token. `INVALID_OPTION`: a short one. */
  constructor(options: AdmissionOptions) {
    const { host = '127.0.0.1', token, open } = options;
    this.#options = options;
    this.#isLocal = isLoopback(host);
    if (token !== undefined && token.length < 16) {
      throw new GymError('The token is too short.', {
        code: 'INVALID_OPTION',
        expected: '16 or more characters',
        hint: 'a random one: `openssl rand -hex 16`',
      });
    }
    if (!this.#isLocal && token === undefined && open !== 'all') {
      throw new GymError(`Serving on ${host} needs a token, because others can reach it.`, {
        code: 'TOKEN_NEEDED',
        value: host,
        expected: 'a token, or a loopback address such as 127.0.0.1',
        hint: options.tokenHint ?? 'set VLGYM_TOKEN; clients send it as a bearer token',
      });
    }
  }

  /** @throws {RefusedRequest} 403 for a foreign host or origin, 401 without the token. */
  check(headers: IncomingHttpHeaders, path: string): void {
    const { host, origin, authorization = '' } = headers;
    const name = nameOf(`http://${host ?? ''}`);
    if (this.#isLocal && !this.#isOurs(name)) throw new RefusedRequest(403, `Invalid Host: ${name}`);
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      const from = nameOf(origin);
      if (!this.#isOurs(from)) throw new RefusedRequest(403, `Invalid Origin: ${from}`);
    }
    const { token, open } = this.#options;
    if (token === undefined || open === 'all' || open?.(path)) return;
    if (!isSecret(sentToken(authorization), token)) throw new RefusedRequest(401, 'Not authenticated');
  }

  #isOurs(name: string): boolean {
    const { names = [] } = this.#options;
    return (this.#isLocal && isLoopback(name)) || names.some((each) => each.toLowerCase() === name);
  }
}

const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Whether a text is the secret, in a time that does not depend on either. */
export const isSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));

/** Equal lengths, which the comparison needs. */
const digest = (text: string) => createHash('sha256').update(text).digest();

/** The token in `Bearer TOKEN`, or in a browser's `Basic base64(USER:TOKEN)`. */
function sentToken(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(Bearer|Basic) (.+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credentials.trim();
  return Buffer.from(credentials, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}

function nameOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return address.replace(/^https?:\/\//, '').slice(0, 200);
  }
}
