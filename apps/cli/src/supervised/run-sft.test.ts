import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent } from '@vlgym/agents';
import { readExamples, writeJsonLines, writeParquet } from '@vlgym/datasets';
import { createPolicy, loadPolicy, type VlmPolicy } from '@vlgym/models';
import '@vlgym/points24';
import type { Sequence } from '@vlgym/rl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeToyFolder } from '../../../../packages/models/scripts/toy-folder.js';
import { sftSchema } from './options.js';
import { runSft, type SftProgress } from './run-sft.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-sft-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Ten sums; a model of random weights knows none of them. */
const ROWS = Array.from({ length: 10 }, (_, i) => ({ prompt: `${i} + 1`, completion: String(i + 1) }));

async function dataset(rows: readonly unknown[] = ROWS): Promise<string> {
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

const options = (data: string, out: string, given: object = {}) =>
  sftSchema.parse({
    data: [data],
    out: join(folder, out),
    epochs: 3,
    batch: 4,
    evalShare: 0.2,
    saveEvery: 2,
    ...given,
  });

async function digest(weights: string): Promise<string> {
  const policy = await loadPolicy(weights);
  const found = await policy.weightsDigest();
  policy.close();
  return found;
}

describe('supervised training on files', () => {
  it('lowers the loss, and measures what it has not learned from', async () => {
    const losses: number[] = [];
    const data = await dataset([...ROWS, ...ROWS].map((row) => ({ ...row, completion: 'always this' })));
    const onProgress = ({ loss }: SftProgress) => losses.push(loss);
    const result = await runSft(options(data, 'out', { epochs: 3, learningRate: 5e-3 }), { onProgress });
    expect(result).toMatchObject({ examples: 16, measured: 4, steps: 12, skipped: 0 });
    expect(losses.at(-1)!).toBeLessThan(losses[0]! / 2);
    expect(result.evalLoss!).toBeLessThan(losses[0]! / 2);
  });

  it('continues after a stop with the weights of a run that was not stopped', async () => {
    const data = await dataset();
    const whole = await runSft(options(data, 'whole'));
    const stop = new AbortController();
    const onProgress = ({ step }: SftProgress) => step === 3 && stop.abort();
    await expect(runSft(options(data, 'parts'), { onProgress, signal: stop.signal })).rejects.toThrow();
    const again: number[] = [];
    const rest = await runSft(options(data, 'parts', { resume: true }), { onProgress: ({ step }) => again.push(step) });
    expect(again).toEqual([4, 5, 6]);
    expect(await digest(rest.weights)).toBe(await digest(whole.weights));
    expect(rest.evalLoss).toBe(whole.evalLoss);
    const checkpoints = (await readdir(join(folder, 'parts'))).filter((name) => name.startsWith('checkpoint'));
    expect(checkpoints).toEqual(['checkpoint-000006']);
  });

  it('refuses a folder that has a run, and a run with other data or choices', async () => {
    const data = await dataset();
    await runSft(options(data, 'out'));
    await expect(runSft(options(data, 'out'))).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
    const other = options(data, 'out', { resume: true, batch: 5 });
    await expect(runSft(other)).rejects.toThrow(/made with batch 4, not 5/);
    await dataset(ROWS.slice(1));
    await expect(runSft(options(data, 'out', { resume: true }))).rejects.toThrow(/made with data/);
  });

  it('refuses to continue a run in the layout of an earlier version', async () => {
    const data = await dataset();
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'out', 'sft.json'), '{"step":6,"identity":{}}');
    const refused = runSft(options(data, 'out', { resume: true }));
    await expect(refused).rejects.toMatchObject({
      code: 'CHECKPOINT_DAMAGED',
      message: expect.stringContaining('sft.json'),
    });
  });

  it('names the line of a bad row, or leaves the row out', async () => {
    const long = { prompt: 'x y '.repeat(20_000), completion: '1' };
    const data = await dataset([...ROWS, { prompt: 'no answer' }, long]);
    await expect(runSft(options(data, 'out'))).rejects.toThrow(/rows\.jsonl, line 11: /);
    const problems: string[] = [];
    const hooks = { onProblem: (message: string) => problems.push(message) };
    expect(await runSft(options(data, 'out', { skipInvalid: true }), hooks)).toMatchObject({ skipped: 2 });
    expect(problems).toEqual([expect.stringMatching(/line 11/), expect.stringMatching(/line 12.*tokens/)]);
    const metrics = (await readFile(join(folder, 'out/metrics.jsonl'), 'utf8')).trim().split('\n');
    expect(metrics.map((line) => JSON.parse(line).step)).toEqual([1, 2, 3, 4, 5, 6, 6]);
  });

  it('has nothing to learn from an empty file', async () => {
    await expect(runSft(options(await dataset([]), 'out'))).rejects.toMatchObject({ code: 'EMPTY_DATASET' });
  });
});

describe('on a model folder as others publish it', () => {
  it('learns adapters from recordings, Parquet and JSON lines with pictures, and writes one that peft reads', async () => {
    const model = join(folder, 'qwen2.5-vl');
    await writeToyFolder(model);
    const recording = join(folder, 'recording');
    await evaluate({ env: 'vlgym/EZPoints-v1', agent: oracleAgent(), episodes: 2, record: recording });
    const files = [join(folder, 'rows.parquet'), join(folder, 'rows.jsonl')] as const;
    const rows = await writeParquet(files[0], readExamples(recording));
    await writeJsonLines(files[1], readExamples(recording));
    const given = { data: [recording, ...files], model, loraRank: 4, epochs: 2, learningRate: 0.02, evalShare: 0 };
    const losses: number[] = [];
    const onProgress = ({ loss }: SftProgress) => losses.push(loss);
    const result = await runSft(options(recording, 'out', given), { onProgress });
    expect(result).toMatchObject({ examples: 3 * rows, skipped: 0, adapter: join(folder, 'out/adapter') });
    expect(losses.at(-1)!).toBeLessThan(losses[0]! - 1);
    expect((await readdir(result.adapter!)).sort()).toEqual(
      expect.arrayContaining(['adapter_config.json', 'adapter_model.safetensors']),
    );

    const trained = await loadPolicy(result.weights);
    const opened = await createPolicy({ model, adapter: result.adapter! });
    expect(await logProbs(opened, recording)).toEqual(await logProbs(trained, recording));
    for (const policy of [trained, opened]) policy.close();
  });
});

async function logProbs(policy: VlmPolicy, recording: string): Promise<Float32Array[]> {
  const sequences: Sequence[] = [];
  for await (const { prompt, response } of readExamples(recording)) {
    sequences.push({ input: policy.encode(prompt), responseIds: policy.encodeResponse(response).ids });
  }
  return (await policy.score(sequences)).logProbs;
}
