/**
 * The MCP server of vlgym environments: tools `reset`, `act`, `observe` and `close`, resources, and a prompt.
 *
 * One factory serves both protocol eras (2025-11-25 and earlier with a handshake, 2026-07-28 without) over stdio and HTTP.
 * The model reads text and pictures; `structuredContent` has the numbers, and no picture.
 */
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { type Image, messageText, promptImages, show } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { checkNames, isRecord, names } from '@vlgym/core/internal';
import { z } from 'zod';
import { messageOf } from '../openenv/outcome.js';
import type { ServedEnv } from '../session/served-env.js';
import type { Moment, ServedEpisode } from '../session/served-episode.js';
import { VERSION } from '../version.js';
import type { McpEpisodes } from './episodes.js';

export interface McpServerSettings {
  /** The handle may be left out; the last episode counts. For one client per process. */
  readonly episodeIsOptional: boolean;
}

const RESULT = z.object({
  episode: z.string(),
  env: z.string(),
  seed: z.number().int().nullable(),
  step: z.number().int(),
  reward: z.number(),
  return: z.number(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  legal: z.boolean().optional(),
  reason: z.string().optional(),
  repairHint: z.string().optional(),
});

const HINTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

const CREATE_MCP_SERVER_OPTIONS = names<McpServerSettings>({ episodeIsOptional: 0 });

export function createMcpServer(episodes: McpEpisodes, options: McpServerSettings): McpServer {
  checkNames('options', options, CREATE_MCP_SERVER_OPTIONS);
  const { episodeIsOptional } = options;
  const served = [...episodes.served.values()];
  const [only] = served.length === 1 ? served : [];
  const server = new McpServer(
    { name: 'vlgym', version: VERSION },
    { instructions: 'Call reset first; pass the episode it returns to every act.' },
  );
  const handle = z.string().describe('the episode that reset returned');
  const episode = episodeIsOptional ? handle.optional() : handle;
  const names = served.map(({ name }) => name) as [string, ...string[]];
  const env = only ? {} : { env: z.enum(names).describe('the environment to play') };

  server.registerTool(
    'reset',
    {
      title: 'Start an episode',
      description: `Start an episode${only ? ` of ${only.title}` : ''}; the same seed gives the same episode.`,
      inputSchema: z.object({
        ...env,
        seed: z.number().int().min(0).optional(),
        options: z.record(z.string(), z.unknown()).optional().describe('options of the environment for this episode'),
      }),
      outputSchema: RESULT,
      annotations: HINTS,
    },
    ({ seed, options, ...rest }) =>
      toResult(async () => {
        const { env: name } = rest as { env?: string };
        const started = await episodes.start(name, { seed, options });
        return result(started.handle, started.played.episode, started.moment);
      }),
  );
  server.registerTool(
    'act',
    {
      title: 'Act',
      description: 'Take an action; the answer shows what is seen next.',
      inputSchema: z.object({
        episode,
        action: actionSchema(only),
        thoughts: z.string().optional().describe('why; kept in the trajectory'),
      }),
      outputSchema: RESULT,
      annotations: HINTS,
    },
    ({ episode: given, action, thoughts }) =>
      toResult(async () => {
        const { moment, session } = await episodes.act(given, action, thoughts);
        return result(session.id, session.resource.episode, moment);
      }),
  );
  server.registerTool(
    'observe',
    {
      title: 'Look again',
      description: 'Show the current observation without acting.',
      inputSchema: z.object({ episode }),
      outputSchema: RESULT,
      annotations: { ...HINTS, readOnlyHint: true, idempotentHint: true },
    },
    ({ episode: given }) =>
      toResult(async () => {
        const session = episodes.find(given);
        return session.run(({ episode: played }) => result(session.id, played, played.moment));
      }),
  );
  server.registerTool(
    'close',
    {
      title: 'End an episode',
      description: 'End an episode and free its place.',
      inputSchema: z.object({ episode }),
      annotations: { ...HINTS, destructiveHint: true, idempotentHint: true },
    },
    ({ episode: given }) => toResult(async () => text(`Closed ${await episodes.close(given)}.`)),
  );
  registerResources(server, episodes);
  server.registerPrompt(
    'play',
    {
      title: 'Play an episode',
      description: 'Asks the model to play one episode with the tools.',
      argsSchema: z.object({ seed: z.string().optional(), ...(only ? {} : { env: z.string().optional() }) }),
    },
    (args) => {
      const { seed, env: name } = args as { seed?: string; env?: string };
      const what = [name === undefined ? '' : ` ${name}`, seed === undefined ? '' : ` seed ${seed}`]
        .join(',')
        .replace(/^,|,$/g, '');
      return { messages: [{ role: 'user', content: { type: 'text', text: `Play${what || ' an episode'}.` } }] };
    },
  );
  return server;
}

function registerResources(server: McpServer, episodes: McpEpisodes): void {
  server.registerResource(
    'observation',
    new ResourceTemplate('vlgym://episode/{id}/observation', { list: undefined }),
    { title: 'Current observation' },
    async (uri, { id }) => {
      const { text: words, images } = await episodes.find(String(id)).run(({ episode }) => seen(episode));
      const contents = images.map((image) => ({ uri: uri.href, mimeType: 'image/png', blob: base64(image) }));
      return { contents: contents.length > 0 ? contents : [{ uri: uri.href, mimeType: 'text/plain', text: words }] };
    },
  );
  server.registerResource(
    'trajectory',
    new ResourceTemplate('vlgym://episode/{id}/trajectory', { list: undefined }),
    { title: 'Trajectory so far', mimeType: 'application/jsonl' },
    async (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: 'application/jsonl', text: await episodes.trajectory(String(id)) }],
    }),
  );
  for (const each of episodes.served.values()) {
    const { actionSpace, observationSpace } = each.template;
    const description = {
      id: each.id,
      title: each.title,
      description: each.description,
      actionSpace: actionSpace.toJSON(),
      observationSpace: observationSpace.toJSON(),
    };
    const meta = { title: each.title, mimeType: 'application/json' };
    server.registerResource(each.name, `vlgym://env/${each.name}`, meta, async (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(description) }],
    }));
  }
}

