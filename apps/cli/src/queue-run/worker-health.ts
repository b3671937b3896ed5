/** `/health`: the process answers. `/ready`: it takes orders. For the probes of an orchestrator of containers. */
import { loadQueue } from '../load-queue.js';

export interface Health {
  isReady: boolean;
  close(): Promise<void>;
}

/** On all addresses, because probes come from outside of the container; it tells nothing but yes or no. */
export async function serveHealth(port: number | undefined): Promise<Health> {
  const health: Health = { isReady: false, close: async () => {} };
  if (port === undefined) return health;
  const { HealthServer } = await loadQueue();
  const server = await HealthServer.listen(port, () => health.isReady);
  health.close = () => server.close();
  return health;
}
