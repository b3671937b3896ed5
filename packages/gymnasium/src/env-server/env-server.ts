/**
 * Environments for Python programs that attach to a running server: over a Unix socket, or over HTTP.
 *
 * A connection is a session with one environment or one vector; it speaks the frames of `vlgym.env/1` from its first
 * byte. Over HTTP it begins with `Upgrade: vlgym.env`, so that Host, Origin and token are checked as on the other
 * servers. A client that has nothing to ask sends `{"op": "beat"}`, which has no answer, as often as the answer to its
 * "hello" says.
 */
import { once } from 'node:events';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { GymError } from '@vlgym/core';
import { json, Listener, plain, RefusedRequest } from '@vlgym/core/http';
import { checkNames, isRecord, names } from '@vlgym/core/internal';
import { type ServedEnv, type Session, SessionTable, type SessionTableOptions } from '@vlgym/serve';
import { encodeFrame, FrameReader } from '../frames/codec.js';
import { answerTo, failure } from './answer.js';
import { EnvOperations } from './operations.js';
import { endWhenSilent } from './silence.js';
import { type EnvSource, servedSource } from './sources.js';

export interface EnvServerOptions extends SessionTableOptions {
  /** Path of a Unix socket, for this user only. Without one, HTTP. */
  readonly socket?: string | undefined;
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  readonly token?: string | undefined;
  /** Seconds between beats of a client that waits; one that is silent for twice as long is dropped. Default 20. */
  readonly pingSeconds?: number | undefined;
  /** Bytes of one request. */
  readonly maxMessageBytes?: number | undefined;
}

const DEFAULT_MESSAGE_BYTES = 16 * 1024 * 1024;

const ENV_SERVER_OPTIONS = names<EnvServerOptions>({
  socket: 0,
  host: 0,
  port: 0,
  token: 0,
  pingSeconds: 0,
  maxMessageBytes: 0,
  maxSessions: 0,
  idleSeconds: 0,
});

export class EnvServer {
  readonly table: SessionTable;
  readonly #source: EnvSource;
  readonly #maxBytes: number;
  readonly #pingSeconds: number;
  readonly #connections = new Set<Socket>();
  readonly #options: EnvServerOptions;
  #local: Server | undefined;
  #http: Listener | undefined;

  constructor(served: readonly ServedEnv[], options: EnvServerOptions = {}) {
    checkNames('options', options, ENV_SERVER_OPTIONS);
    this.table = new SessionTable({ maxSessions: options.maxSessions, idleSeconds: options.idleSeconds });
    this.#source = servedSource(served, this.table.maxSessions);
    this.#maxBytes = options.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES;
    this.#pingSeconds = options.pingSeconds ?? 20;
    this.#options = options;
  }

  /** @returns Python's `connect` argument: `unix:/path` or `http://…`. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    const { socket, host, port, token } = this.#options;
    if (socket !== undefined) return this.#listenAt(socket);
    this.#http = new Listener({
      ...{ host, port, token },
      maxConnections: 4 * this.table.maxSessions + 64,
      maxBodyBytes: 0,
      open: (path) => path === '/health',
      answer: ({ url }) => (url.pathname === '/health' ? json({ status: 'healthy' }) : plain('Not Found', 404)),
      upgrade: (request, { pathname }, stream, head) => {
        if (pathname !== '/env' || request.headers.upgrade !== 'vlgym.env') throw new RefusedRequest(404, 'not here');
        const socket = stream as Socket;
        socket.setNoDelay(true);
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: vlgym.env\r\n\r\n');
        socket.unshift(head);
        this.#serve(socket);
      },
    });
    return this.#http.listen();
  }

  async close(): Promise<void> {
    for (const stream of this.#connections) stream.destroy();
    await this.table.closeAll();
    await this.#http?.close();
    const server = this.#local;
    if (server?.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async #listenAt(path: string): Promise<string> {
    const server = createServer((stream) => this.#serve(stream));
    this.#local = server;
    server.maxConnections = 4 * this.table.maxSessions + 64;
    const before = process.umask(0o177); // nobody else may connect, from the first moment on
    try {
      server.listen(path);
    } finally {
      process.umask(before);
    }
    try {
      await once(server, 'listening');
    } catch (cause) {
      const isSocket = statSync(path, { throwIfNoEntry: false })?.isSocket() === true;
      throw new GymError(`A server cannot listen at ${path}.`, {
        code: 'PORT_TAKEN',
        value: path,
        hint: isSocket ? 'another server is there, or one that was killed: remove the file' : 'choose another path',
        cause,
      });
    }
    chmodSync(path, 0o600);
    server.once('close', () => rmSync(path, { force: true }));
    return `unix:${path}`;
  }

  #serve(stream: Socket): void {
    this.#connections.add(stream);
    stream.once('close', () => this.#connections.delete(stream));
    stream.on('error', () => stream.destroy());
    this.#talk(stream).then(
      () => stream.end(),
      () => stream.destroy(),
    );
  }

  async #talk(stream: Socket): Promise<void> {
    let session: Session<EnvOperations> | undefined;
    let isServing = false;
    endWhenSilent(stream, 2 * this.#pingSeconds, {
      isServing: () => isServing,
      end: (seconds) => {
        if (stream.writableLength > 0) stream.destroy(); // it does not even read
        write(stream, farewell(new Error(`The client was silent for ${seconds} s; the connection was closed.`)));
        stream.destroySoon();
      },
    });
    try {
      const onReaped = (idleSeconds: number) => {
        write(stream, farewell(new Error(`Session idle for ${idleSeconds} s; closed.`)));
        stream.end();
      };
      const greeting = { beat_seconds: this.#pingSeconds };
      session = await this.table.open(() => new EnvOperations(this.#source, greeting), { onReaped });
      const reader = new FrameReader(this.#maxBytes);
      for await (const piece of stream.iterator({ destroyOnReturn: false })) {
        for (const request of reader.push(piece as Buffer)) {
          if (isRecord(request) && request.op === 'beat') continue;
          isServing = true;
          const answer = await session.run((operations) => answerTo(operations, request));
          isServing = false;
          if (!write(stream, answer) && !stream.destroyed) await drained(stream);
        }
      }
    } catch (error) {
      // at capacity, or a broken frame: nothing after it can be read
      write(stream, farewell(error));
    } finally {
      if (session) await this.table.close(session.id);
    }
  }
}

/** The last answer of a connection. */
const farewell = (error: unknown) => ({ ...failure(error), closed: true });

function write(stream: Socket, frame: unknown): boolean {
  if (stream.destroyed || stream.writableEnded) return true;
  stream.cork();
  let isBelowMark = true;
  for (const piece of encodeFrame(frame)) isBelowMark = stream.write(piece);
  stream.uncork();
  return isBelowMark;
}

/** A client that does not read holds its own session up, nothing else. */
const drained = (stream: Socket) =>
  new Promise<void>((resolve) => {
    const events = ['drain', 'close', 'error'];
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
