/**
 * Decoding of SmolLM2-135M against llama.cpp in F16, on the same weights and prompts, in turns in one run:
 *
 *     VLGYM_PYTHON=…/bin/python npx tsx packages/models/bench/against-llama-cpp.ts --model DIR
 *         [--threads 1] [--rounds 5] [--sampler-dtype same|bfloat16|int8] [--out FILE]
 *
 * `DIR` is the folder that `vlgym models fetch smollm2-135m` prints. Greedy decoding of 64 tokens behind prompts of 273
 * random ids, in batches of 1 and 8. Needs a Python with torch, transformers, gguf and xllamacpp; its wheel for Linux is built
 * without AVX-512.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InvalidOptionError } from '@vlgym/core';
import { linkModel } from './link-model.js';
import { agreement, compare, HEADER, Side, show, without } from './sides.js';

const { values: options } = parseArgs({
  options: {
    model: { type: 'string' },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    'sampler-dtype': { type: 'string', default: 'bfloat16' },
    out: { type: 'string' },
  },
});
const { model, threads, out } = options;
if (!model) throw new InvalidOptionError('model', model, 'the folder that `vlgym models fetch smollm2-135m` prints');
const python = process.env.VLGYM_PYTHON ?? 'python3';
const { status } = spawnSync(python, ['-c', 'import torch, gguf, xllamacpp'], { stdio: 'ignore' });
if (status !== 0) {
  console.log(`skipped: ${python} lacks torch, gguf or xllamacpp; set VLGYM_PYTHON`);
  process.exit(0);
}

const rounds = Number(options.rounds);
const folder = mkdtempSync(join(tmpdir(), 'vlgym-bench-'));
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
try {
  linkModel(model, folder);
  const theirs = new Side(python, [script('llama_cpp_worker.py'), folder, threads], threads);
  const theirVersions = await theirs.line();
  const given = [folder, 'llama', threads, 'smollm2', 'cpu', 'float32', options['sampler-dtype']];
  const ours = new Side(process.execPath, [...process.execArgv, script('vlgym-worker.ts'), ...given], threads);
  const report: Record<string, unknown> = {
    threads: Number(threads),
    rounds,
    samplerDtype: options['sampler-dtype'],
    processor: cpus()[0]?.model,
    versions: { ...theirVersions, ...(await ours.line()) },
    loadBefore: loadavg()[0],
  };
  console.log(JSON.stringify(report));
  console.log(HEADER);
  for (const batch of [1, 8]) {
    const all = await compare(theirs, ours, { job: 'generate', batch, tokens: 64 }, rounds);
    const first = await compare(theirs, ours, { job: 'generate', batch, tokens: 1 }, rounds);
    report[`generate, batch ${batch}`] = show(`generate, batch ${batch}`, all);
    report[`first token, batch ${batch}`] = show(`  first token, batch ${batch}`, first);
    report[`other 63, batch ${batch}`] = show(`  other 63, batch ${batch}`, without(all, first));
    const same = agreement(all);
    report[`equal tokens, batch ${batch}`] = same;
    console.log(`  ${(100 * same).toFixed(1)} % of the greedy tokens before the first difference of a row`);
  }
  report.loadAfter = loadavg()[0];
  theirs.end();
  ours.end();
  if (out) writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
