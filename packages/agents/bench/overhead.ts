/**
 * The cost of spans and of cassettes in a run with a model that answers in 20 ms, against the same run without.
 *
 * They add processor time to a turn, and that is measured, because wall time depends on what else the machine does. Other
 * processes can only add to it (caches, shared cores), so each kind is judged by the first quartile of its rounds; rounds play all kinds, in an
 * order that rotates. `again` is a second run without either: what the method cannot tell. A turn lasts at least 20 ms.
 *
 *     npx tsx packages/agents/bench/overhead.ts [ROUNDS]
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

const ROUNDS = Number(process.argv[2] ?? 20);
const ANSWER_MS = 20;
const SEEDS = [1, 2, 3, 4];
const TURNS = 12;
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
const recording = () => cassette(join(home, `${file++}.jsonl`), slowModel(), { record: 'all' });

const kinds: Readonly<Record<string, () => Pick<EvaluateOptions, 'agent' | 'telemetry'>>> = {
  neither: () => ({ agent: modelAgent(slowModel()) }),
  again: () => ({ agent: modelAgent(slowModel()) }), // the same: what the method itself cannot tell
  spans: () => ({ agent: modelAgent(slowModel()), telemetry }),
  cassette: () => ({ agent: modelAgent(recording()) }),
  both: () => ({ agent: modelAgent(recording()), telemetry }),
};

/** Processor milliseconds per turn of one evaluation. */
async function measured(options: Pick<EvaluateOptions, 'agent' | 'telemetry'>): Promise<number> {
  const env = () => new CorridorEnv({ length: 40, limit: TURNS });
  const before = process.cpuUsage();
  const { episodes } = await evaluate({ env, seeds: SEEDS, ...options });
  const { user, system } = process.cpuUsage(before);
  exporter.reset();
  return (user + system) / 1000 / episodes.reduce((sum, { length }) => sum + length, 0);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

try {
  const names = Object.keys(kinds);
  for (let warm = 0; warm < 2; warm += 1) for (const name of names) await measured(kinds[name]!()); // compiles everything
  const found = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(place + round) % names.length]!;
      found.get(name)!.push(await measured(kinds[name]!()));
    }
  }
  const of = (name: string, share = 0.25) => quantile(found.get(name)!, share);
  const turn = ANSWER_MS + of('neither');
  console.log(`a turn: ${ANSWER_MS} ms of the model, ${of('neither').toFixed(2)} ms of processor time`);
  for (const name of names.slice(1)) {
    const [more, median] = [0.25, 0.5].map((share) => of(name, share) - of('neither', share)) as [number, number];
    console.log(
      `${name.padEnd(8)} +${more.toFixed(2)} ms a turn: ratio ${(1 + more / turn).toFixed(3)} (of medians ${(1 + median / turn).toFixed(3)})`,
    );
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
