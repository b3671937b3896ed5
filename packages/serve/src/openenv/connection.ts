/**
 * One WebSocket connection: `/ws` speaks OpenEnv's session protocol, `/mcp` speaks JSON-RPC.
 *
 * One request, one answer, in order. A connection is a session, unless it attaches to one by `?session_id=`. Errors of
 * messages and of the environment are answered and the session lives on; a broken connection ends it.
 *
 * A message is looked at when the client has taken the answer to the last one, so that one answer is in memory at a time.
 */

import { GymError } from '@vlgym/core';
import type { RawData, WebSocket } from 'ws';
import { CapacityError, InvalidMessageError } from '../errors.js';
import type { Session } from '../session/session-table.js';
import type { OpenEnvSession } from './endpoint.js';
import { answerRequest, answerText, toolStep } from './json-rpc.js';
import { errorFrame, failureFrame, messageOf, outcomeFrame } from './outcome.js';
import { type OpenEnvHost, rpcSessions } from './sessions.js';
import { checkReset, extra, isObject, missing, notObject } from './validation.js';

/** Messages that wait for their turn, and their bytes; a client that sends more without reading answers is disconnected. */
const MAX_WAITING = 32;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const NORMAL = 1000;

/** An error after which the connection is closed. */
class SessionError extends Error {}

export class Connection {
  readonly #socket: WebSocket;
  readonly #host: OpenEnvHost;
  readonly #query: URLSearchParams;
  readonly #rpcOnly: boolean;
  readonly #session: Promise<Session<OpenEnvSession> | undefined>;
  #waiting = 0;
  #waitingBytes = 0;
  #last: Promise<void>;
  #attached = false;
  #ended = false;

