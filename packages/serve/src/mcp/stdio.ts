/**
 * The MCP server over standard input and output. Output is the channel: other output, such as `console.log` of an
 * environment, goes to standard error.
 */
import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpEpisodes } from './episodes.js';
import { createMcpServer } from './server.js';

/** Serves until the client closes its end or the signal aborts. */
export async function mcpOverStdio(episodes: McpEpisodes, signal?: AbortSignal): Promise<void> {
  const channel = takeStandardOutput();
  const transport = new StdioServerTransport(process.stdin, channel);
  const over = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve());
    signal?.addEventListener('abort', () => resolve(), { once: true });
    if (signal?.aborted) resolve();
  });
  const handle = serveStdio(() => createMcpServer(episodes, { episodeIsOptional: true }), { transport });
  await over;
  await handle.close();
  await episodes.table.closeAll();
}

/** The only way to standard output from here on. */
function takeStandardOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  const toError: typeof process.stdout.write = process.stderr.write.bind(process.stderr);
  process.stdout.write = toError;
  for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) console[name] = console.error;
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, (error) => done(error));
    },
  });
}
