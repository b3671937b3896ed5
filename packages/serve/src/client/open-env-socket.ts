/**
 * The client's end of OpenEnv's session protocol: one request at a time, one answer each.
 *
 * Answers carry no ids, so after a time-out the next answer could belong to the last request: the socket is closed, and
 * the next reset dials again. Rules: `huggingface/OpenEnv` 0.10, `core/env_client.py`.
 */
import { GymError } from '@vlgym/core';
import { isRecord, SerialQueue } from '@vlgym/core/internal';
import { WebSocket } from 'ws';

export interface SocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly connectTimeoutMs: number;
  readonly messageTimeoutMs: number;
  readonly maxMessageBytes: number;
}

/** The server answered with an error; the session lives on. */
export class RemoteError extends GymError {
  constructor(
    readonly remoteCode: string,
    message: string,
    detail: unknown,
  ) {
    const { code, hint } = isRecord(detail) ? detail : {};
    super(`The server refused: ${message}`, {
      code: 'REMOTE_ERROR',
      value: typeof code === 'string' ? code : remoteCode,
      ...(typeof hint === 'string' ? { hint } : {}),
    });
  }
}

/** No answer: the server is not there, has gone, or did not answer in time. The next reset dials again. */
export class RemoteLostError extends GymError {
  constructor(
    readonly reason: 'connect' | 'closed' | 'timeout',
    message: string,
    cause?: unknown,
  ) {
    super(message, {
      code: 'REMOTE_LOST',
      value: reason,
      hint:
        reason === 'timeout'
          ? 'raise messageTimeoutMs, or look at the server'
          : 'start the server; the next reset connects again',
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

export class OpenEnvSocket {
  readonly #url: string;
  readonly #options: SocketOptions;
  readonly #queue = new SerialQueue();
  #socket: WebSocket | undefined;

  constructor(url: string, options: SocketOptions) {
    this.#url = url;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** @param dial  Connect first if the connection is closed; an episode cannot survive that. */
  ask(message: object, dial: boolean): Promise<Record<string, unknown>> {
    return this.#queue.run(async () => {
      if (!this.isOpen) {
        if (!dial) throw new RemoteLostError('closed', `The connection to ${this.#url} was closed.`);
        this.#socket = await this.#dial();
      }
      return dataOf(await this.#exchange(this.#socket!, JSON.stringify(message)));
    });
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket?.readyState !== WebSocket.OPEN) {
      socket?.terminate();
      return;
    }
    socket.send('{"type":"close"}');
    socket.close(1000);
  }

  async #dial(): Promise<WebSocket> {
    const { headers, connectTimeoutMs, maxMessageBytes } = this.#options;
    const socket = new WebSocket(this.#url, {
      headers,
      handshakeTimeout: connectTimeoutMs,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', (cause) =>
        reject(new RemoteLostError('connect', `No connection to ${this.#url}: ${cause.message}`, cause)),
      );
    });
    socket.on('error', () => {}); // `close` follows
    return socket;
  }

  #exchange(socket: WebSocket, text: string): Promise<string> {
    return new Promise<string>((resolve, reject) => {
      const done = (act: () => void) => {
        clearTimeout(timer);
        clearImmediate(judging);
        socket.off('message', onMessage);
        socket.off('close', onClose);
        act();
      };
      const onMessage = (data: unknown) => done(() => resolve(String(data)));
      const onClose = (code: number) =>
        done(() => reject(new RemoteLostError('closed', `The server closed the connection (code ${code}).`)));
      const { messageTimeoutMs } = this.#options;
      const expire = () => {
        done(() =>
          reject(new RemoteLostError('timeout', `No answer from ${this.#url} within ${messageTimeoutMs} ms.`)),
        );
        socket.terminate();
        this.#socket = undefined;
      };
      let judging: NodeJS.Immediate | undefined;
      // where the program was busy, timers come before the answer that has arrived in the meantime
      const timer = setTimeout(() => {
        judging = setImmediate(expire);
      }, messageTimeoutMs);
      socket.on('message', onMessage);
      socket.on('close', onClose);
      socket.send(text);
    });
  }
}

/** @throws {RemoteError} */
function dataOf(text: string): Record<string, unknown> {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch (cause) {
    throw new RemoteLostError('closed', 'The server sent a frame that is not JSON.', cause);
  }
  if (!isRecord(frame) || !isRecord(frame.data)) {
    throw new RemoteLostError('closed', 'The server sent a frame without data.');
  }
  if (frame.type !== 'error') return frame.data;
  const { message, code, detail } = frame.data;
  throw new RemoteError(String(code), String(message), detail);
}
