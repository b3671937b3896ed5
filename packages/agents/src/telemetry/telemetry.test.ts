/**
 * Traces: the spans of an episode and what they say, in memory and at a collector of ours that speaks OTLP; parents of the AI
 * SDK's own spans; pictures by hash; nothing loaded and nothing called where nobody asks.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { AnyEnv } from '@vlgym/core';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { type Entry, scriptedAnswers, toolModel } from '../../test-support/tool-model.js';
import { type AnyAgent, evaluate, modelAgent, randomAgent, suite, toolAgent } from '../index.js';
import { actionTools } from '../model/index.js';
import { openTelemetry } from './index.js';

const env = () => new CorridorEnv({ length: 3 });
const look = { inputSchema: z.object({ at: z.string() }), execute: async ({ at }: { at: string }) => `a ${at}` };
const SCRIPT: Entry[] = [[{ tool: 'look', input: { at: 'door' } }], [{ tool: 'act', input: { action: 'right' } }]];

function inMemory() {
  const exporter = new InMemorySpanExporter();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  return exporter;
}
afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
  Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS');
});

/** `name` of every span under its parent's. */
function tree(spans: readonly ReadableSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const path = (span: ReadableSpan): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? '');
    return parent ? `${path(parent)} > ${span.name}` : span.name;
  };
  return spans.map(path);
}
const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name === name);

describe('in memory', () => {
  it('an episode is one trace: turns, model calls, tool calls, steps, each in its place', async () => {
    const exporter = inMemory();
    const agent = modelAgent(toolModel(SCRIPT, true), {
      ...{ actions: 'tools', tools: { look }, settings: { temperature: 0.5 }, name: 'walker' },
      prices: { inputPerMillion: 1, outputPerMillion: 1 },
    });
    await evaluate({ env, agent, seeds: [0, 1], parallel: 2, telemetry: openTelemetry() });
    const spans = exporter.getFinishedSpans();
    const episodes = named(spans, 'invoke_workflow episode');
    expect(episodes.map(({ attributes }) => attributes['vlgym.episode.seed']).sort()).toEqual([0, 1]);
    expect(new Set(episodes.map((span) => span.spanContext().traceId)).size).toBe(2);
    const [evaluation] = named(spans, 'vlgym.evaluation');
    for (const { links } of episodes) expect(links[0]!.context.spanId).toBe(evaluation!.spanContext().spanId);
    expect([...new Set(tree(spans))].sort()).toEqual([
      'invoke_workflow episode',
      'invoke_workflow episode > invoke_agent walker',
      'invoke_workflow episode > invoke_agent walker > chat tools',
      'invoke_workflow episode > invoke_agent walker > execute_tool look',
      'invoke_workflow episode > vlgym.environment.reset',
      'invoke_workflow episode > vlgym.environment.step',
      'vlgym.evaluation',
    ]);
    expect(named(spans, 'chat tools')[0]!.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'test',
      'gen_ai.request.model': 'tools',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 6,
      'gen_ai.response.finish_reasons': ['tool-calls'],
    });
    expect(named(spans, 'vlgym.environment.step')[0]!.attributes).toMatchObject({
      'vlgym.observation': expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      'vlgym.reward': expect.any(Number),
    });
    // no content where nobody asked for it
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toMatch(/door|You are at/);
  });

  it('with content: prompts with pictures by hash, answers, arguments and results of tools', async () => {
    const exporter = inMemory();
    const agent = modelAgent(toolModel(SCRIPT, true), { actions: 'tools', tools: { look } });
    await evaluate({ env, agent, seeds: [0], telemetry: openTelemetry({ content: true }) });
    const spans = exporter.getFinishedSpans();
    const turn = spans.find(({ name }) => name.startsWith('invoke_agent'))!.attributes;
    const prompt = JSON.parse(String(turn['gen_ai.input.messages'])) as { role: string; parts: object[] }[];
    expect(prompt.at(-1)).toEqual({
      role: 'user',
      parts: [
        { type: 'uri', modality: 'image', uri: expect.stringMatching(/^sha256:/) },
        { type: 'text', content: expect.stringContaining('You are at') },
      ],
    });
    expect(named(spans, 'execute_tool look')[0]!.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"at":"door"}',
      'gen_ai.tool.call.result': '"a door"',
    });
  });

  it("a prompt that is not the environment's is that which was sent", async () => {
    const exporter = inMemory();
    const agent = { name: 'own', act: () => ({ action: 1, text: '', prompt: [{ role: 'user', content: 'Go on.' }] }) };
    await evaluate({ env, agent: agent as AnyAgent, seeds: [0], telemetry: openTelemetry({ content: true }) });
    const [turn] = named(exporter.getFinishedSpans(), 'invoke_agent own');
    expect(turn!.attributes['gen_ai.input.messages']).toBe(
      '[{"role":"user","parts":[{"type":"text","content":"Go on."}]}]',
    );
  });

  it('failures are marked with their code, secrets removed', async () => {
    const exporter = inMemory();
    const broken = new Error('the key sk-abcdefgh12345678 is wrong');
    const act: Entry = [{ tool: 'act', input: { action: 'right' } }];
    const agent = modelAgent(toolModel([act, broken, broken, broken, broken]), { actions: 'tools', retries: 0 });
    await evaluate({ env: () => new CorridorEnv({ length: 9 }), agent, seeds: [0], telemetry: openTelemetry() });
    const failed = exporter.getFinishedSpans().filter(({ status }) => status.code === 2);
    expect(failed.map(({ name, attributes }) => [name.split(' ')[0], attributes['error.type']])).toEqual([
      ['chat', 'MODEL_FAILED'],
      ['invoke_agent', 'MODEL_FAILED'],
      ['invoke_workflow', 'MODEL_FAILED'],
    ]);
    expect(JSON.stringify(failed.map(({ status, attributes }) => [status, attributes]))).not.toContain('sk-abc');
  });

  it('a suite is the parent of its evaluations', async () => {
    const exporter = inMemory();
    const environments = [{ name: 'corridor', env }];
    await suite({ environments, agents: [randomAgent()], seeds: 2, telemetry: openTelemetry() });
    expect(tree(exporter.getFinishedSpans())).toEqual(
      expect.arrayContaining(['vlgym.suite', 'vlgym.suite > vlgym.evaluation']),
    );
  });
});

