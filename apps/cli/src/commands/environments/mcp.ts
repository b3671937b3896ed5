import { resolveEnvId } from '@vlgym/core';
import { settleAll } from '@vlgym/core/internal';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { needs } from '../../command-line/needs.js';
import { importEnvironments, importOption } from '../../environments.js';

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'serve environments to MCP hosts: editors, assistants, agents',
  description:
    'Starts a server of the Model Context Protocol with the tools reset, act, observe and close. Without --port it speaks over standard input and output, as hosts start their servers; with --port it serves streamable HTTP at /mcp, on this machine only. Another --host needs a token in VLGYM_TOKEN. Every reset starts an episode and returns its handle, so several episodes can be played at once. Both eras of the protocol are served.',
  positional: 'env',
  options: z.object({
    env: z.array(z.string().min(1)).min(1).describe('ids or short names of environments'),
    ...importOption,
    port: z.number().int().min(0).max(65535).optional().describe('serve HTTP on this port; 0 is any free one'),
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .meta(needs({ port: true }, 'without --port it speaks over standard input and output'))
      .describe('address to listen on, with --port'),
    maxSessions: z.number().int().positive().default(64).describe('episodes at the same time'),
    idleSeconds: z
      .number()
      .positive()
      .default(3600)
      .describe('seconds without a call after which an episode is closed'),
    threads: z.boolean().optional().describe('a thread per episode; default: for environments that compute for long'),
    envOptions: z.record(z.string(), z.unknown()).default({}).describe('options of the environments'),
    maxEpisodeSteps: z.number().int().positive().optional().describe('limit of steps per episode'),
  }),
  examples: [
    { command: 'vlgym mcp vlgym/Points24-v1', does: 'over standard input and output; hosts start this command' },
    { command: 'vlgym mcp blackjack ezpoints --port 8001', does: 'two environments at http://127.0.0.1:8001/mcp' },
  ],
  async run(options, { stderr, signal }) {
    await importEnvironments(options.import);
    // loaded here: no other command needs the protocol
    const { McpEpisodes, McpHttpServer, mcpOverStdio, ServedEnv } = await import('@vlgym/serve/mcp');
    const { env, envOptions, threads, maxEpisodeSteps, host, port } = options;
    const served = await settleAll(
      env.map((name) => ServedEnv.create({ id: resolveEnvId(name), options: envOptions, threads, maxEpisodeSteps })),
    );
    const episodes = new McpEpisodes(served, options);
    try {
      if (port === undefined) {
        await mcpOverStdio(episodes, signal);
        return 0;
      }
      const server = new McpHttpServer(episodes, { host, port, token: process.env.VLGYM_TOKEN || undefined });
      stderr.write(`${env.join(', ')} at ${await server.listen()}\n`);
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await server.close();
      return 0;
    } finally {
      await settleAll(served.map((each) => each.close()));
    }
  },
});
