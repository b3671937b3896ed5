import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpEpisodes, McpHttpServer, mcpTools, ServedEnv } from '@vlgym/serve/mcp';
import '@vlgym/points24';

const server = new McpHttpServer(new McpEpisodes([await ServedEnv.create({ id: 'vlgym/Blackjack-v1' })]));
const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(await server.listen())));

const tools = await mcpTools(client); // the tools as an action space; its dialogue asks a language model for calls
const { structuredContent } = await tools.call({ name: 'reset', arguments: { seed: 7 } });
const { episode } = structuredContent as { episode: string };
const end = await tools.call({ name: 'act', arguments: { episode, action: 'stand' } });
console.log(end.structuredContent);
await client.close();
await server.close();
