/**
 * The table of sessions behind every network face: unguessable ids, a capacity, one queue per session, an idle reaper.
 *
 * A session holds one resource, such as an environment. Its calls never overlap, a call that runs keeps it from being
 * idle, and the resource is closed once, by its client, the reaper or the server.
 */

import { randomBytes } from 'node:crypto';
import type { Awaitable } from '@vlgym/core';
import { GymError } from '@vlgym/core';
import { checkNames, names, SerialQueue } from '@vlgym/core/internal';
import { CapacityError, UnknownSessionError } from '../errors.js';

export interface Closable {
  close(): Awaitable<void>;
}

export interface SessionTableOptions {
  readonly maxSessions?: number | undefined;
  /** Seconds without a call after which a session is closed. */
  readonly idleSeconds?: number | undefined;
}

export interface OpenOptions {
  /** Called when the reaper ends the session, before its resource is closed. */
  readonly onReaped?: ((idleSeconds: number) => void) | undefined;
}

/** Calls that wait in one session; a client that sends more without reading answers is refused. */
const MAX_WAITING = 64;

export class Session<T extends Closable = Closable> {
  readonly id = randomBytes(16).toString('hex');
  readonly #queue = new SerialQueue();
  #waiting = 0;
  #lastUse = performance.now();

  constructor(
    readonly resource: T,
    readonly onReaped: OpenOptions['onReaped'],
  ) {}

  /** Runs `work` after all earlier calls of this session. */
  async run<R>(work: (resource: T) => Awaitable<R>): Promise<R> {
    if (this.#waiting >= MAX_WAITING) {
      throw new GymError(`More than ${MAX_WAITING} calls wait in this session.`, {
        code: 'SESSION_BUSY',
        value: this.#waiting,
        hint: 'wait for each answer before the next call',
      });
    }
    this.#waiting += 1;
    try {
      return await this.#queue.run(() => work(this.resource));
    } finally {
      this.#waiting -= 1;
      this.#lastUse = performance.now();
    }
  }

  /** Milliseconds since the last call; 0 while one runs. */
  get idleTime(): number {
    return this.#waiting > 0 ? 0 : performance.now() - this.#lastUse;
  }

  /** Closes the resource after the call that runs. */
  async end(): Promise<void> {
    await this.#queue.run(() => this.resource.close());
  }
}

const SESSION_TABLE_CONSTRUCTOR_OPTIONS = names<SessionTableOptions>({ maxSessions: 0, idleSeconds: 0 });

export class SessionTable {
  readonly maxSessions: number;
  readonly idleSeconds: number;
  readonly #sessions = new Map<string, Session>();
  readonly #ending = new Set<Promise<void>>();
  readonly #reaper: NodeJS.Timeout;
  #opening = 0;

  constructor(options: SessionTableOptions = {}) {
    checkNames('options', options, SESSION_TABLE_CONSTRUCTOR_OPTIONS);
    const { maxSessions = 64, idleSeconds = 3600 } = options;

    this.maxSessions = maxSessions;
    this.idleSeconds = idleSeconds;
    const interval = Math.min(Math.max((idleSeconds * 1000) / 4, 20), 5000);
    this.#reaper = setInterval(() => this.#reap(), interval).unref();
  }

  /** Sessions that hold a slot, those being opened or closed among them. */
  get active(): number {
    return this.#sessions.size + this.#opening + this.#ending.size;
  }

  /** @throws {CapacityError} */
  refuseWhenFull(): void {
    if (this.active >= this.maxSessions) throw new CapacityError(this.active, this.maxSessions);
  }

  /** Takes a slot and makes the resource in it. @throws {CapacityError} or what `create` throws. */
  async open<T extends Closable>(create: () => Awaitable<T>, { onReaped }: OpenOptions = {}): Promise<Session<T>> {
    this.refuseWhenFull();
    this.#opening += 1;
    try {
      const session = new Session(await create(), onReaped);
      this.#sessions.set(session.id, session as unknown as Session);
      return session;
    } finally {
      this.#opening -= 1;
    }
  }

  /** @throws {UnknownSessionError} */
  get<T extends Closable = Closable>(id: string): Session<T> {
    const session = this.#sessions.get(id);
    if (!session) throw new UnknownSessionError(id);
    return session as unknown as Session<T>;
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Ends a session; its slot is free when its resource is closed. A second call does nothing. */
  async close(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    const ended: Promise<void> = session.end().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    await ended;
  }

  /** Ends all sessions and the reaper. */
  async closeAll(): Promise<void> {
    clearInterval(this.#reaper);
    await Promise.allSettled([...this.#sessions.keys()].map((id) => this.close(id)));
    await Promise.allSettled(this.#ending);
  }

  #reap(): void {
    for (const session of this.#sessions.values()) {
      if (session.idleTime <= this.idleSeconds * 1000) continue;
      session.onReaped?.(this.idleSeconds);
      this.close(session.id).catch(() => {});
    }
  }
}
