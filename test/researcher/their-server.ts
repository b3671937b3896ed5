/** A serving protocol of somebody's own: a number opens an episode of that seed, an answer in words is a turn of it. */
import { type HttpAnswer, type HttpRequest, json, Listener, type ListenerOptions } from '@vlgym/core/http';
import { type ServedEnv, type ServedEpisode, SessionTable } from '@vlgym/serve';

export class TheirServer {
  readonly #table = new SessionTable({ maxSessions: 4 });
  readonly #served: ServedEnv;
  readonly #listener: Listener;

  constructor(served: ServedEnv, options: Pick<ListenerOptions, 'host' | 'token'> = {}) {
    this.#served = served;
    this.#listener = new Listener({
      ...options,
      maxConnections: 64,
      maxBodyBytes: 1024,
      answer: (request) => this.#answer(request),
    });
  }

  listen(): Promise<string> {
    return this.#listener.listen();
  }

  async close(): Promise<void> {
    await this.#listener.close();
    await this.#table.closeAll();
  }

  async #answer({ method, url, body }: HttpRequest): Promise<HttpAnswer> {
    if (method === 'GET') return json({ plays: this.#served.id });
    const session =
      url.pathname === '/new' ? await this.#open() : this.#table.get<ServedEpisode>(url.pathname.slice(1));
    return session.run(async (episode) => {
      const text = body.toString();
      const moment =
        url.pathname === '/new' ? await episode.reset({ seed: Number(text) }) : await episode.respond(text);
      return json({ id: session.id, reward: moment.reward, legal: moment.parsed?.action !== undefined });
    });
  }

  #open() {
    return this.#table.open(() => this.#served.open());
  }
}
