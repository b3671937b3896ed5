/**
 * The cost of spans and cassettes in a run with a model that answers in 20 ms, against the same run without, interleaved.
 *
 * npx tsx packages/agents/bench/overhead.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { MockLanguageModelV3 } from 'ai/test';
import { cassette } from '../src/cassette/index.js';
import { type EvaluateOptions, evaluate, modelAgent } from '../src/index.js';
import { openTelemetry } from '../src/telemetry/index.js';
import { CorridorEnv } from '../test-support/corridor-env.js';
import { scriptedAnswers } from '../test-support/tool-model.js';

const ROUNDS = 5;
const ANSWER_MS = 20;
const answer = scriptedAnswers(['{"thoughts": "back", "action": "left"}'], true);

function slowModel(): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: async () => {
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      return answer();
    },
  });
}

const home = await mkdtemp(join(tmpdir(), 'vlgym-overhead-'));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const telemetry = openTelemetry({ tracer: provider.getTracer('bench') });
let file = 0;

const kinds: Readonly<Record<string, () => Pick<EvaluateOptions, 'agent' | 'telemetry'>>> = {
  neither: () => ({ agent: modelAgent(slowModel()) }),
  spans: () => ({ agent: modelAgent(slowModel()), telemetry }),
  cassette: () => ({ agent: modelAgent(cassette(join(home, `${file++}.jsonl`), slowModel(), { record: 'all' })) }),
};

/** Milliseconds of time and of processor time of one evaluation. */
async function measured(options: Pick<EvaluateOptions, 'agent' | 'telemetry'>) {
  const env = () => new CorridorEnv({ length: 40, limit: 12 });
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await evaluate({ env, seeds: [1, 2, 3, 4, 5, 6, 7, 8], ...options });
  const { user, system } = process.cpuUsage(cpu);
  exporter.reset();
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

try {
  for (const make of Object.values(kinds)) await measured(make()); // compiles everything once
  const results = new Map<string, { wall: number; cpu: number }[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, make] of Object.entries(kinds)) {
      results.set(name, [...(results.get(name) ?? []), await measured(make())]);
    }
  }
  const base = results.get('neither')!;
  const wall = median(base.map((each) => each.wall));
  for (const [name, runs] of results) {
    const more = (key: 'wall' | 'cpu') =>
      (100 * (median(runs.map((each) => each[key])) - median(base.map((each) => each[key])))) / wall;
    console.log(
      `${name.padEnd(9)} ${median(runs.map((each) => each.wall)).toFixed(0)} ms, processor ${median(runs.map((each) => each.cpu)).toFixed(0)} ms; more: ${more('wall').toFixed(1)} % of the time, ${more('cpu').toFixed(1)} % in processor time`,
    );
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
