/** A request to the shop and its answer, apart from how they travel: over HTTP, or from the memory of this process. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Maximum length of addresses and forms, bytes. */
export const MAX_BYTES = 256 * 1024;

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

export interface ShopRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Host and port, as the client calls this server. */
  readonly host: string | undefined;
  /** Asks for the contents of `<main>` alone, as the page's own script does. */
  readonly part: boolean;
  /** Reads the posted form; `undefined` if it is too long. */
  readonly form: () => Promise<string | undefined>;
}

export interface ShopAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or the bytes of a font. */
  readonly content: string | Uint8Array;
}

export function answerOf(
  status: number,
  type: string,
  content: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): ShopAnswer {
  const text = typeof content === 'string';
  return { status, headers: { ...HEADERS, 'content-type': text ? `${type}; charset=utf-8` : type, ...more }, content };
}

export function redirectTo(location: string): ShopAnswer {
  return { status: 303, headers: { ...HEADERS, location }, content: '' };
}

export function requestOf(message: IncomingMessage): ShopRequest {
  return {
    method: message.method!,
    path: message.url ?? '/',
    host: message.headers.host,
    part: message.headers['x-shop-part'] === 'main',
    form: () => bodyOf(message),
  };
}

export function writeAnswer(response: ServerResponse, { status, headers, content }: ShopAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(content) });
  response.end(content);
}

/** Reads the body to its end, so that the client can read the answer; discards one that is too long. */
async function bodyOf(message: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of message) {
    length += (piece as Buffer).length;
    if (length <= MAX_BYTES) pieces.push(piece as Buffer);
    else pieces.length = 0;
  }
  return length > MAX_BYTES ? undefined : Buffer.concat(pieces).toString('utf8');
}
