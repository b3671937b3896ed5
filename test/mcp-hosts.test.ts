/** MCP hosts: the AI SDK's client, an environment whose actions are tools, and the recorded frames over standard input. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { evaluate, modelAgent } from '@vlgym/agents';
import { BaseEnv, make, spaces } from '@vlgym/core';
import '@vlgym/points24';
import { McpEpisodes, McpHttpServer, mcpTools, ServedEnv, type ToolCall, type ToolClient } from '@vlgym/serve/mcp';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

type Answer = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Content = Answer['content'];

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function serve(id = 'vlgym/Blackjack-v1'): Promise<string> {
  const server = new McpHttpServer(new McpEpisodes([await ServedEnv.create({ id })]));
  open.push(() => server.close());
  return server.listen();
}

/** A model with a list of answers, which may look at its prompt. */
function scripted(script: ((prompt: string) => Content)[]): MockLanguageModelV3 {
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const content = script[turn++]!(JSON.stringify(prompt));
      const isCall = content.some(({ type }) => type === 'tool-call');
      return {
        content,
        finishReason: isCall ? { unified: 'tool-calls', raw: 'tool' } : { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
const callOf = (name: string, args: object): Content => [
  { type: 'tool-call', toolCallId: name, toolName: name, input: JSON.stringify(args) },
];
const handleIn = (prompt: string) => /[0-9a-f]{32}/.exec(prompt)![0];

/** The reward for standing at once, with a seed. */
async function standing(seed: number): Promise<number> {
  const env = await make('vlgym/Blackjack-v1');
  await env.reset({ seed });
  const { reward } = await env.step(0);
  await env.close();
  return reward;
}

const CLI = fileURLToPath(new URL('../apps/cli/bin/vlgym.js', import.meta.url));

describe('the MCP client of the AI SDK', () => {
  it.each([
    ['over HTTP', async () => ({ type: 'http', url: await serve() }) as const],
    [
      'with `vlgym mcp` as its child',
      () =>
        new StdioMCPTransport({
          command: process.execPath,
          args: [CLI, 'mcp', 'vlgym/Blackjack-v1'],
          stderr: 'ignore',
        }),
    ],
  ])('lets a model play with the tools, and shows it the pictures, %s', async (_how, transport) => {
    const client = await createMCPClient({ transport: await transport() });
    open.push(() => client.close());
    const prompts: string[] = [];
    const model = scripted([
      () => callOf('reset', { seed: 7 }),
      (prompt) => {
        prompts.push(prompt);
        return callOf('act', { episode: handleIn(prompt), action: 'stand' });
      },
      (prompt) => {
        prompts.push(prompt);
        return [{ type: 'text', text: 'over' }];
      },
    ]);
    const { text, steps } = await generateText({
      model,
      tools: (await client.tools()) as unknown as ToolSet,
      prompt: 'Play seed 7.',
      stopWhen: stepCountIs(5),
    });
    expect(text).toBe('over');
    expect(prompts[0]).toContain('image/png');
    const [result] = steps[1]!.toolResults;
    expect(result!.output).toMatchObject({ structuredContent: { reward: await standing(7), terminated: true } });
  });
});

/** An environment whose actions are calls of the tools of a server; the reward is what the server says. */
class ToolEnv extends BaseEnv<unknown, ToolCall> {
  readonly observationSpace = spaces.json(z.unknown());
  readonly actionSpace;
  readonly dialogue;
  readonly #tools;

  constructor(tools: Awaited<ReturnType<typeof mcpTools>>) {
    super();
    this.#tools = tools;
    this.actionSpace = tools.actionSpace;
    this.dialogue = tools.dialogue;
  }

  reset() {
    return { observation: 'Start an episode with seed 7, then stand.', info: {} };
  }

  async step(action: ToolCall) {
    const { content, structuredContent, isError } = await this.#tools.call(action);
    const { reward = 0, terminated = false } = (structuredContent ?? {}) as { reward?: number; terminated?: boolean };
    const words = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return { observation: words, reward: reward ?? 0, terminated, truncated: false, info: { isError } };
  }
}

describe('an environment of tools', () => {
  it('is played by a model through evaluate, with the reward of the server', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(await serve())));
    open.push(() => client.close());
    const reply = (call: object): Content => [{ type: 'text', text: JSON.stringify({ thoughts: '', ...call }) }];
    const model = scripted([
      () => reply({ name: 'reset', arguments: { seed: 7 } }),
      () => reply({ name: 'act', arguments: { episode: 'forgotten', action: 'stand' } }),
      (prompt) => reply({ name: 'act', arguments: { episode: handleIn(prompt), action: 'stand' } }),
    ]);
    const tools = await mcpTools(client as unknown as ToolClient);
    const result = await evaluate({ env: () => new ToolEnv(tools), agent: modelAgent(model), episodes: 1 });
    expect(result.episodes[0]).toMatchObject({ return: await standing(7), length: 3 });
  });
});

interface Frame {
  readonly from: 'client' | 'server';
  readonly json: Readonly<Record<string, unknown>>;
}

describe.each(['legacy', 'modern'])('recorded frames over standard input and output, %s era', (era) => {
  it('get answers of the recorded kind', async () => {
    const path = new URL(`golden/mcp/stdio-${era}.json`, import.meta.url);
    const { frames } = JSON.parse(readFileSync(path, 'utf8')) as { frames: Frame[] };
    const child: ChildProcess = spawn(process.execPath, [CLI, 'mcp', 'vlgym/Blackjack-v1'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    open.push(async () => {
      child.stdin!.end();
      if (child.exitCode === null) await once(child, 'exit');
    });
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    let handle = '';
    for (const { from, json } of frames) {
      if (from === 'client') {
        // its actions were numbers, and its episode was e1
        const text = JSON.stringify(json)
          .replaceAll('"e1"', `"${handle}"`)
          .replaceAll('episode/e1/', `episode/${handle}/`);
        child.stdin!.write(`${text.replace(/"action":"[13]"/, '"action":"hit"')}\n`);
        if (json.method === 'initialize') await lines.next();
        continue;
      }
      const answer = JSON.parse((await lines.next()).value as string);
      handle ||= answer.result?.structuredContent?.episode ?? '';
      expect(kind(answer)).toEqual(kind(json));
    }
  });
});

/** Without what belongs to the environment. */
function kind({ id, error, result }: Readonly<Record<string, unknown>>): unknown {
  if (error) return { id, error };
  const { content, contents, messages, tools, isError, resultType, structuredContent, ...others } = result as Record<
    string,
    unknown
  >;
  const first = (content as { text?: string }[] | undefined)?.[0]?.text;
  return {
    id,
    isError,
    resultType,
    others: Object.keys(others).sort(),
    content: (content as { type: string }[] | undefined)?.map(({ type }) => type),
    mistake: isError ? first!.replace(/expected one of .*/, '') : undefined,
    contents: (contents as object[] | undefined)?.map((each) => Object.keys(each).sort()),
    tools: (tools as { name: string }[] | undefined)
      ?.map(({ name }) => name)
      .filter((name) => /^(reset|act)$/.test(name)),
    messages,
    isStructured: structuredContent !== undefined,
  };
}