  constructor(socket: WebSocket, host: OpenEnvHost, query: URLSearchParams, rpcOnly: boolean) {
    this.#socket = socket;
    this.#host = host;
    this.#query = query;
    this.#rpcOnly = rpcOnly;
    this.#session = this.#begin();
    this.#last = this.#session.then(() => {});
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', () => {}); // a broken or oversized frame; `close` follows
    socket.on('close', () => void this.#end());
  }

  /** Resolves when the session has ended. */
  async #end(): Promise<void> {
    this.#ended = true;
    const session = await this.#session;
    if (!session) return;
    if (this.#attached) await this.#host.detach(session.id);
    else await this.#host.table.close(session.id).catch(() => {});
  }

  async #begin(): Promise<Session<OpenEnvSession> | undefined> {
    try {
      return await this.#sessionOf(this.#query.get('session_id'));
    } catch (error) {
      if (error instanceof CapacityError) {
        const { message, active, limit } = error;
        this.#refuse(
          errorFrame(message.split('\n')[0]!, 'CAPACITY_REACHED', { active_sessions: active, max_sessions: limit }),
        );
      } else if (error instanceof SessionError) {
        this.#refuse(errorFrame(error.message, 'SESSION_ERROR'));
      } else {
        this.#refuse(errorFrame(messageOf(error), 'FACTORY_ERROR', { factory_name: this.#host.endpoint.name }));
      }
      return undefined;
    }
  }

  async #sessionOf(id: string | null): Promise<Session<OpenEnvSession>> {
    const onReaped = (seconds: number) =>
      this.#refuse(errorFrame(`Session idle for ${seconds} s; closed.`, 'SESSION_ERROR'));
    if (id === null) return this.#host.open(this.#query, onReaped);
    const session = this.#host.attach(id, onReaped);
    if (typeof session === 'string') throw new SessionError(session);
    this.#attached = true;
    return session;
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#ended) return;
    const bytes = (data as Buffer).length;
    this.#waiting += 1;
    this.#waitingBytes += bytes;
    if (this.#waiting > MAX_WAITING || (this.#waiting > 1 && this.#waitingBytes > MAX_WAITING_BYTES)) {
      this.#disconnect();
      return;
    }
    this.#last = this.#last.then(async () => {
      this.#waiting -= 1;
      this.#waitingBytes -= bytes;
      const session = await this.#session;
      if (!this.#ended && session) await this.#exchange(data, isBinary, session);
    });
  }

  async #exchange(data: RawData, isBinary: boolean, session: Session<OpenEnvSession>): Promise<void> {
    try {
      if (isBinary) throw new SessionError('Expected a text frame, received a binary one.');
      const answer = await this.#answer(String(data), session);
      if (answer !== undefined) await this.#send(answer);
    } catch (error) {
      this.#refuse(errorFrame(messageOf(error), 'SESSION_ERROR'));
    }
  }

  async #answer(text: string, session: Session<OpenEnvSession>): Promise<unknown> {
    const sessions = rpcSessions(this.#host, this.#query, session);
    if (this.#rpcOnly) return answerText(text, sessions);
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return errorFrame(`Invalid JSON: ${(error as Error).message}`, 'INVALID_JSON');
    }
    if (!isObject(message)) throw new SessionError('Expected a JSON object.');
    const { type = '' } = message;
    try {
      switch (type) {
        case 'reset': {
          const data = dataOf(message, {});
          return session
            .run(async (env) => observationFrame(outcomeFrame(await env.reset(checkReset(data)))))
            .catch(failureFrame);
        }
        case 'step': {
          const data = dataOf(message);
          return session.run(async (env) => stepFrame(env, data)).catch(failureFrame);
        }
        case 'state':
          onlyKeys(message, []);
          return session.run(async (env) => ({ type: 'state', data: await env.state() })).catch(failureFrame);
        case 'mcp':
          return { type: 'mcp', data: await answerRequest(dataOf(message), sessions) };
        case 'close':
          onlyKeys(message, []);
          this.#close();
          return undefined;
        default:
          return errorFrame(
            `Unknown message type: ${typeof type === 'string' ? type : JSON.stringify(type)}`,
            'UNKNOWN_TYPE',
          );
      }
    } catch (error) {
      if (GymError.isInstance(error)) return failureFrame(error);
      throw error;
    }
  }

  /** Too many messages. The reason is the last that is sent; one that does not even read would never take it. */
  #disconnect(): void {
    if (this.#socket.bufferedAmount > 0) {
      this.#ended = true;
      this.#socket.terminate();
    } else {
      this.#refuse(errorFrame(`More than ${MAX_WAITING} messages wait for an answer.`, 'SESSION_ERROR'));
    }
  }

  #refuse(frame: unknown): void {
    void this.#send(frame);
    this.#close();
  }

  /** Resolves when the client has taken it, or has gone. */
  #send(frame: unknown): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame), () => resolve());
      else resolve();
    });
  }

  #close(): void {
    this.#ended = true;
    this.#socket.close(NORMAL);
  }
}

const observationFrame = (data: unknown) => ({ type: 'observation', data });

/** `session.run` has the turn; a tool is called in it. */
async function stepFrame(env: OpenEnvSession, data: Readonly<Record<string, unknown>>) {
  const observation = await toolStep(env, data);
  if (observation) return observationFrame(outcomeFrame({ observation, reward: null, done: false }));
  return observationFrame(outcomeFrame(await env.step(data)));
}

/** @throws {InvalidMessageError} */
function dataOf(message: Readonly<Record<string, unknown>>, fallback?: Readonly<Record<string, unknown>>) {
  onlyKeys(message, ['data']);
  const { data = fallback } = message;
  if (data === undefined) throw new InvalidMessageError([missing(['data'], message)]);
  if (!isObject(data)) throw new InvalidMessageError([notObject(['data'], data)]);
  return data;
}

/** @throws {InvalidMessageError} */
function onlyKeys(message: Readonly<Record<string, unknown>>, keys: readonly string[]): void {
  const others = Object.keys(message).filter((key) => key !== 'type' && !keys.includes(key));
  if (others.length > 0) throw new InvalidMessageError(others.map((key) => extra([key], message[key])));
}
