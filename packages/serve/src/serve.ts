/** `serve`: registered environments on an OpenEnv server, in one call. */
import { checkNames, names, settleAll } from '@vlgym/core/internal';
import { type EnvEndpointOptions, envEndpoint } from './openenv/env-endpoint.js';
import { OpenEnvServer, type OpenEnvServerOptions } from './openenv/server.js';
import { ServedEnv, type ServedEnvOptions } from './session/served-env.js';

export interface ServeOptions extends OpenEnvServerOptions, EnvEndpointOptions {
  /** Ids, or ids with their options. */
  readonly envs: readonly (string | ServedEnvOptions)[];
}

export interface Serving extends AsyncDisposable {
  /** e.g. `http://127.0.0.1:8000` */
  readonly address: string;
  /** One per environment, in their order: what a client takes as its `base_url`. */
  readonly urls: readonly string[];
  readonly server: OpenEnvServer;
  readonly served: readonly ServedEnv[];
  close(): Promise<void>;
}

const SERVE_OPTIONS = names<ServeOptions>({
  envs: 0,
  host: 0,
  port: 0,
  token: 0,
  mode: 0,
  maxSessions: 0,
  idleSeconds: 0,
  pingSeconds: 0,
  maxMessageBytes: 0,
  face: 0,
  images: 0,
  snapshots: 0,
});

/**
 * Serves environments to OpenEnv clients until it is closed.
 *
 * @throws what `make` throws for an environment; `PORT_TAKEN`; `TOKEN_NEEDED` beyond loopback.
 *
 * @example
 * const serving = await serve({ envs: ['vlgym/Points24-v1'], port: 8000 });
 */
export async function serve(given: ServeOptions): Promise<Serving> {
  checkNames('options', given, SERVE_OPTIONS);
  const { envs, face, images, snapshots, ...options } = given;
  const served = await settleAll(envs.map((env) => ServedEnv.create(typeof env === 'string' ? { id: env } : env)));
  const closeAll = () => settleAll(served.map((each) => each.close()));
  let server: OpenEnvServer | undefined;
  try {
    server = new OpenEnvServer(
      served.map((each) => envEndpoint(each, { face, images, snapshots })),
      options,
    );
    const address = await server.listen();
    const running = server;
    const close = async () => {
      await running.close();
      await closeAll();
    };
    const urls = running.prefixes.map((prefix) => `${address}${prefix}`);
    return { address, urls, server: running, served, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await server?.close();
    await closeAll();
    throw error;
  }
}
