/** vlgym environments as an MCP server, and MCP tools as an action space. */
export { ServedEnv, type ServedEnvOptions } from '../session/served-env.js';
export { McpEpisodes, type Played, UnknownEpisodeError } from './episodes.js';
export { type McpHttpOptions, McpHttpServer } from './http.js';
export { createMcpServer, type McpServerSettings } from './server.js';
export { mcpOverStdio } from './stdio.js';
export { type McpTools, mcpTools, type ToolCall, type ToolClient, type ToolOutcome } from './tool-space.js';
