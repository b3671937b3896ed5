/**
 * MCP inside OpenEnv: JSON-RPC with `tools/list`, `tools/call` and two methods for sessions, without MCP's handshake.
 *
 * Errors always carry `data`, and every HTTP status is 200. Rules and texts: `huggingface/OpenEnv` 0.10,
 * `core/env_server/http_server.py`; test/golden/openenv pins them.
 */
import type { JsonObject, OpenEnvSession, Tool, ToolResult } from './endpoint.js';
import { ToolCallError } from './endpoint.js';
import { messageOf } from './outcome.js';
import { isObject } from './validation.js';

/** Finds the session of a request. */
export interface RpcSessions {
  /** Runs in the session of the request: the one it names, that of its socket, or a fresh one that ends with it. */
  use<R>(sessionId: unknown, work: (session: OpenEnvSession) => R | PromiseLike<R>): Promise<R>;
  create(): Promise<string>;
  /** @returns The answer for the client. */
  close(sessionId: string): Promise<JsonObject>;
}

/** A request that gets an error answer. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const failed = (id: unknown, code: number, message: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data: null },
});

export async function answerText(text: string, sessions: RpcSessions): Promise<JsonObject> {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch (error) {
    return failed(null, -32700, `Parse error: ${(error as Error).message}`);
  }
  return answerRequest(request, sessions);
}

export async function answerRequest(request: unknown, sessions: RpcSessions): Promise<JsonObject> {
  const problem = invalid(request);
  if (problem !== undefined) return failed(null, -32600, `Invalid request: ${problem}`);
  const { id = null, method, params = {} } = request as { id?: unknown; method: string; params?: JsonObject | null };
  try {
    return { jsonrpc: '2.0', id, result: await answer(method, params ?? {}, sessions) };
  } catch (error) {
    return failed(id, error instanceof RpcError ? error.code : -32603, messageOf(error));
  }
}

function invalid(request: unknown): string | undefined {
  if (!isObject(request)) return 'expected an object';
  const { jsonrpc, method, params, id } = request;
  if (jsonrpc !== '2.0') return jsonrpc === undefined ? 'jsonrpc: Field required' : "jsonrpc: Input should be '2.0'";
  if (typeof method !== 'string') return method === undefined ? 'method: Field required' : 'method: expected a string';
  if (params !== undefined && params !== null && !isObject(params)) return 'params: Input should be a valid dictionary';
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return 'id: expected a string or a number';
  return undefined;
}

async function answer(method: string, params: JsonObject, sessions: RpcSessions): Promise<JsonObject> {
  const { session_id: sessionId } = params;
  switch (method) {
    case 'tools/list':
      return sessions.use(sessionId, (session) => ({ tools: toolsOf(session).map(listed) }));
    case 'tools/call':
      return sessions.use(sessionId, async (session) => {
        toolsOf(session);
        const { name, arguments: args } = params;
        if (typeof name !== 'string' || name === '') throw new RpcError(-32602, "Missing 'name' in params");
        return dump(await callTool(session, name, isObject(args) ? args : {}));
      });
    case 'openenv/session/create':
      return { session_id: await sessions.create() };
    case 'openenv/session/close':
      if (typeof sessionId !== 'string' || sessionId === '') {
        throw new RpcError(-32602, "Invalid params - 'session_id' is required");
      }
      return sessions.close(sessionId);
    default:
      throw new RpcError(-32601, `Method not found: ${method}`);
  }
}

function toolsOf({ tools }: OpenEnvSession): readonly Tool[] {
  if (!tools) throw new RpcError(-32603, 'Environment does not support MCP');
  return tools;
}

/** @throws {ToolCallError} Unknown, or its arguments do not fit. @throws {Error} The tool failed; the text says which. */
async function callTool(session: OpenEnvSession, name: string, args: JsonObject): Promise<ToolResult> {
  if (!session.callTool || !session.tools?.some((tool) => tool.name === name)) {
    throw new ToolCallError('tool_not_found', `Unknown tool: '${name}'`);
  }
  try {
    return await session.callTool(name, args);
  } catch (error) {
    if (error instanceof ToolCallError) throw error;
    throw new Error(`Error calling tool '${name}': ${messageOf(error)}`);
  }
}

/** Layout of FastMCP's dump: snake case, absent values as `null`. */
function dump({ content, structured_content = null, meta = null, data = null }: ToolResult): JsonObject {
  return {
    content: content.map((part) => ({ ...part, annotations: null, meta: null })),
    structured_content,
    meta,
    data,
    is_error: false,
  };
}

function listed({ name, description, inputSchema, outputSchema = null, meta = null }: Tool): JsonObject {
  const absent = { icons: null, annotations: null, execution: null };
  return { name, title: null, description, inputSchema, outputSchema, meta, ...absent };
}

/** `step` with `{type: "call_tool"}` or `{type: "list_tools"}` in an environment with tools; else `undefined`. */
export async function toolStep(session: OpenEnvSession, data: JsonObject): Promise<JsonObject | undefined> {
  if (!session.tools) return undefined;
  if (data.type === 'list_tools' || typeof data.tool_name === 'string') session.onToolStep?.();
  if (data.type === 'list_tools') {
    const tools = session.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    }));
    return { tools };
  }
  if (data.type !== 'call_tool' || typeof data.tool_name !== 'string') return undefined;
  const name = data.tool_name;
  try {
    const result = dump(await callTool(session, name, isObject(data.arguments) ? data.arguments : {}));
    return { tool_name: name, result, error: null };
  } catch (error) {
    const type = error instanceof ToolCallError ? error.type : 'execution_error';
    return { tool_name: name, result: null, error: { error_type: type, message: messageOf(error) } };
  }
}
