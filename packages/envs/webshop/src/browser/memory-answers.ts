/**
 * Answers the page's requests for pages of the shop in this process, without a connection: the way over the proxy and the
 * server would cost more than making the page. Style, script and fonts go over the network, whose cache keeps them.
 */
import type { HTTPRequest, ResponseForRequest } from 'puppeteer-core';
import { MAX_BYTES } from '../server/exchange.js';
import type { ShopServer } from '../server/shop-server.js';

type Answer = Partial<ResponseForRequest>;

/** @returns What a guarded page asks for each allowed request; `undefined` leaves the request to the network. */
export function answerFromMemory(server: ShopServer): (request: HTTPRequest) => Promise<Answer | undefined> {
  return async (request) => {
    const url = request.url();
    if (url.length > MAX_BYTES || !url.startsWith(`${server.url}/`)) return undefined;
    const { pathname, search, host } = new URL(url);
    const form = request.postData();
    // Chromium leaves out long forms.
    if (pathname.startsWith('/static/') || (request.hasPostData() && form === undefined)) return undefined;
    const { status, headers, content } = await server.answer({
      method: request.method(),
      path: pathname + search,
      host,
      part: request.headers()['x-shop-part'] === 'main',
      form: async () => (form !== undefined && Buffer.byteLength(form) > MAX_BYTES ? undefined : (form ?? '')),
    });
    return { status, headers: { ...headers }, body: content };
  };
}
