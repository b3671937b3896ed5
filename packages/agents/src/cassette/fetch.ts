/**
 * `fetch` with a cassette, for clients that are not models of the AI SDK: any OpenAI-compatible server, any library that takes
 * a `fetch`. Calls are known by method, path and body; only status, content type and body of an answer are stored. What a server
 * refuses (a wrong key, a limit) is not recorded: the next call asks again.
 */
import { keyOf, shortened } from './content.js';
import { type CassetteOptions, openTape } from './tape.js';

/** More is not an answer of a model. Characters. */
const MAX_BODY = 32 << 20;

/**
 * @example
 * const agent = openAICompatibleAgent({ baseURL, model, fetch: cassetteFetch('shopper.jsonl') });
 */
export function cassetteFetch(
  file: string,
  options: CassetteOptions & { readonly fetch?: typeof fetch } = {},
): typeof fetch {
  const { fetch: inner = globalThis.fetch, ...rest } = options;
  const tape = openTape(file, rest);
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    const authorization = request.headers.get('authorization') ?? '';
    tape.addSecrets([authorization, authorization.slice(authorization.lastIndexOf(' ') + 1)]);
    let refused: Response | undefined;
    const call = {
      key: keyOf({ method: request.method, path: pathname, search: withoutKeys(search), body: parsed(body) }),
      of: `${request.method} ${pathname}`,
      about: shortened(lastMessage(body)),
      make: async () => {
        const response = await inner(request);
        if (!response.ok) {
          refused = response;
          throw new Error('not recorded');
        }
        const text = (await response.text()).slice(0, MAX_BODY);
        return { status: response.status, type: response.headers.get('content-type'), body: text };
      },
    };
    try {
      const answer = (await tape.answer(call)) as unknown as Stored;
      const { status, type, body: text } = answer;
      return new Response(text, { status, ...(type !== null && { headers: { 'content-type': type } }) });
    } catch (error) {
      if (refused) return refused;
      throw error;
    }
  };
}

interface Stored {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** Some servers take the key in the address. */
function withoutKeys(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()]) if (/key|token|secret|signature/i.test(name)) query.delete(name);
  return query.toString();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** The last message of a chat; pictures are not shown. */
function lastMessage(body: string): string {
  const { messages, input } = (parsed(body) ?? {}) as { readonly messages?: unknown; readonly input?: unknown };
  const list = [messages, input].find(Array.isArray) as readonly { readonly content?: unknown }[] | undefined;
  const content = list?.at(-1)?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return body.slice(0, 200);
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join(' ');
}
