/** vlgym environments for other programs, and other programs' environments for vlgym. `./mcp` speaks MCP. */
export { OpenEnvClient, type OpenEnvClientOptions } from './client/open-env-client.js';
export { RemoteError, RemoteLostError } from './client/open-env-socket.js';
export { RemoteSpace } from './client/remote-space.js';
export type { ServerDescription } from './client/server-description.js';
export { CapacityError, InvalidMessageError, type Issue, UnknownSessionError } from './errors.js';
export type {
  EndpointMetadata,
  EndpointSchemas,
  JsonObject,
  OpenEnvEndpoint,
  OpenEnvSession,
  Outcome,
  TaskSource,
  Tool,
  ToolResult,
} from './openenv/endpoint.js';
export { ToolCallError } from './openenv/endpoint.js';
export { type EnvEndpointOptions, envEndpoint } from './openenv/env-endpoint.js';
export { PICTURE_FORMS, type PictureForm } from './openenv/pictures.js';
export type { OpenEnvMode } from './openenv/routes.js';
export { FACES, type Face } from './openenv/schemas.js';
export { OpenEnvServer, type OpenEnvServerOptions } from './openenv/server.js';
export { type ServeOptions, type Serving, serve } from './serve.js';
export { ServedEnv, type ServedEnvOptions } from './session/served-env.js';
export { type Moment, ServedEpisode, type ServedResetOptions, type ServedState } from './session/served-episode.js';
export {
  type Closable,
  type OpenOptions,
  Session,
  SessionTable,
  type SessionTableOptions,
} from './session/session-table.js';
