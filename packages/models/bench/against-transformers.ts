/**
 * Sampling and LoRA training against transformers and peft, on the same weights and inputs, in turns in one run:
 *
 *     VLGYM_PYTHON=…/bin/python npx tsx packages/models/bench/against-transformers.ts [--family qwen2-vl|qwen2.5-vl|qwen3-vl]
 *         [--threads 1] [--rounds 7] [--folder DIR] [--out FILE]
 *         [--size toy|3b|7b] [--device cpu|cuda] [--dtype float32|bfloat16] [--minutes N]
 *
 * Greedy decoding of 64 tokens behind a prompt of 273 (of the sizes of Qwen2.5-VL-3B and -7B: 543), one picture included;
 * scores and a step of LoRA over 4 rows. No batch is generated after `--minutes`. `DIR` holds a
 * model with `inputs.safetensors` and is written where it is missing. Needs a Python with torch, transformers and peft;
 * without one it says so and measures nothing. Prints medians, and the median of the ratios of neighboring turns, which
 * other work on the machine moves least.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InvalidOptionError } from '@vlgym/core';

const { values: options } = parseArgs({
  options: {
    family: { type: 'string', default: 'qwen2.5-vl' },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '7' },
    folder: { type: 'string' },
    out: { type: 'string' },
    size: { type: 'string', default: 'toy' },
    device: { type: 'string', default: 'cpu' },
    dtype: { type: 'string', default: 'float32' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
/** Our names of the families, and theirs of the model types. */
const TYPES = { 'qwen2-vl': 'qwen2_vl', 'qwen2.5-vl': 'qwen2_5_vl', 'qwen3-vl': 'qwen3_vl' } as const;
const family = TYPES[options.family as keyof typeof TYPES];
if (!family) throw new InvalidOptionError('family', options.family, Object.keys(TYPES).join(', '));
const { threads, size, device, dtype } = options;
const BATCHES = { toy: [1, 8], '3b': [1, 8, 32], '7b': [1, 8, 32] };
const batches = BATCHES[size as keyof typeof BATCHES];
if (!batches) throw new InvalidOptionError('size', size, Object.keys(BATCHES).join(', '));
const rounds = Number(options.rounds);
const end = performance.now() + 60_000 * Number(options.minutes);

const python = process.env.VLGYM_PYTHON ?? 'python3';
const { status } = spawnSync(python, ['-c', 'import torch, transformers, peft'], { stdio: 'ignore' });
if (status !== 0) {
  console.log(`skipped: ${python} lacks torch, transformers or peft; set VLGYM_PYTHON`);
  process.exit(0);
}

interface Figures {
  readonly seconds: number;
  readonly processor: number;
  /** Bytes. */
  readonly peak: number;
  readonly ids?: readonly (readonly number[])[];
  readonly logProbs?: readonly (readonly number[])[];
  readonly loss?: number;
}

class Side {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(command: string, args: readonly string[]) {
    const limits = { VLGYM_NUM_THREADS: threads, OMP_NUM_THREADS: threads, MKL_NUM_THREADS: threads };
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...limits } });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  async line(): Promise<Record<string, unknown>> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${this.#child.spawnargs.join(' ')} has ended`);
    return JSON.parse(value);
  }

  async run(job: object): Promise<Figures> {
    this.#child.stdin!.write(`${JSON.stringify(job)}\n`);
    return (await this.line()) as unknown as Figures;
  }

  end(): void {
    this.#child.stdin!.end();
  }
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Runs a job on both sides in turns; the first turn of each warms up. */
async function compare(job: object): Promise<{ theirs: Figures[]; ours: Figures[] }> {
  const pairs: { theirs: Figures[]; ours: Figures[] } = { theirs: [], ours: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const turn = { theirs: await theirs.run(job), ours: await ours.run(job) };
    if (round === 0) continue;
    pairs.theirs.push(turn.theirs);
    pairs.ours.push(turn.ours);
  }
  return pairs;
}

