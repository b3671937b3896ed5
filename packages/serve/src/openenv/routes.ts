/**
 * The HTTP routes of one endpoint. `/reset`, `/step` and `/state` are stateless: each call makes a fresh environment, acts
 * once and closes it. Statuses and bodies are FastAPI's; test/golden/openenv pins them.
 */
import { type HttpAnswer, html, json, plain } from '@vlgym/core/http';
import { CapacityError, InvalidMessageError } from '../errors.js';
import { bodyObject, type RouteRequest, validated } from './body.js';
import type { OpenEnvSession } from './endpoint.js';
import { answerText } from './json-rpc.js';
import { docsPage, openApi } from './openapi.js';
import { messageOf, outcomeBody } from './outcome.js';
import { type OpenEnvHost, rpcSessions } from './sessions.js';
import { answerTasks } from './task-routes.js';
import { checkReset, checkStep } from './validation.js';

export type OpenEnvMode = 'simulation' | 'production';

const notFound = () => json({ detail: 'Not Found' }, 404);

interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (request: RouteRequest) => HttpAnswer | Promise<HttpAnswer>;
}

export class OpenEnvRoutes {
  readonly #host: OpenEnvHost;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(host: OpenEnvHost, mode: OpenEnvMode) {
    this.#host = host;
    this.#routes = new Map(Object.entries(this.#table(mode === 'simulation')));
  }

  /** @param path  Below the prefix of the endpoint, e.g. `/health`. */
  async answer(path: string, request: RouteRequest): Promise<HttpAnswer> {
    const route = this.#routes.get(path);
    if (route) {
      if (route.method !== request.method) return json({ detail: 'Method Not Allowed' }, 405);
      return route.answer(request);
    }
    const image = /^\/images\/([0-9a-f]{64})\.png$/.exec(path);
    const png = image && request.method === 'GET' ? this.#host.endpoint.image?.(image[1]!) : undefined;
    if (png) return { status: 200, type: 'image/png', body: png };
    return (await answerTasks(this.#host.endpoint, path, request)) ?? notFound();
  }

  #table(simulation: boolean): Record<string, Route> {
    const { endpoint } = this.#host;
    const get = (answer: Route['answer']): Route => ({ method: 'GET', answer });
    const post = (answer: Route['answer']): Route => ({ method: 'POST', answer });
    return {
      '/health': get(() => json({ status: 'healthy' })),
      '/metadata': get(() => json(endpoint.metadata)),
      '/schema': get(({ query }) => withQuery(() => json(endpoint.schemas(query)))),
      '/openapi.json': get(({ query }) => withQuery(() => json(openApi(endpoint.schemas(query), simulation)))),
      '/docs': get(() => html(docsPage(endpoint.name))),
      '/redoc': get(() => html(docsPage(endpoint.name))),
      '/list_environments': get(() => json([endpoint.name])),
      '/mcp': post((request) => this.#rpc(request)),
      ...(simulation
        ? {
            '/reset': post((request) => this.#reset(request)),
            '/step': post((request) => this.#step(request)),
            '/state': get(({ query }) => this.#once(query, async (env) => json(await env.state()))),
          }
        : {}),
    };
  }

  async #rpc({ body, query }: RouteRequest): Promise<HttpAnswer> {
    return json(await answerText(body || '', rpcSessions(this.#host, query)));
  }

  async #reset({ body, query }: RouteRequest): Promise<HttpAnswer> {
    return validated(() => {
      const data = body.trim() === '' ? {} : bodyObject(body);
      const checked = checkReset(data, ['body']);
      return this.#once(query, async (env) => json(outcomeBody(await env.reset(checked))));
    });
  }

  async #step({ body, query }: RouteRequest): Promise<HttpAnswer> {
    return validated(() => {
      const action = checkStep(bodyObject(body));
      return this.#once(query, async (env) => {
        if (env.startForStep) await env.startForStep();
        return json(outcomeBody(await env.step(action)));
      });
    });
  }

  /** A session for one call. */
  async #once(query: URLSearchParams, work: (env: OpenEnvSession) => Promise<HttpAnswer>): Promise<HttpAnswer> {
    try {
      const session = await this.#host.open(query);
      try {
        return await session.run(work);
      } finally {
        await this.#host.table.close(session.id);
      }
    } catch (error) {
      if (error instanceof InvalidMessageError) return json({ detail: error.issues }, 422);
      if (error instanceof CapacityError) return json({ detail: messageOf(error) }, 503);
      return plain('Internal Server Error', 500);
    }
  }
}

/** An unknown value in the address is the client's error. */
function withQuery(act: () => HttpAnswer): HttpAnswer {
  try {
    return act();
  } catch (error) {
    return json({ detail: messageOf(error) }, 400);
  }
}