it('spans of @ai-sdk/otel are children of the turn, and nothing is reported twice', async () => {
  const exporter = inMemory();
  const { MockLanguageModelV4 } = await import('ai7/test');
  const { registerTelemetry, ToolLoopAgent } = await import('ai7');
  const { OpenTelemetry } = await import('@ai-sdk/otel');
  registerTelemetry(new OpenTelemetry() as never);
  const model = new MockLanguageModelV4({ modelId: 'mock', doGenerate: scriptedAnswers(SCRIPT, true) as never });
  const agent = toolAgent(({ env }) => new ToolLoopAgent({ model, tools: { ...actionTools(env), look } }), {
    name: 'own',
  });
  const { successRate } = await evaluate({ env, agent, seeds: [0], telemetry: openTelemetry() });
  expect(successRate).toBe(1);
  const spans = exporter.getFinishedSpans();
  const paths = tree(spans);
  const theirs = paths.filter((path) => path.startsWith('invoke_workflow episode > invoke_agent own > '));
  expect(theirs.some((path) => /> chat mock$/.test(path))).toBe(true);
  expect(theirs.some((path) => /> execute_tool look$/.test(path))).toBe(true);
  expect(new Set(spans.filter(({ name }) => name === 'chat mock').map((span) => span.spanContext().traceId)).size).toBe(
    1,
  );
});

it.each(['6', '7'])(
  'a ToolLoopAgent of AI SDK %s that reports nothing itself: its requests and its tools',
  async (major) => {
    const exporter = inMemory();
    const doGenerate = scriptedAnswers(SCRIPT, true);
    const agent = toolAgent(major === '6' ? await openSix(doGenerate) : await openSeven(doGenerate), { name: 'own' });
    const { successRate } = await evaluate({ env, agent, seeds: [0], telemetry: openTelemetry() });
    expect(successRate).toBe(1);
    const paths = new Set(tree(exporter.getFinishedSpans()).filter((path) => path.includes('own > ')));
    expect([...paths].sort()).toEqual([
      'invoke_workflow episode > invoke_agent own > chat mock',
      'invoke_workflow episode > invoke_agent own > execute_tool look',
    ]);
  },
);

type Answers = ReturnType<typeof scriptedAnswers>;

async function openSix(doGenerate: Answers) {
  const { MockLanguageModelV3 } = await import('ai/test');
  const { ToolLoopAgent } = await import('ai');
  const model = new MockLanguageModelV3({ modelId: 'mock', doGenerate });
  return ({ env }: { readonly env: AnyEnv }) => new ToolLoopAgent({ model, tools: { ...actionTools(env), look } });
}

async function openSeven(doGenerate: Answers) {
  const { MockLanguageModelV4 } = await import('ai7/test');
  const { ToolLoopAgent } = await import('ai7');
  const model = new MockLanguageModelV4({ modelId: 'mock', doGenerate: doGenerate as never });
  return ({ env }: { readonly env: AnyEnv }) => new ToolLoopAgent({ model, tools: { ...actionTools(env), look } });
}

it('a collector that speaks OTLP over HTTP receives the spans', async () => {
  const received: { name: string; traceId: string; attributes: { key: string }[] }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const { scope, spans } of scopeSpans) {
          expect(scope.name).toBe('@vlgym/agents');
          received.push(...spans);
        }
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const provider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  try {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const telemetry = openTelemetry({ tracer: provider.getTracer('@vlgym/agents') });
    const { episodes } = await evaluate({ env, agent: randomAgent(), seeds: [0, 1, 2], telemetry });
    await provider.forceFlush();
    const steps = episodes.reduce((sum, { length }) => sum + length, 0);
    const count = (name: string) => received.filter((span) => span.name === name).length;
    expect([count('invoke_workflow episode'), count('vlgym.environment.step'), count('invoke_agent random')]).toEqual([
      3,
      steps,
      steps,
    ]);
    const episode = received.find(({ name }) => name === 'invoke_workflow episode')!;
    expect(episode.attributes.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['gen_ai.operation.name', 'vlgym.episode.seed', 'vlgym.episode.success']),
    );
  } finally {
    await provider.shutdown();
    server.closeAllConnections();
    server.close();
  }
});

it('nothing of OpenTelemetry is loaded by what does not ask for it', () => {
  const source = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));
  const seen = new Map<string, string[]>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    const text = readFileSync(file, 'utf8').replace(/^(?:import|export) type .*$/gm, '');
    const imports = [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, specifier]) => specifier!);
    seen.set(file, imports);
    for (const specifier of imports.filter((each) => each.startsWith('.'))) {
      const path = resolve(dirname(file), specifier.replace(/\.js$/, '.ts'));
      if (existsSync(path)) visit(path);
    }
  };
  for (const entry of ['index.ts', 'model/index.ts', 'cassette/index.ts', 'events/index.ts']) visit(source(entry));
  expect(seen.size).toBeGreaterThan(50);
  expect([...seen].filter(([, imports]) => imports.some((name) => name.includes('opentelemetry')))).toEqual([]);
});
