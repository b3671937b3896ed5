/** `GET /health` and `GET /ready`, for the probes of a container platform. No other path is served. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_LIMITS } from '@vlgym/core/internal';

const MAX_CONNECTIONS = 64;

export class HealthServer {
  private constructor(readonly server: Server) {}

  /** @param isReady  Asked at every `/ready`: 200 or 503. */
  static async listen(port: number, isReady: () => boolean, host = '0.0.0.0'): Promise<HealthServer> {
    const server = createServer(HTTP_LIMITS, ({ method, url }, response) => {
      const isKnown = method === 'GET' && (url === '/health' || url === '/ready');
      response.writeHead(isKnown ? (url === '/health' || isReady() ? 200 : 503) : 404).end();
    });
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return new HealthServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
