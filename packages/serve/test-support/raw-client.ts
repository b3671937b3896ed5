/** A WebSocket client that sends any frame and reads one answer at a time. */
import { WebSocket } from 'ws';

export class RawClient {
  readonly #socket: WebSocket;
  readonly #frames: unknown[] = [];
  readonly #waiting: ((frame: unknown) => void)[] = [];
  closed: { readonly code: number } | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#push(JSON.parse(String(data))));
    socket.on('close', (code) => {
      this.closed = { code };
      this.#push({ closed: code });
    });
    socket.on('error', () => {});
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<RawClient> {
    const socket = new WebSocket(url, { headers });
    const client = new RawClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  /** The next frame; `{ closed: code }` when the connection ends. */
  next(): Promise<unknown> {
    if (this.#frames.length > 0) return Promise.resolve(this.#frames.shift());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async ask(frame: unknown): Promise<unknown> {
    this.send(frame);
    return this.next();
  }

  send(frame: unknown): void {
    this.#socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame));
  }

  /** Vanishes without a closing handshake, as a killed process does. */
  vanish(): void {
    this.#socket.terminate();
  }

  /** No longer reads, so that pings stay unanswered. */
  freeze(): void {
    this.#socket.pause();
  }

  async close(): Promise<void> {
    this.#socket.close();
    while (!this.closed) await this.next();
  }

  #push(frame: unknown): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(frame);
    else this.#frames.push(frame);
  }
}
