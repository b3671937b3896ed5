import { resolveEnvId } from '@vlgym/core';
import { settleAll } from '@vlgym/core/internal';
import { FACES, PICTURE_FORMS, ServedEnv, serve } from '@vlgym/serve';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { needs } from '../../command-line/needs.js';
import { importEnvironments, importOption } from '../../environments.js';
import { dim } from '../../terminal/style.js';

/** Without a meaning for the Python package. */
const ofOpenEnv = needs({ protocol: ['openenv'] });
const overTcp = needs({ socket: false }, 'a Unix socket has no address and no port');

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'serve environments to OpenEnv clients, or to the Python package',
  description:
    'Starts a server that speaks OpenEnv: a WebSocket session per episode, HTTP routes, tasks, and tools. One environment is served at the root of the address, several under their names. The face "text" takes responses of language models and answers with the next prompt and its pictures; "native" takes actions of the action space. A client chooses another face with ?face=native. Only this machine can connect; another --host needs a token in VLGYM_TOKEN, which clients send as a bearer token. With --protocol gymnasium it serves the Python package instead, by frames with raw pictures over HTTP or a Unix socket: `vlgym.register_from("ADDRESS")`, then `gymnasium.make(ID)`. Ctrl-C ends the server.',
  positional: 'env',
  options: z.object({
    env: z.array(z.string().min(1)).min(1).describe('ids or short names of environments'),
    ...importOption,
    protocol: z
      .enum(['openenv', 'gymnasium'])
      .default('openenv')
      .describe('openenv: any OpenEnv client; gymnasium: the Python package vlgym'),
    socket: z
      .string()
      .min(1)
      .optional()
      .meta(needs({ protocol: ['gymnasium'] }, 'OpenEnv is served over HTTP'))
      .describe('path of a Unix socket, with --protocol gymnasium'),
    host: z.string().min(1).default('127.0.0.1').meta(overTcp).describe('address to listen on'),
    port: z.number().int().min(0).max(65535).default(8000).meta(overTcp).describe('port; 0 is any free one'),
    face: z.enum(FACES).default('text').meta(ofOpenEnv).describe('what clients send and see unless they ask otherwise'),
    images: z.enum(PICTURE_FORMS).default('png').meta(ofOpenEnv).describe('pictures as PNG, raw bytes or addresses'),
    mode: z
      .enum(['simulation', 'production'])
      .default('simulation')
      .meta(ofOpenEnv)
      .describe('production lacks reset, step and state over HTTP'),
    maxSessions: z.number().int().positive().default(64).describe('sessions at the same time'),
    idleSeconds: z.number().positive().default(3600).describe('seconds without a call after which a session is closed'),
    pingSeconds: z
      .number()
      .positive()
      .max(2_000_000)
      .default(20)
      .describe('seconds between pings; a silent client is dropped'),
    snapshots: z
      .boolean()
      .default(false)
      .meta(ofOpenEnv)
      .describe('state holds a snapshot, and reset continues from one'),
    threads: z.boolean().optional().describe('a thread per session; default: for environments that compute for long'),
    envOptions: z.record(z.string(), z.unknown()).default({}).describe('options of the environments'),
    maxEpisodeSteps: z.number().int().positive().optional().describe('limit of steps per episode'),
  }),
  examples: [
    { command: 'vlgym serve vlgym/Points24-v1', does: 'GenericEnvClient(base_url="http://127.0.0.1:8000") plays it' },
    { command: 'vlgym serve blackjack miniworld/Hallway --port 9000', does: 'two environments under their names' },
    {
      command: 'vlgym serve points24 --protocol gymnasium --socket /tmp/vlgym.sock',
      does: 'gymnasium.make("vlgym/Points24-v1", connect="unix:/tmp/vlgym.sock")',
    },
    { command: 'vlgym serve ezpoints --face native --snapshots', does: 'actions as numbers, and branching' },
  ],
  async run(options, { stdout, signal }) {
    await importEnvironments(options.import);
    const { env, import: _, protocol, socket, envOptions, threads, maxEpisodeSteps, ...server } = options;
    const envs = env.map((name) => ({ id: resolveEnvId(name), options: envOptions, threads, maxEpisodeSteps }));
    const token = process.env.VLGYM_TOKEN || undefined;
    const over = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    if (protocol === 'gymnasium') {
      // loaded here: no other server needs it
      const { EnvServer } = await import('@vlgym/gymnasium/server');
      const served = await settleAll(envs.map((each) => ServedEnv.create(each)));
      const { host, port, maxSessions, idleSeconds, pingSeconds } = server;
      const running = new EnvServer(served, { host, port, maxSessions, idleSeconds, pingSeconds, socket, token });
      try {
        const address = await running.listen();
        for (const { id } of served) stdout.write(`${id} at ${address}\n`);
        await over;
      } finally {
        await running.close();
        await settleAll(served.map((each) => each.close()));
      }
      return 0;
    }
    const serving = await serve({ ...server, token, envs });
    for (const [index, url] of serving.urls.entries()) {
      const { id, threaded } = serving.served[index]!;
      stdout.write(`${id} at ${url}${threaded ? dim(' (a thread per session)') : ''}\n`);
    }
    await over;
    await serving.close();
    return 0;
  },
});
