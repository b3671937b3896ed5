/**
 * Episodes of an MCP server: handles in the session table, because HTTP requests of either protocol era share no other
 * state. A handle is unguessable, counts against the capacity, and ends when idle.
 */

import { GymError } from '@vlgym/core';
import { recordEpisode } from '@vlgym/core/trajectory';
import { UnknownSessionError } from '../errors.js';
import type { ServedEnv } from '../session/served-env.js';
import type { Moment, ServedEpisode, ServedResetOptions } from '../session/served-episode.js';
import { type Session, SessionTable, type SessionTableOptions } from '../session/session-table.js';

export interface Played {
  readonly episode: ServedEpisode;
  close(): Promise<void>;
}

/** Remedies are in the message: it is all that a model sees. */
export class UnknownEpisodeError extends GymError {
  constructor(readonly handle: string) {
    super(`No episode "${handle}"; call reset.`, { code: 'UNKNOWN_EPISODE', value: handle });
  }
}

export class McpEpisodes {
  readonly table: SessionTable;
  readonly served: ReadonlyMap<string, ServedEnv>;
  /** The newest handle, which a client over stdio may leave out. */
  #last: string | undefined;

  constructor(served: readonly ServedEnv[], options: SessionTableOptions = {}) {
    this.table = new SessionTable({ maxSessions: options.maxSessions, idleSeconds: options.idleSeconds });
    this.served = new Map(served.map((each) => [each.name, each]));
  }

  async start(
    name: string | undefined,
    reset: ServedResetOptions,
  ): Promise<{ handle: string; moment: Moment; played: Played }> {
    const served = this.#find(name);
    const session = await this.table.open(async (): Promise<Played & { first: Moment }> => {
      const episode = await served.open();
      try {
        const first = await episode.reset(reset);
        await episode.record(recordEpisode);
        return { episode, first, close: () => episode.close() };
      } catch (error) {
        await episode.close();
        throw error;
      }
    });
    this.#last = session.id;
    return { handle: session.id, moment: session.resource.first, played: session.resource };
  }

  /** @throws {UnknownEpisodeError} */
  find(handle: string | undefined): Session<Played> {
    const id = handle ?? this.#last ?? '';
    try {
      return this.table.get<Played>(id);
    } catch (error) {
      if (error instanceof UnknownSessionError) throw new UnknownEpisodeError(id);
      throw error;
    }
  }

  async act(
    handle: string | undefined,
    action: string,
    thoughts?: string,
  ): Promise<{ moment: Moment; session: Session<Played> }> {
    const session = this.find(handle);
    const moment = await session.run(({ episode }) => episode.actInWords(action, thoughts));
    return { moment, session };
  }

  /** The episode so far as lines of JSON: the header, then the steps. Pictures are named by their hashes. */
  async trajectory(handle: string): Promise<string> {
    return this.find(handle).run(({ episode: { recorder } }) =>
      [recorder!.header, ...recorder!.steps].map((record) => JSON.stringify(record)).join('\n'),
    );
  }

  async close(handle: string | undefined): Promise<string> {
    const { id } = this.find(handle);
    await this.table.close(id);
    return id;
  }

  #find(name: string | undefined): ServedEnv {
    const only = this.served.size === 1 ? [...this.served.values()][0] : undefined;
    const found = name === undefined ? only : this.served.get(name);
    if (found) return found;
    const names = [...this.served.keys()].join(', ');
    throw new GymError(
      name === undefined ? `Choose an environment: ${names}.` : `No environment "${name}"; choose one of ${names}.`,
      {
        code: 'UNKNOWN_ENV',
        value: name,
      },
    );
  }
}