/** An enumeration where the environment has a fixed list of named actions. */
function actionSchema(only: ServedEnv | undefined) {
  const labels = only && (only.template.actionSpace as { labels?: readonly string[] }).labels;
  const described = 'the action, in the words that the observation asks for';
  return labels && labels.length > 0 && labels.length <= 64
    ? z.enum(labels as [string, ...string[]]).describe('one of the actions')
    : z.string().describe(described);
}

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
interface ToolAnswer {
  [key: string]: unknown;
  content: Content[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

const text = (words: string): ToolAnswer => ({ content: [{ type: 'text', text: words }] });

/** A failure is a result that the model reads: the message and the next step. */
async function toResult(act: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await act();
  } catch (error) {
    const { hint, expected } =
      isRecord(error) || error instanceof Error ? (error as { hint?: unknown; expected?: unknown }) : {};
    const more = [expected && `Expected: ${String(expected)}.`, hint && `Hint: ${String(hint)}.`].filter(Boolean);
    return { ...text([messageOf(error), ...more].join(' ')), isError: true };
  }
}

function result(id: string, episode: ServedEpisode, moment: Moment): ToolAnswer {
  const { text: words, images } = seen(episode);
  const { terminated, truncated, reward, parsed } = moment;
  const { step_count: step, return: sum, env, seed } = episode.state;
  const over =
    terminated || truncated
      ? `The episode is over (${terminated ? 'terminated' : 'truncated'}); return ${show(sum)}.`
      : '';
  const head = reward === null ? `ServedEpisode ${id}.` : `Reward ${show(reward)}. ${over}`.trim();
  return {
    content: [
      { type: 'text', text: `${head}\n\n${words}` },
      ...images.map((image): Content => ({ type: 'image', data: base64(image), mimeType: 'image/png' })),
    ],
    structuredContent: {
      episode: id,
      env,
      seed,
      step,
      reward: reward ?? 0,
      return: sum,
      terminated,
      truncated,
      ...(parsed && { legal: parsed.legal }),
      ...(parsed?.reason && { reason: parsed.reason }),
      ...(parsed?.repairHint && { repairHint: parsed.repairHint }),
    },
  };
}

/** The text and the pictures of the prompt, with the current choices if the environment lists them. */
function seen(episode: ServedEpisode): { readonly text: string; readonly images: readonly Image[] } {
  const messages = episode.messages();
  return { text: messages.map(messageText).join('\n\n'), images: promptImages(messages) };
}

function base64(image: Image): string {
  return Buffer.from(encodePng(image)).toString('base64');
}