type Key = 'seconds' | 'processor' | 'peak';

function ratio(a: readonly Figures[], b: readonly Figures[], key: Key): number {
  return median(a.map((figures, i) => figures[key] / b[i]![key]));
}

/** Share of ids that are equal up to the first difference of their row. */
function agreement(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  const total = a.reduce((sum, row) => sum + row.length, 0);
  const equal = a.reduce((sum, row, i) => {
    const first = row.findIndex((id, position) => id !== b[i]![position]);
    return sum + (first < 0 ? row.length : first);
  }, 0);
  return equal / total;
}

const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'vlgym-bench-'));
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** This file as it is run, by tsx or bundled: the worker lies next to it in the same form. */
const extension = extname(fileURLToPath(import.meta.url));
const given = [folder, family, threads, size, device, dtype];
const theirs = new Side(python, [script('transformers_worker.py'), ...given]);
const theirVersions = await theirs.line();
const ours = new Side(process.execPath, [...process.execArgv, script(`vlgym-worker${extension}`), ...given]);
const ourVersions = await ours.line();

const report: Record<string, unknown> = {
  family,
  size,
  device,
  dtype,
  threads: Number(threads),
  rounds,
  processor: cpus()[0]?.model,
  versions: { ...theirVersions, ...ourVersions },
  loadBefore: loadavg()[0],
};
console.log(JSON.stringify(report));
console.log(`${''.padEnd(26)}  theirs    ours   ratio     ratio of processor time    peak: theirs  ours  ratio`);

/** After every measurement: what was measured stays where the rest is cut off. */
function save(): void {
  if (options.out) writeFileSync(options.out, `${JSON.stringify(report, null, 2)}\n`);
}

