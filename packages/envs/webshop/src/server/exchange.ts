/** A request to the shop and its answer, apart from how they travel: over HTTP, or from the memory of this process. */

/** Maximum length of addresses and forms, bytes. */
export const MAX_BYTES = 256 * 1024;

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // without a referrer, browsers send forms with `Origin: null`
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

export interface ShopRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Asks for the contents of `<main>` alone, as the page's own script does. */
  readonly part: boolean;
  /** The posted form. */
  readonly form: string;
}

export interface ShopAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or the bytes of a font or a photograph. */
  readonly body: string | Uint8Array;
}

export function answerOf(
  status: number,
  type: string,
  body: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): ShopAnswer {
  const text = typeof body === 'string';
  return { status, headers: { ...HEADERS, 'content-type': text ? `${type}; charset=utf-8` : type, ...more }, body };
}

export function redirectTo(location: string): ShopAnswer {
  return { status: 303, headers: { ...HEADERS, location }, body: '' };
}
