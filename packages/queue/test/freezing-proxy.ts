/** A TCP proxy that can swallow all packets without closing anything: a cut network. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class FreezingProxy {
  readonly #sockets = new Set<Socket>();
  #frozen = false;

  private constructor(
    readonly port: number,
    readonly server: Server,
  ) {}

  static async start(target: number): Promise<FreezingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FreezingProxy((server.address() as { port: number }).port, server);
    server.on('connection', (inner) => proxy.#pipe(inner, connect(target, '127.0.0.1')));
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pipe(a: Socket, b: Socket): void {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#frozen) from.pause();
    }
  }
}
