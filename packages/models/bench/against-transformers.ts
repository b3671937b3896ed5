/**
 * Sampling and LoRA training against transformers and peft, on the same weights and inputs, in turns in one run:
 *
 *     VLGYM_PYTHON=…/bin/python npx tsx packages/models/bench/against-transformers.ts [--family qwen2-vl|qwen2.5-vl|qwen3-vl]
 *         [--threads 1] [--rounds 7] [--folder DIR] [--out FILE]
 *         [--size toy|3b|7b] [--device cpu|cuda] [--dtype float32|bfloat16] [--minutes N] [--model DIR]
 *         [--only TEXT]
 *
 * With `--model`, the folder that `vlgym models fetch smollm2-135m` prints, it measures that model, in words. `--only` measures what
 * has the text in its name: `generate, batch 8`, `scores`, `LoRA step`.
 *
 * Greedy decoding of 64 tokens behind a prompt of 273 (of the sizes of Qwen2.5-VL-3B and -7B: 543), one picture included;
 * scores and a step of LoRA over 4 rows. No batch is generated after `--minutes`. `DIR` holds a
 * model with `inputs.safetensors` and is written where it is missing. Needs a Python with torch, transformers and peft;
 * without one it says so and measures nothing. Prints medians, and the median of the ratios of neighboring turns, which
 * other work on the machine moves least.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InvalidOptionError } from '@vlgym/core';
import { linkModel } from './link-model.js';
import { agreement, compare, type Figures, HEADER, type Pairs, Side, show as shown, without } from './sides.js';

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
    model: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
/** Our names of the families, and theirs of the model types. */
const TYPES = { 'qwen2-vl': 'qwen2_vl', 'qwen2.5-vl': 'qwen2_5_vl', 'qwen3-vl': 'qwen3_vl' } as const;
const family = options.model ? 'llama' : TYPES[options.family as keyof typeof TYPES];
if (!family) throw new InvalidOptionError('family', options.family, Object.keys(TYPES).join(', '));
const { threads, device, dtype } = options;
const size = options.model ? 'smollm2' : options.size;
const BATCHES = { toy: [1, 8], '3b': [1, 8, 32], '7b': [1, 8, 32], smollm2: [1, 8] };
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

const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'vlgym-bench-'));
if (options.model) linkModel(options.model, folder);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** This file as it is run, by tsx or bundled: the worker lies next to it in the same form. */
const extension = extname(fileURLToPath(import.meta.url));
const given = [folder, family, threads, size, device, dtype];
const theirs = new Side(python, [script('transformers_worker.py'), ...given], threads);
const theirVersions = await theirs.line();
const ours = new Side(process.execPath, [...process.execArgv, script(`vlgym-worker${extension}`), ...given], threads);
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
console.log(HEADER);

/** After every measurement: what was measured stays where the rest is cut off. */
function save(): void {
  if (options.out) writeFileSync(options.out, `${JSON.stringify(report, null, 2)}\n`);
}

function show(name: string, pairs: Pairs): void {
  report[name] = shown(name, pairs);
  save();
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
  const pairs = await compare(theirs, ours, { job: 'score' }, rounds);
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

const isAsked = (name: string) => name.includes(options.only);

for (const adapters of [false, true]) {
  // before adapters are attached
  if (adapters && isAsked('scores')) await scored();
  for (const batch of adapters ? [1] : batches) {
    const name = `batch ${batch}${adapters ? ', adapters' : ''}`;
    if (!isAsked(`generate, ${name}`)) continue;
    if (performance.now() > end) {
      console.log(`generate, batch ${batch}: not measured, the time was over`);
      continue;
    }
    const job = { job: 'generate', batch, adapters };
    const all = await compare(theirs, ours, { ...job, tokens: 64 }, rounds);
    const first = await compare(theirs, ours, { ...job, tokens: 1 }, rounds);
    show(`generate, ${name}`, all);
    show(`  first token, ${name}`, first);
    const decoding = without(all, first);
    show(`  other 63, ${name}`, decoding);
    const same = agreement(all);
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
if (isAsked('LoRA step')) await trained();
report.loadAfter = loadavg()[0];
theirs.end();
ours.end();
save();
if (!options.folder) rmSync(folder, { recursive: true });
