/**
 * Exports of a run, read by the programs that they are for (`read.py`). `npm run test:readers` sets them up and sets
 * VLGYM_TEST_READERS; the normal suite checks the same files without them (`apps/cli/src/export`).
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oracleAgent } from '@vlgym/agents';
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportDataset } from '../../apps/cli/src/export/dataset.js';
import { exportInspect } from '../../apps/cli/src/export/inspect.js';
import { exportToMlflow } from '../../apps/cli/src/export/mlflow.js';
import { runDataOf } from '../../apps/cli/src/export/run-data.js';
import { writeTensorboardImages } from '../../apps/cli/src/export/tensorboard-images.js';
import { exportToTrackio } from '../../apps/cli/src/export/trackio.js';
import { makeRun, playInto, toolAgent } from '../../apps/viewer/test-support/make-run.js';
import { freePort } from '../support/free-port.js';

const LIMIT = 300_000;
vi.setConfig({ testTimeout: LIMIT, hookTimeout: LIMIT });
const python = process.env.VLGYM_TEST_READERS;
const PROGRAM = fileURLToPath(new URL('read.py', import.meta.url));

describe.skipIf(!python)(python ? 'real readers' : 'real readers (skipped: npm run test:readers)', () => {
  const home = mkdtempSync(join(tmpdir(), 'vlgym-readers-'));
  const run = join(home, 'run');
  const env = {
    ...process.env,
    HF_HUB_OFFLINE: '1',
    TRACKIO_DIR: join(home, 'trackio'),
    TRACKIO_WRITE_TOKEN: 'secret',
    MLFLOW_DISABLE_TELEMETRY: 'true',
  };
  const servers: ChildProcess[] = [];
  const episodes: Trajectory[] = [];

  async function read(what: string, ...words: string[]): Promise<Record<string, unknown>> {
    const { stdout } = await promisify(execFile)(python!, [PROGRAM, what, ...words], { env, maxBuffer: 1 << 26 });
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
  }

  async function serve(words: readonly string[], ready: string): Promise<void> {
    const child = spawn(python!, words, { env, cwd: home, stdio: 'ignore', detached: true });
    servers.push(child);
    await vi.waitFor(async () => expect((await fetch(ready)).status).toBeLessThan(500), {
      timeout: LIMIT,
      interval: 500,
    });
  }

  beforeAll(async () => {
    await makeRun(run, { seeds: [0, 1, 2], agent: oracleAgent(), recorded: [5, 10] });
    await playInto(join(home, 'tools'), toolAgent, [0, 1]);
    for await (const trajectory of readTrajectories(join(run, 'episodes'))) episodes.push(trajectory);
  });
  afterAll(() => {
    for (const { pid } of servers) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  it('datasets, pandas and pyarrow read Parquet: pictures, and what each step earned', async () => {
    const out = join(home, 'train.parquet');
    await exportDataset(run, { format: 'parquet', out, episodes: 'all', skipInvalid: false, onProblem: () => {} });
    const [first] = episodes;
    const steps = episodes.flatMap((episode) => episode.steps);
    const found = await read('parquet', out);
    const reader = readTrajectories(join(run, 'episodes'));
    const picture = await reader.loadImage(first!.observation.images![0]!);
    expect(found).toMatchObject({
      rows: steps.length,
      total: steps.reduce((sum, { reward }) => sum + reward, 0),
      row: {
        ...{ reward: first!.steps[0]!.reward, return: first!.outcome.return, seed: first!.seed },
        ...{ env: 'vlgym/NumberLine-v1', episode: first!.id, step: 0 },
      },
      prompt: expect.arrayContaining(['image', 'text']),
      pixels: createHash('sha256').update(picture.data).digest('hex'),
    });
  });

  it('datasets reads JSON Lines', async () => {
    const out = join(home, 'lines', 'train.jsonl');
    await exportDataset(run, { format: 'jsonl', out, episodes: 'all', skipInvalid: false, onProblem: () => {} });
    const columns = ['prompt', 'completion', 'images', 'reward', 'return', 'seed', 'env', 'episode', 'step'];
    expect(await read('jsonl', out)).toMatchObject({
      columns: expect.arrayContaining(columns),
      return: episodes[0]!.outcome.return,
    });
  });

  it.each(['eval', 'json'])('Inspect reads .%s, whole, by its header, and with tool calls', async (ending) => {
    const out = join(home, `log.${ending}`);
    await exportInspect([join(run, 'episodes')], { folder: run, out, pictureBytes: 1e8 });
    const succeeded = episodes.map(({ outcome }) => (outcome.success ? 'C' : 'I'));
    const rate = succeeded.filter((value) => value === 'C').length / succeeded.length;
    const found = await read('inspect', out);
    expect(found).toMatchObject({
      ...{ task: 'vlgym/NumberLine-v1', model: 'vlgym/oracle', samples: 3, summaries: 3, success: succeeded },
      scores: { success: { accuracy: rate }, return: { mean: expect.any(Number) } },
    });
    expect(found.images).toBeGreaterThan(0);
    const tools = join(home, `tools.${ending}`);
    await exportInspect([join(home, 'tools')], { folder: home, out: tools, pictureBytes: 0 });
    expect(await read('inspect', tools)).toMatchObject({ calls: expect.arrayContaining(['look_up']), images: 0 });
  });

  it('TensorBoard reads pictures of updates and of episodes', async () => {
    const folder = join(home, 'images');
    const { path } = await writeTensorboardImages({
      ...{ run, recordings: [join(run, 'episodes')], folder, steps: 2, episodes: 2 },
    });
    const found = (await read('tensorboard', dirname(path))) as {
      readonly steps: Readonly<Record<string, readonly number[]>>;
      readonly size: readonly number[];
      readonly decoded: readonly number[];
    };
    expect(found.steps['training/step-00']).toEqual([5, 10]);
    const [first] = episodes;
    expect(found.steps[`episodes/seed-${first!.seed}`]).toEqual(
      Array.from({ length: first!.steps.length + 1 }, (_, i) => i),
    );
    expect(found.decoded).toEqual(found.size);
  });

  const values = () =>
    readFileSync(join(run, 'metrics.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).metrics['train/return'] as number);

  it('MLflow has settings and metrics of the run', async () => {
    const port = await freePort();
    const server = `http://127.0.0.1:${port}`;
    await serve(['-m', 'mlflow', 'server', '--port', String(port), '--workers', '1'], `${server}/health`);
    await exportToMlflow(await runDataOf(run), { server, experiment: 'ours' });
    expect(await read('mlflow', server, 'ours')).toMatchObject({
      ...{ name: 'run', status: 'FINISHED', values: values(), steps: values().map((_, update) => update) },
      params: { algorithm: 'vl-dac', 'config.loss.clipLow': '0.1' },
    });
  });

  it('Trackio has the metrics of the run once, however often they are sent', async () => {
    const port = await freePort();
    await serve(
      ['-c', `import trackio; trackio.show(open_browser=False, block_thread=True, server_port=${port})`],
      `http://127.0.0.1:${port}/`,
    );
    const server = `http://127.0.0.1:${port}/?write_token=secret`;
    for (let time = 0; time < 2; time += 1) await exportToTrackio(await runDataOf(run), { server, project: 'ours' });
    await vi.waitFor(async () => {
      const found = await read('trackio', 'ours');
      expect(found).toEqual({ run: 'run', values: values(), steps: values().map((_, update) => update) });
    }, LIMIT);
  });
});
