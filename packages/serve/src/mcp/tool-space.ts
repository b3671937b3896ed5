/**
 * MCP tools as an action space: an environment whose actions are calls of tools that some MCP server offers.
 *
 * The client is any that lists and calls tools, such as `Client` of @modelcontextprotocol/client.
 */

import { type ChatPart, type Dialogue, GymError, type ParsedResponse, spaces } from '@vlgym/core';
import { decodePng, isImage } from '@vlgym/core/images';
import { checkNames, isRecord, PictureBudget } from '@vlgym/core/internal';
import type { JsonSpace } from '@vlgym/core/spaces';
import { z } from 'zod';

/** The part of an MCP client that is used. */
export interface ToolClient {
  listTools(params?: { cursor?: string }): Promise<{
    tools: readonly {
      name: string;
      description?: string | undefined;
      inputSchema: Readonly<Record<string, unknown>>;
    }[];
    nextCursor?: string | undefined;
  }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ToolOutcome {
  readonly content: readonly ChatPart[];
  readonly isError: boolean;
  readonly structuredContent?: unknown;
}

export interface McpTools {
  readonly actionSpace: JsonSpace<ToolCall>;
  /** Asks for one call as a JSON object; observations are texts, pictures or lists of both. */
  readonly dialogue: Dialogue<unknown, ToolCall>;
  call(action: ToolCall): Promise<ToolOutcome>;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const MAX_TOOLS = 500;

const MCP_TOOLS_OPTIONS = ['only'];

/**
 * @param options.only  Names of the tools to offer; default all.
 * @throws {GymError} `NO_TOOLS`: the server offers none of them.
 */
export async function mcpTools(
  client: ToolClient,
  options: { readonly only?: readonly string[] } = {},
): Promise<McpTools> {
  checkNames('options', options, MCP_TOOLS_OPTIONS);
  const { only } = options;

  const tools = (await listAll(client)).filter(({ name }) => only === undefined || only.includes(name));
  if (tools.length === 0) throw new GymError('The MCP server offers no tools.', { code: 'NO_TOOLS', value: only });
  const actionSpace = toolSpace(tools);
  return {
    actionSpace,
    dialogue: toolDialogue(tools, actionSpace),
    call: async ({ name, arguments: args }) => readOutcome(await client.callTool({ name, arguments: { ...args } })),
  };
}

async function listAll(client: ToolClient): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    tools.push(...page.tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })));
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < MAX_TOOLS);
  return tools;
}

function toolSpace(tools: readonly Tool[]): JsonSpace<ToolCall> {
  const jsonSchema = {
    description: `a call of ${tools.map(({ name }) => name).join(', ')}`,
    anyOf: tools.map(({ name, inputSchema: { $schema: _, ...schema } }) => ({
      type: 'object',
      properties: { name: { const: name }, arguments: schema },
      required: ['name', 'arguments'],
      additionalProperties: false,
    })),
  };
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, argumentsSchema(inputSchema)]));
  const call = z
    .strictObject({
      name: z.enum(tools.map(({ name }) => name) as [string, ...string[]]),
      arguments: z.record(z.string(), z.unknown()),
    })
    .superRefine(({ name, arguments: args }, context) => {
      const { error } = schemas.get(name)!.safeParse(args);
      for (const issue of error?.issues ?? [])
        context.addIssue({ code: 'custom', path: ['arguments', ...issue.path], message: issue.message });
    });
  return spaces.json(call as z.ZodType<ToolCall>, { jsonSchema });
}

/** A schema that zod cannot read is left to the server. */
function argumentsSchema(schema: Tool['inputSchema']): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.record(z.string(), z.unknown());
  }
}

function toolDialogue(tools: readonly Tool[], space: JsonSpace<ToolCall>): Dialogue<unknown, ToolCall> {
  const listed = tools.map(
    ({ name, description, inputSchema }) => `- ${name}: ${description} Arguments: ${JSON.stringify(inputSchema)}`,
  );
  const format = '{"thoughts": "…", "name": "tool", "arguments": {…}}';
  return {
    version: 'mcp-tools/json-v1',
    prompt: ({ observation, history }) => [
      {
        role: 'system',
        content: `Call one tool per answer.\n${listed.join('\n')}\nAnswer with one JSON object: ${format}.`,
      },
      ...history.flatMap(({ observation: seen, text }) => [
        { role: 'user' as const, content: partsOf(seen) },
        { role: 'assistant' as const, content: text },
      ]),
      { role: 'user', content: partsOf(observation) },
    ],
    parse: (text) => parseCall(text, space, format),
    demonstrate: (_, action) => JSON.stringify({ thoughts: '', ...action }),
  };
}

function partsOf(observation: unknown): ChatPart[] {
  if (isImage(observation)) return [{ type: 'image', image: observation }];
  if (Array.isArray(observation)) return observation.flatMap(partsOf);
  if (isRecord(observation) && observation.type === 'text') return [{ type: 'text', text: String(observation.text) }];
  if (isRecord(observation) && observation.type === 'image' && isImage(observation.image))
    return [{ type: 'image', image: observation.image }];
  return [{ type: 'text', text: typeof observation === 'string' ? observation : JSON.stringify(observation) }];
}

function parseCall(text: string, space: JsonSpace<ToolCall>, format: string): ParsedResponse<ToolCall> {
  const spans = { action: [0, text.length] as const };
  const failed = (reason: 'empty' | 'no-action' | 'unknown-action', why: string): ParsedResponse<ToolCall> => {
    return {
      thought: '',
      actionText: '',
      legal: false,
      formatValid: false,
      spans,
      reason,
      repairHint: `${why} Answer with one JSON object: ${format}.`,
    };
  };
  if (text.trim() === '') return failed('empty', 'Your answer was empty.');
  let data: unknown;
  try {
    data = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return failed('no-action', 'Your answer has no JSON object.');
  }
  if (!isRecord(data)) return failed('no-action', 'Your answer has no JSON object.');
  const { name, arguments: args = {}, thoughts } = data;
  try {
    const action = space.decode({ name, arguments: args });
    const thought = typeof thoughts === 'string' ? thoughts : '';
    return { thought, action, actionText: JSON.stringify(action), legal: true, formatValid: true, spans };
  } catch (error) {
    return failed(
      'unknown-action',
      `${error instanceof Error ? error.message.split('\n')[0] : 'The call is invalid.'}`,
    );
  }
}

function readOutcome(result: unknown): ToolOutcome {
  const { content = [], isError = false, structuredContent } = isRecord(result) ? result : {};
  const budget = new PictureBudget();
  const parts = (Array.isArray(content) ? content : []).map((part): ChatPart => {
    if (isRecord(part) && part.type === 'image' && part.mimeType === 'image/png' && typeof part.data === 'string') {
      const file = Buffer.from(part.data, 'base64');
      budget.spend(file);
      return { type: 'image', image: decodePng(file) };
    }
    const words = isRecord(part) && typeof part.text === 'string' ? part.text : JSON.stringify(part);
    return { type: 'text', text: words };
  });
  return {
    content: parts,
    isError: isError === true,
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}
