/** `GET /health` and `GET /ready`, for the probes of a container platform. No other path is served. */
import { Listener, plain } from '@vlgym/core/http';

export class HealthServer {
  private constructor(readonly listener: Listener) {}

  /** @param isReady  Asked at every `/ready`: 200 or 503. @throws {GymError} `PORT_TAKEN` */
  static async listen(port: number, isReady: () => boolean, host = '0.0.0.0'): Promise<HealthServer> {
    const listener = new Listener({
      ...{ host, port },
      open: 'all', // probes have no token, and learn a status only
      maxConnections: 64,
      maxBodyBytes: 0,
      answer: ({ method, url: { pathname } }) => {
        if (method !== 'GET' || !['/health', '/ready'].includes(pathname)) return plain('', 404);
        return plain('', pathname === '/health' || isReady() ? 200 : 503);
      },
    });
    await listener.listen();
    return new HealthServer(listener);
  }

  get port(): number {
    return this.listener.port;
  }

  close(): Promise<void> {
    return this.listener.close();
  }
}
