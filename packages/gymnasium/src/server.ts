/** Environments of vlgym for Python programs that attach to a running server. */
export { EnvServer, type EnvServerOptions } from './env-server/env-server.js';
