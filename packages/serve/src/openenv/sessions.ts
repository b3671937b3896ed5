/** The sessions of one endpoint: over WebSocket, over `POST /mcp`, or shared by both. */
import { UnknownSessionError } from '../errors.js';
import type { Session, SessionTable } from '../session/session-table.js';
import type { OpenEnvEndpoint, OpenEnvSession } from './endpoint.js';
import { RpcError, type RpcSessions } from './json-rpc.js';

interface Shared {
  /** A socket uses the session now. */
  attached: boolean;
  /** To be closed when the socket leaves. */
  closing: boolean;
  onReaped: ((idleSeconds: number) => void) | undefined;
}

export class OpenEnvHost {
  /** Sessions that were created by JSON-RPC. */
  readonly #shared = new Map<string, Shared>();

  constructor(
    readonly endpoint: OpenEnvEndpoint,
    readonly table: SessionTable,
  ) {}

  open(query: URLSearchParams, onReaped?: (idleSeconds: number) => void): Promise<Session<OpenEnvSession>> {
    return this.table.open(() => this.endpoint.open(query), onReaped ? { onReaped } : {});
  }

  /** A session that outlives its requests, for `openenv/session/create`. */
  async create(query: URLSearchParams): Promise<string> {
    const shared: Shared = { attached: false, closing: false, onReaped: undefined };
    const session = await this.open(query, (seconds) => {
      shared.onReaped?.(seconds);
      this.#shared.delete(session.id);
    });
    this.#shared.set(session.id, shared);
    return session.id;
  }

  /** A socket joins a created session. @returns The session, or the reason for the refusal. */
  attach(id: string, onReaped: (idleSeconds: number) => void): Session<OpenEnvSession> | string {
    const shared = this.#shared.get(id);
    if (!shared || !this.table.has(id)) return `Unknown session_id: ${id}`;
    if (shared.attached || shared.closing) return `Session ${id} is attached to another connection.`;
    shared.attached = true;
    shared.onReaped = onReaped;
    return this.table.get(id);
  }

  /** The socket of a session has left. */
  async detach(id: string): Promise<void> {
    const shared = this.#shared.get(id);
    if (!shared) return;
    shared.attached = false;
    shared.onReaped = undefined;
    if (shared.closing) await this.#close(id);
  }

  /** @throws {UnknownSessionError} */
  async close(id: string): Promise<{ readonly session_id: string; readonly closed: boolean; readonly closing?: true }> {
    const shared = this.#shared.get(id);
    if (!shared || !this.table.has(id)) throw new UnknownSessionError(id);
    if (shared.attached) {
      shared.closing = true;
      return { session_id: id, closed: false, closing: true };
    }
    await this.#close(id);
    return { session_id: id, closed: true };
  }

  /** @throws {UnknownSessionError} */
  created(id: string): Session<OpenEnvSession> {
    if (!this.#shared.has(id)) throw new UnknownSessionError(id);
    return this.table.get(id);
  }

  async #close(id: string): Promise<void> {
    this.#shared.delete(id);
    await this.table.close(id);
  }
}

/** @param own  The session of the socket; without one, a request without an id gets a fresh environment. */
export function rpcSessions(host: OpenEnvHost, query: URLSearchParams, own?: Session<OpenEnvSession>): RpcSessions {
  return {
    async use(id, work) {
      if (id !== undefined && id !== null) return named(() => host.created(String(id)).run(work));
      if (own) return own.run(work);
      const session = await host.open(query);
      try {
        return await session.run(work);
      } finally {
        await host.table.close(session.id);
      }
    },
    create: async () => (own ? own.id : host.create(query)),
    close: (id) => named(() => host.close(id)),
  };
}

/** An unknown session is the client's error, not the environment's. */
async function named<R>(act: () => Promise<R>): Promise<R> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UnknownSessionError) throw new RpcError(-32602, error.message.split('\n')[0]!);
    throw error;
  }
}