function show(name: string, { theirs, ours }: { theirs: Figures[]; ours: Figures[] }): void {
  const of = (figures: readonly Figures[], key: Key) => median(figures.map((each) => each[key]));
  const row = {
    theirs: of(theirs, 'seconds'),
    ours: of(ours, 'seconds'),
    ratio: ratio(theirs, ours, 'seconds'),
    theirProcessor: of(theirs, 'processor'),
    ourProcessor: of(ours, 'processor'),
    processorRatio: ratio(theirs, ours, 'processor'),
    bestRatio: Math.min(...theirs.map((x) => x.processor)) / Math.min(...ours.map((x) => x.processor)),
    theirPeak: Math.max(...theirs.map(({ peak }) => peak)),
    ourPeak: Math.max(...ours.map(({ peak }) => peak)),
  };
  report[name] = row;
  save();
  const milliseconds = (seconds: number) => `${(1e3 * seconds).toFixed(0)}`.padStart(8);
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)}`.padStart(6);
  console.log(
    `${name.padEnd(26)}${milliseconds(row.theirs)}${milliseconds(row.ours)}${row.ratio.toFixed(2).padStart(8)}` +
      `${milliseconds(row.theirProcessor)}${milliseconds(row.ourProcessor)}${row.processorRatio.toFixed(2).padStart(8)}` +
      ` (best ${row.bestRatio.toFixed(2)})` +
      `${megabytes(row.theirPeak)}${megabytes(row.ourPeak)}${(row.ourPeak / row.theirPeak).toFixed(2).padStart(6)}`,
  );
}

/** The same minus the time of the first token, turn by turn. */
function without(all: readonly Figures[], first: readonly Figures[]): Figures[] {
  return all.map((figures, i) => ({
    ...figures,
    seconds: figures.seconds - first[i]!.seconds,
    processor: figures.processor - first[i]!.processor,
  }));
}

/** Mean and largest difference, over all tokens. */
function difference(a: Figures, b: Figures): { mean: number; largest: number } {
  const pairs = a.logProbs!.flatMap((row, i) => row.map((x, j) => Math.abs(x - b.logProbs![i]![j]!)));
  return { mean: pairs.reduce((sum, x) => sum + x, 0) / pairs.length, largest: Math.max(...pairs) };
}

/** The loss of each step, from the same adapters. */
async function trained(): Promise<void> {
  const pairs: { theirs: Figures[]; ours: Figures[] } = { theirs: [], ours: [] };
  for (let round = 0; round <= rounds; round += 1) {
    pairs.theirs.push(await theirs.run({ job: 'train' }));
    pairs.ours.push(await ours.run({ job: 'train', isFirst: round === 0 }));
  }
  const losses = { theirs: pairs.theirs.map(({ loss }) => loss), ours: pairs.ours.map(({ loss }) => loss) };
  report.losses = losses;
  show('LoRA step', { theirs: pairs.theirs.slice(1), ours: pairs.ours.slice(1) });
  console.log(`  losses: ${JSON.stringify(losses)}`);
}

/** Without adapters. In lower precision, also compares the rounding errors against float32 on the same weights. */
async function scored(): Promise<void> {
  const pairs = await compare({ job: 'score' });
  show('scores', pairs);
  const parity: Record<string, unknown> = { 'ours to theirs': difference(pairs.ours[0]!, pairs.theirs[0]!) };
  if (dtype !== 'float32') {
    const precise = await theirs.run({ job: 'score', precise: true });
    parity['ours to float32'] = difference(pairs.ours[0]!, precise);
    parity['theirs to float32'] = difference(pairs.theirs[0]!, precise);
  }
  report['log-probabilities'] = parity;
  console.log(`  log-probabilities, mean and largest difference: ${JSON.stringify(parity)}`);
}

for (const adapters of [false, true]) {
  // before adapters are attached
  if (adapters) await scored();
  for (const batch of adapters ? [1] : batches) {
    if (performance.now() > end) {
      console.log(`generate, batch ${batch}: not measured, the time was over`);
      continue;
    }
    const job = { job: 'generate', batch, adapters };
    const all = await compare({ ...job, tokens: 64 });
    const first = await compare({ ...job, tokens: 1 });
    const name = `batch ${batch}${adapters ? ', adapters' : ''}`;
    show(`generate, ${name}`, all);
    show(`  first token, ${name}`, first);
    const decoding = { theirs: without(all.theirs, first.theirs), ours: without(all.ours, first.ours) };
    show(`  other 63, ${name}`, decoding);
    const same = agreement(all.theirs[0]!.ids!, all.ours[0]!.ids!);
    report[`equal tokens, ${name}`] = same;
    console.log(`  ${(100 * same).toFixed(1)} % of the greedy tokens before the first difference of a row`);
    if (device !== 'cpu') {
      const { seconds } = await ours.run({ ...job, tokens: 64, graphs: false });
      report[`without graphs, ${name}`] = seconds;
      console.log(`  ours without graphs: ${(1e3 * seconds).toFixed(0)} ms`);
    }
    if (adapters || batch > 1) continue;
    const { bandwidth } = (await ours.run({ job: 'bandwidth' })) as unknown as { bandwidth: number };
    const perToken = (figures: readonly Figures[]) => Math.min(...figures.map(({ seconds }) => seconds)) / 63;
    const limit = bandwidth / (ourVersions.bytesPerToken as number);
    report.bandwidth = bandwidth;
    for (const [side, figures] of Object.entries(decoding)) {
      const rate = 1 / perToken(figures);
      report[`share of the limit, ${side}`] = rate / limit;
      console.log(
        `  ${side}: at best ${rate.toFixed(0)} tokens/s, ${((100 * rate) / limit).toFixed(0)} % of the ${limit.toFixed(0)} ` +
          `that ${(bandwidth / 1e9).toFixed(1)} GB/s allow`,
      );
    }
  }
}
await trained();
report.loadAfter = loadavg()[0];
theirs.end();
ours.end();
save();
if (!options.folder) rmSync(folder, { recursive: true });
