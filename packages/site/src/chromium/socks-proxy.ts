/**
 * A SOCKS5 proxy (RFC 1928) on loopback: the only way out for the pages of one browser context.
 *
 * Request interception sees a page's own requests, but not web sockets or the requests of shared and service workers. All
 * of them pass through the proxy, which refuses and counts connections to hosts and ports that are not allowed.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const VERSION = 5;
const NO_PASSWORD = 0;
const CONNECT = 1;
/** The address type that Chromium uses for every host, numeric addresses included. */
const DOMAIN_NAME = 3;
const [GRANTED, NOT_ALLOWED, UNREACHABLE] = [0, 2, 4];

export class SocksProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #allowed: ReadonlySet<string>;
  readonly #onRefused: () => void;

  private constructor(origins: readonly string[], onRefused: () => void) {
    this.#allowed = new Set(origins.map(hostAndPort));
    this.#onRefused = onRefused;
    this.#server = createServer((socket) => void this.#serve(socket));
  }

  /**
   * @param origins  Allowed sites, e.g. `http://localhost:8080`; any scheme on that host and port.
   * @param onRefused  Called for each refused connection.
   */
  static async open(origins: readonly string[], onRefused: () => void): Promise<SocksProxy> {
    const proxy = new SocksProxy(origins, onRefused);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    proxy.#server.unref();
    return proxy;
  }

  /** Value for `proxyServer` of a browser context. */
  get address(): string {
    return `socks5://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes all connections. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(socket: Socket): Promise<void> {
    this.#track(socket);
    try {
      const [, methods] = await readBytes(socket, 2);
      await readBytes(socket, methods!);
      socket.write(Buffer.of(VERSION, NO_PASSWORD));
      const [, command, , addressType, length] = await readBytes(socket, 5);
      if (command !== CONNECT || addressType !== DOMAIN_NAME) return answer(socket, NOT_ALLOWED);
      const rest = await readBytes(socket, length! + 2);
      const host = rest.toString('latin1', 0, length).toLowerCase();
      const port = rest.readUInt16BE(length);
      if (this.#allowed.has(`${host}:${port}`)) return this.#connect(socket, host, port);
      this.#onRefused();
      return answer(socket, NOT_ALLOWED);
    } catch {
      socket.destroy(); // the client went away
    }
  }

  #connect(socket: Socket, host: string, port: number): void {
    const site = this.#track(connect({ host, port, noDelay: true }));
    site.once('connect', () => {
      answer(socket, GRANTED);
      socket.pipe(site).pipe(socket);
      socket.once('close', () => site.destroy());
      site.once('close', () => socket.destroy());
    });
    site.once('error', () => answer(socket, UNREACHABLE)); // once connected, `close` ends both
  }

  #track(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    // the call that waits for the page holds Node, not the page's connections
    return socket.unref().setNoDelay();
  }
}

/** Exactly `count` bytes from the connection. */
async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(count);
    if (bytes?.length === count) return bytes;
    if (socket.readableEnded || socket.destroyed) throw new Error('the connection ended');
    await once(socket, 'readable');
  }
}

/** The reply carries a bound address, which nobody reads. Everything but a grant closes the connection. */
function answer(socket: Socket, outcome: number): void {
  const bytes = Buffer.of(VERSION, outcome, 0, 1, 0, 0, 0, 0, 0, 0);
  if (outcome === GRANTED) socket.write(bytes);
  else socket.end(bytes);
}

/** `localhost:8080`, `example.org:443`, `::1:80` */
function hostAndPort(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  return `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
