/**
 * Exports as files and as requests. `npm run test:readers` reads the same with the programs that they are for.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { oracleAgent } from '@vlgym/agents';
import { readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import { readParquetRows } from '@vlgym/datasets';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, playInto, toolAgent } from '../../../viewer/test-support/make-run.js';
import { parseOptions } from '../command-line/command.js';
import { exportCommand } from '../commands/recordings/export.js';
import { exportDataset } from './dataset.js';
import { exportInspect } from './inspect.js';
import { exportToMlflow } from './mlflow.js';
import { runDataOf } from './run-data.js';
import { writeTensorboardImages } from './tensorboard-images.js';
import { exportToTrackio } from './trackio.js';

const home = mkdtempSync(join(tmpdir(), 'vlgym-export-'));
afterAll(() => rmSync(home, { recursive: true }));
const run = join(home, 'run');
const episodes: Trajectory[] = [];
beforeAll(async () => {
  await makeRun(run, { seeds: [0, 1], agent: oracleAgent(), recorded: [5, 10] });
  await playInto(join(home, 'tools'), toolAgent, [0, 1, 2, 3, 4, 5]);
  for await (const trajectory of readTrajectories(join(run, 'episodes'))) episodes.push(trajectory);
});

const every = { episodes: 'all', skipInvalid: false, onProblem: () => {} } as const;

describe('rows of a dataset', () => {
  it('say what each step earned and where it stands, in Parquet', async () => {
    const out = join(home, 'a.parquet');
    await exportDataset(run, { ...every, format: 'parquet', out });
    const rows: Readonly<Record<string, unknown>>[] = [];
    for await (const row of readParquetRows(out)) rows.push(row);
    const expected = episodes.flatMap(({ id, seed, steps, outcome }) =>
      steps.map(({ index, reward }) => ({
        ...{ episode: id, seed: BigInt(seed!), step: BigInt(index), reward, return: outcome.return },
        ...{ success: outcome.success, env: 'vlgym/NumberLine-v1' },
      })),
    );
    expect(rows).toMatchObject(expected);
  });

  it('say the same in JSON Lines', async () => {
    const out = join(home, 'lines', 'a.jsonl');
    await exportDataset(run, { ...every, format: 'jsonl', out });
    const [first] = readFileSync(out, 'utf8').split('\n');
    const [{ id, seed, outcome }] = episodes as [Trajectory];
    expect(JSON.parse(first!)).toMatchObject({ episode: id, seed, step: 0, return: outcome.return });
  });
});

describe('a log of Inspect', () => {
  it('has header, samples and summaries in its zip, with pictures within the bytes that it may take', async () => {
    const out = join(home, 'a.eval');
    await exportInspect([join(run, 'episodes')], { folder: run, out, pictureBytes: 1e8 });
    const files = unzipSync(readFileSync(out));
    const samples = episodes.map(({ id }) => `samples/${id}_epoch_1.json`);
    expect(Object.keys(files).sort()).toEqual(
      ['_journal/start.json', 'header.json', ...samples, 'summaries.json'].sort(),
    );
    const header = JSON.parse(strFromU8(files['header.json']!));
    expect(header).toMatchObject({ version: 2, status: 'success', results: { total_samples: 2 } });
    const text = strFromU8(files[samples[0]!]!);
    expect(text).toContain('data:image/png;base64,');
    const said = await exportInspect([join(run, 'episodes')], { folder: run, out, pictureBytes: 0 });
    expect(said).toMatch(/^2 samples, \d+ pictures left out/);
    expect(strFromU8(unzipSync(readFileSync(out))[samples[0]!]!)).not.toContain('base64');
  });

  it('tells tool calls from answers, and what failed', async () => {
    const out = join(home, 'tools.json');
    await exportInspect([join(home, 'tools')], { folder: home, out, pictureBytes: 0 });
    const log = JSON.parse(readFileSync(out, 'utf8'));
    const failed = log.samples.find((sample: { messages: { error?: object }[] }) =>
      sample.messages.some(({ error }) => error),
    );
    const messages = failed.messages as readonly Record<string, unknown>[];
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { function: 'look_up', content: 'right' },
      { function: 'look_up', error: { message: expect.stringContaining('503') } },
    ]);
    expect(failed.scores.success).toMatchObject({
      value: 'I',
      explanation: expect.stringContaining('TOOL_FAILED'),
    });
  });

  it('is one for each recording', async () => {
    const paths = [join(run, 'episodes'), join(home, 'tools')];
    await expect(exportInspect(paths, { folder: home, out: 'one.eval', pictureBytes: 0 })).rejects.toThrow(
      /a log has one/,
    );
    const said = await exportInspect(paths, { folder: home, out: join(home, 'logs'), pictureBytes: 0 });
    expect(said.match(/\.eval$/gm)).toHaveLength(2);
  });
});

it('pictures for TensorBoard have a tag for each step of the recorded updates and each played seed', async () => {
  const options = { run, recordings: [join(run, 'episodes')], folder: join(home, 'tb'), steps: 2, episodes: 1 };
  const { path, pictures } = await writeTensorboardImages(options);
  const bytes = readFileSync(path, 'latin1');
  expect(bytes.split('\x89PNG').length - 1).toBe(pictures);
  for (const tag of ['training/step-00', 'training/step-01', `episodes/seed-${episodes[0]!.seed}`])
    expect(bytes).toContain(tag);
  expect(pictures).toBe(2 * 2 + episodes[0]!.steps.length + 1);
  const none = writeTensorboardImages({ ...options, run: join(home, 'none'), recordings: [] });
  await expect(none).rejects.toMatchObject({ code: 'USAGE' });
});

describe('trackers', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  /** Answers what `answer` says, and keeps what it was sent. */
  async function tracker(answer: (path: string) => readonly [status: number, body: object]) {
    const sent: { readonly path: string; readonly body: Record<string, unknown>; readonly token: unknown }[] = [];
    server = createServer(async (request: IncomingMessage, response) => {
      const path = request.url!;
      const body = request.method === 'POST' ? ((await json(request)) as Record<string, unknown>) : {};
      sent.push({ path, body, token: request.headers['x-trackio-write-token'] });
      const [status, data] = answer(path);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return { sent, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it('MLflow gets a run with parameters, metrics by update and its end, within the limits of a call', async () => {
    const { sent, address } = await tracker((path) => {
      if (path.includes('get-by-name')) return [404, { error_code: 'RESOURCE_DOES_NOT_EXIST' }];
      if (path.endsWith('experiments/create')) return [200, { experiment_id: '7' }];
      return [200, { run: { info: { run_id: 'r1' } } }];
    });
    await exportToMlflow(await runDataOf(run), { server: address, experiment: 'ours' });
    const calls = sent.map(({ path }) => path.replace('/api/2.0/mlflow/', ''));
    expect(calls[0]).toBe('experiments/get-by-name?experiment_name=ours');
    expect(new Set(calls.slice(1))).toEqual(
      new Set(['experiments/create', 'runs/create', 'runs/log-batch', 'runs/update']),
    );
    for (const { body } of sent) {
      expect(((body.metrics as unknown[]) ?? []).length).toBeLessThanOrEqual(1000);
      expect(((body.params as unknown[]) ?? []).length).toBeLessThanOrEqual(100);
    }
    const metrics = sent.flatMap(({ body }) => (body.metrics as { key: string; step: number; value: number }[]) ?? []);
    expect(metrics.filter(({ key }) => key === 'train/return').map(({ step, value }) => [step, value])).toEqual(
      Array.from({ length: 21 }, (_, update) => [update, update / 10 - 1]),
    );
    expect(sent.at(-1)!.body).toMatchObject({ run_id: 'r1', status: 'FINISHED' });
  });

  it('Trackio gets entries with ids, and the token of the address as a header', async () => {
    const { sent, address } = await tracker(() => [200, { data: null }]);
    await exportToTrackio(await runDataOf(run), { server: `${address}/?write_token=secret`, project: 'ours' });
    expect(sent).toHaveLength(1);
    const [{ path, body, token }] = sent as [(typeof sent)[number]];
    expect([path, token]).toEqual(['/api/bulk_log', 'secret']);
    const logs = body.logs as Record<string, unknown>[];
    expect(logs).toHaveLength(21);
    expect(logs[0]).toMatchObject({
      project: 'ours',
      run: 'run',
      step: 0,
      log_id: 'ours/run/0',
      config: { algorithm: 'vl-dac' },
    });
  });

  it('says which tracker refuses, and what to do', async () => {
    const { address } = await tracker(() => [400, { error: 'A write_token is required' }]);
    const options = { server: address, project: 'ours' };
    await expect(exportToTrackio(await runDataOf(run), options)).rejects.toMatchObject({
      ...{ code: 'TRACKER_FAILED', message: expect.stringContaining('write_token is required') },
    });
    server!.close();
    await expect(
      exportToMlflow(await runDataOf(run), { server: 'http://127.0.0.1:9', experiment: 'e' }),
    ).rejects.toMatchObject({
      ...{ code: 'TRACKER_FAILED', hint: expect.stringContaining('mlflow server') },
    });
  });

  it.each(['localhost:5000', 'ftp://127.0.0.1', 'nonsense'])('refuses %s as an address', async (server) => {
    const found = await runDataOf(run);
    await expect(exportToTrackio(found, { server, project: 'p' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(exportToMlflow(found, { server, experiment: 'e' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('a folder without metrics is refused', async () => {
    await expect(runDataOf(join(home, 'tools'))).rejects.toThrow(/has no metrics/);
  });
});

it.each([
  [['parquet', 'runs/a'], { words: ['parquet', 'runs/a'] }],
  [['runs/a', '--to', 'jsonl'], { words: ['runs/a'], to: 'jsonl' }],
])('%j are words of the command', (words, expected) => {
  expect(parseOptions(exportCommand, words)).toMatchObject(expected);
});
