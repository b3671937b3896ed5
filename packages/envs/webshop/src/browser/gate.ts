/**
 * The only way out for the pages of one browser context: a SOCKS5 server (RFC 1928) on loopback.
 *
 * A page's own requests are looked at before they are sent; web sockets and what shared and service workers ask for are
 * not. All of it must pass here, where a host and port that are not allowed are refused and counted.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const VERSION = 5;
const NO_PASSWORD = 0;
const CONNECT = 1;
/** How Chromium writes every host, addresses included. */
const NAME = 3;
const [GRANTED, NOT_ALLOWED, UNREACHABLE] = [0, 2, 4];

export class Gate {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #allowed: ReadonlySet<string>;
  readonly #refused: () => void;

  private constructor(origins: readonly string[], refused: () => void) {
    this.#allowed = new Set(origins.map(placeOf));
    this.#refused = refused;
    this.#server = createServer((socket) => void this.#serve(socket));
  }

  /**
   * @param origins  What may be reached, e.g. `http://localhost:8080`; any scheme on its host and port.
   * @param refused  Told of each connection that was not allowed.
   */
  static async open(origins: readonly string[], refused: () => void): Promise<Gate> {
    const gate = new Gate(origins, refused);
    await once(gate.#server.listen(0, '127.0.0.1'), 'listening');
    return gate;
  }

  /** For `proxyServer` of a browser context. */
  get address(): string {
    return `socks5://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends all connections. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(socket: Socket): Promise<void> {
    this.#kept(socket);
    try {
      const [, methods] = await taken(socket, 2);
      await taken(socket, methods!);
      socket.write(Buffer.of(VERSION, NO_PASSWORD));
      const [, command, , kind, length] = await taken(socket, 5);
      if (command !== CONNECT || kind !== NAME) return answer(socket, NOT_ALLOWED);
      const rest = await taken(socket, length! + 2);
      const host = rest.toString('latin1', 0, length).toLowerCase();
      const port = rest.readUInt16BE(length);
      if (this.#allowed.has(`${host}:${port}`)) return this.#passed(socket, host, port);
      this.#refused();
      return answer(socket, NOT_ALLOWED);
    } catch {
      socket.destroy(); // it went away meanwhile
    }
  }

  #passed(socket: Socket, host: string, port: number): void {
    const site = this.#kept(connect({ host, port, noDelay: true }));
    site.once('connect', () => {
      answer(socket, GRANTED);
      socket.pipe(site).pipe(socket);
      socket.once('close', () => site.destroy());
      site.once('close', () => socket.destroy());
    });
    site.once('error', () => answer(socket, UNREACHABLE)); // after the first answer, `close` ends both
  }

  #kept(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket.setNoDelay();
  }
}

/** The next bytes of a connection, exactly so many. */
async function taken(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(count);
    if (bytes?.length === count) return bytes;
    if (socket.readableEnded || socket.destroyed) throw new Error('the connection ended');
    await once(socket, 'readable');
  }
}

/** The address that was bound stands in an answer; nobody reads it. Whatever is not granted is over. */
function answer(socket: Socket, outcome: number): void {
  const bytes = Buffer.of(VERSION, outcome, 0, 1, 0, 0, 0, 0, 0, 0);
  if (outcome === GRANTED) socket.write(bytes);
  else socket.end(bytes);
}

/** `localhost:8080`, `example.org:443`, `::1:80` */
function placeOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  return `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
