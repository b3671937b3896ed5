/**
 * Answers the page in this process, without a connection: the way over the proxy and the server would cost more than
 * making the page. Style, script and fonts go over the network, whose cache keeps them.
 */
import type { HTTPRequest, ResponseForRequest } from '@vlgym/chromium';
import type { PageChannel } from '@vlgym/site/pages';
import { z } from 'zod';
import { MAX_BYTES } from '../server/exchange.js';
import type { ShopServer } from '../server/shop-server.js';

type Answer = Partial<ResponseForRequest>;

/** @returns The handler of a guarded page's allowed requests; `undefined` leaves the request to the network. */
export function answerFromMemory(server: ShopServer): (request: HTTPRequest) => Promise<Answer | undefined> {
  return async (request) => {
    const url = request.url();
    if (url.length > MAX_BYTES || !url.startsWith(`${server.url}/`)) return undefined;
    const { pathname, search } = new URL(url);
    if (request.method() !== 'GET' || pathname.startsWith('/static/')) return undefined;
    const part = request.headers()['x-shop-part'] === 'main';
    const { status, headers, body } = server.answer({ method: 'GET', path: pathname + search, part, form: '' });
    return { status, headers: { ...headers }, body };
  };
}

/** A request of the page's script, as it would be sent to the server. */
const questionText = z.strictObject({
  number: z.number(),
  method: z.enum(['GET', 'POST']),
  address: z.url().max(MAX_BYTES),
  form: z.string().max(MAX_BYTES),
});

/** How the page's script asks for the contents of a page: `SCRIPT` in `server/assets.ts`. */
export function shopChannel(server: ShopServer): PageChannel {
  return { name: 'askShop', reply: 'shopPage.answered', answer: (text) => answered(server, text) };
}

/** @returns Without `text`, the script opens the address itself, which shows the error. */
async function answered(server: ShopServer, question: string) {
  const { number, method, address, form } = questionText.parse(JSON.parse(question));
  const { origin, pathname, search } = new URL(address);
  if (origin !== server.url) return { number };
  const { status, headers, body } = server.answer({ method, path: pathname + search, part: true, form });
  if (status !== 200) return { number };
  return { number, text: body, title: headers['x-shop-title'], address: headers['x-shop-address'] };
}
