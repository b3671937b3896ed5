/**
 * A killed run goes on as if nothing had happened: the metrics of a run killed without warning, at any moment, and
 * continued are those of a run that was left alone (`docs/specs/algorithms.md` 15.14).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setWarningSink } from '@vlgym/core';
import { sha256OfFile } from '@vlgym/core/internal';
import type { GymWarning } from '@vlgym/core/registry';
import { CheckpointStore, train } from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { trainResumable } from './algos-resume-run.js';
import { BanditEnv, CorridorEnv, smallPolicy } from './algos-tasks.js';

vi.setConfig({ testTimeout: 300_000 });

const child = fileURLToPath(new URL('./algos-resume-child.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-resume-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** When a run is killed: once it has said `line` so often. */
interface Kill {
  readonly line: string;
  readonly times: number;
}

/** Trains in a child process, killed without warning. */
async function killedTraining(preset: string, run: string, updates: number, { line, times }: Kill): Promise<void> {
  const args = ['--import', tsx, child, preset, run, String(updates), 'SIGKILL', line, String(times)];
  const process = spawn(globalThis.process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [, signal]] = await Promise.all([text(process.stderr), once(process, 'close')]);
  expect(signal, errors).toBe('SIGKILL');
}

interface ManifestEntry {
  readonly path: string;
  readonly sha256?: string;
}

async function flipLastBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(path, bytes);
}

/** Records without what is measured in seconds. */
async function metricsOf(run: string): Promise<unknown[]> {
  const lines = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const { metrics, ...record } = JSON.parse(line);
    const kept = Object.entries(metrics).filter(([name]) => !name.startsWith('time/'));
    return { ...record, metrics: Object.fromEntries(kept) };
  });
}

/** The run that nobody kills, in this process, once per preset. */
const wholeRuns = new Map<string, Promise<string>>();
let wholes = '';
beforeAll(async () => {
  wholes = await mkdtemp(join(tmpdir(), 'vlgym-whole-'));
});
afterAll(() => rm(wholes, { recursive: true, force: true }));
function wholeRun(preset: string, updates: number): Promise<string> {
  const run = join(wholes, `${preset}-${updates}`);
  const known = wholeRuns.get(run) ?? trainResumable(preset, run, updates).then(() => run);
  wholeRuns.set(run, known);
  return known;
}

const FIRST_UPDATE: Kill = { line: 'working', times: 25 };
const BETWEEN_UPDATES: Kill = { line: 'update 2', times: 1 };
/** Counted from the start: evaluations before training and after update 2 are steps too. */
const LATER_UPDATE: Kill = { line: 'working', times: 60 };
/** Counted from a checkpoint. */
const AT_ONCE: Kill = { line: 'working', times: 3 };

/** The algorithm of the most runs is killed three times; of the others, each moment takes two. */
const kills: readonly [preset: string, kills: readonly Kill[]][] = [
  ['vl-dac', [FIRST_UPDATE, BETWEEN_UPDATES, AT_ONCE]],
  ['gtr-turbo-kl', [BETWEEN_UPDATES]],
  ['gtr-turbo-sft', [LATER_UPDATE]],
  ['ppo-token', [FIRST_UPDATE]],
  ['epo', [BETWEEN_UPDATES]],
  ['archer', [LATER_UPDATE]],
];

describe.each(kills)('%s', (preset, moments) => {
  const all = process.env.VLGYM_RESUME_KILLS === 'all' ? [FIRST_UPDATE, BETWEEN_UPDATES, AT_ONCE] : moments;
  const told = all.map(({ line, times }) => `"${line}" ${times}`).join(', ');

  it(`continues bit for bit after being killed without warning, each time it said ${told}`, async () => {
    const whole = await wholeRun(preset, 4);
    const broken = join(folder, 'broken');
    for (const kill of all) await killedTraining(preset, broken, 4, kill);
    await trainResumable(preset, broken, 4);
    expect(await metricsOf(broken)).toEqual(await metricsOf(whole));

    const weights = async (run: string) => {
      const policy = join(run, 'checkpoint-000004', 'policy');
      const files = (await readdir(policy)).filter((name) => name.endsWith('.safetensors')).sort();
      return Promise.all(files.map(async (name) => [name, (await readFile(join(policy, name))).toString('base64')]));
    };
    expect(await weights(broken)).toEqual(await weights(whole));
  });
});

it('two processes do not train in one folder: the second is refused, and goes on once the first is dead', async () => {
  const shared = join(folder, 'shared');
  const command = ['--import', tsx, child, 'vl-dac', shared, '2'];
  // it stops itself while it is at work
  const first = spawn(process.execPath, [...command, 'SIGSTOP', 'working', '1'], { stdio: 'pipe' });
  try {
    await once(first.stdout, 'data');
    const second = spawn(process.execPath, command, { stdio: 'pipe' });
    const [errors, [code], output] = await Promise.all([
      text(second.stderr),
      once(second, 'close'),
      text(second.stdout),
    ]);
    expect(errors).toContain('FOLDER_LOCKED');
    expect({ code, output }).toEqual({ code: 1, output: '' });
  } finally {
    first.kill('SIGKILL');
  }
  await once(first, 'close');
  await trainResumable('vl-dac', shared, 2);
  expect(await metricsOf(shared)).toEqual(await metricsOf(await wholeRun('vl-dac', 2)));
});

it('a disk that is full when a checkpoint is written ends the run with that reason; the checkpoint before goes on', async () => {
  const whole = await wholeRun('vl-dac', 4);
  const broken = join(folder, 'broken');
  await trainResumable('vl-dac', broken, 2);

  // a limit on the size of files stands for the full disk: the system refuses to write on in the same place
  const command = ['--import', tsx, child, 'vl-dac', broken, '4'];
  const limited = spawn('sh', ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, ...command], { stdio: 'pipe' });
  const [errors, [code]] = await Promise.all([text(limited.stderr), once(limited, 'close'), text(limited.stdout)]);
  expect(errors).toContain('SAFETENSORS_WRITE_FAILED');
  expect(code).toBe(1);

  expect(await new CheckpointStore(broken).latest()).toBe(join(broken, 'checkpoint-000002'));
  await trainResumable('vl-dac', broken, 4);
  expect(await metricsOf(broken)).toEqual(await metricsOf(whole));
  const checkpoints = async (run: string) => (await readdir(run)).filter((name) => name.includes('checkpoint')).sort();
  expect(await checkpoints(broken)).toEqual(await checkpoints(whole)); // nothing half-written stays
});

describe('train', () => {
  const options = async (others: object = {}) => ({
    policy: await smallPolicy({ seed: 1 }),
    algorithm: vlDac({ rollout: { maxNewTokens: 2 }, optimizer: { epochs: 1 } }),
    makeEnv: () => new CorridorEnv(),
    updates: 1,
    stepsPerUpdate: 4,
    numEnvs: 2,
    seed: 1,
    folder,
    ...others,
  });

  it('refuses a folder that holds a run already', async () => {
    await train(await options());
    await expect(train(await options())).rejects.toMatchObject({ code: 'FOLDER_IN_USE', folder });
    const more = await train(await options({ resume: true, updates: 2 }));
    expect(more).toMatchObject({ updates: 2, environmentSteps: 8 });
  });

  it.each([
    ['seed', { seed: 2 }],
    ['config.rollout.maxNewTokens', { algorithm: vlDac({ rollout: { maxNewTokens: 3 }, optimizer: { epochs: 1 } }) }],
    ['dialogue', { makeEnv: () => new BanditEnv() }],
    ['numEnvs', { numEnvs: 4 }],
  ])('refuses to continue a run of another %s', async (field, others) => {
    await train(await options());
    const resumed = train(await options({ resume: true, ...others }));
    await expect(resumed).rejects.toMatchObject({ code: 'CHECKPOINT_MISMATCH', field });
  });

  /** Changes a file and the checksum beside it: what is left to find is that it makes no sense. */
  const replace = async (path: string, file: string, content: string) => {
    await writeFile(join(path, file), content);
    const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
    const entry = manifest.files.find((each: { path: string }) => each.path === file);
    Object.assign(entry, { bytes: Buffer.byteLength(content), sha256: await sha256OfFile(join(path, file)) });
    await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
  };

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['garbage in state.json', (path) => writeFile(join(path, 'state.json'), '{"identity": {}, "upd')],
    ['garbage in state.json, checksum and all', (path) => replace(path, 'state.json', '<html>')],
    ['a state.json of nothing', (path) => replace(path, 'state.json', 'null')],
    ['a state.json with the wrong structure', (path) => replace(path, 'state.json', '{"identity": [], "update": "x"}')],
    ['a policy.json of nothing', (path) => replace(path, join('policy', 'policy.json'), '{}')],
    ['a flipped bit in the weights', (path) => flipLastBit(join(path, 'policy', 'current-1.safetensors'))],
  ])('continues from the checkpoint before, with a warning, after %s', async (_, damage) => {
    await train(await options({ updates: 2 }));
    const whole = await metricsOf(folder);
    await damage(join(folder, 'checkpoint-000002'));
    const warnings: GymWarning[] = [];
    const before = setWarningSink((warning) => warnings.push(warning));
    try {
      expect(await train(await options({ updates: 2, resume: true }))).toMatchObject({ updates: 2 });
    } finally {
      setWarningSink(before);
    }
    expect(warnings).toMatchObject([{ code: 'CHECKPOINT_DAMAGED' }]);
    expect(await metricsOf(folder)).toEqual(whole);
  });

  it('hashes each file of a checkpoint once: the policy its weights, the run the others', async () => {
    await train(await options());
    const read = async (...path: string[]) =>
      JSON.parse(await readFile(join(folder, 'checkpoint-000001', ...path), 'utf8'));
    const { files } = await read('manifest.json');
    const hashed = (has: boolean) =>
      files.flatMap(({ path, sha256 }: ManifestEntry) => ((sha256 !== undefined) === has ? [path] : []));
    const policy = await read('policy', 'policy.json');
    expect(hashed(true)).toEqual([join('policy', 'policy.json'), 'state.json']);
    expect(hashed(false)).toEqual(
      Object.values<string>(policy.files)
        .map((name) => join('policy', name))
        .sort(),
    );
    expect(Object.keys(policy.sha256)).toEqual(Object.keys(policy.files));
  });

  it('does not begin again in silence where no checkpoint can be read, and touches nothing', async () => {
    await train(await options({ updates: 2 }));
    const metrics = await readFile(join(folder, 'metrics.jsonl'), 'utf8');
    for (const name of ['checkpoint-000001', 'checkpoint-000002'])
      await writeFile(join(folder, name, 'state.json'), '');
    const before = setWarningSink(() => {});
    const resumed = train(await options({ updates: 3, resume: true }));
    await expect(resumed).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED', hint: expect.any(String) });
    setWarningSink(before);
    expect(await readFile(join(folder, 'metrics.jsonl'), 'utf8')).toBe(metrics);
  });

  it('refuses to continue with another model', async () => {
    await train(await options());
    const other = await smallPolicy({ seed: 1, train: { lora: { r: 2, alpha: 4 } } });
    const resumed = train(await options({ resume: true, policy: other }));
    await expect(resumed).rejects.toMatchObject({ code: 'CHECKPOINT_MISMATCH' });
  });

  it('begins the next episode where an environment cannot be restored', async () => {
    class ForgetfulEnv extends CorridorEnv {
      override readonly snapshot = undefined as never;
      override readonly restore = undefined as never;
    }
    const forgetful = { makeEnv: () => new ForgetfulEnv() };
    await train(await options(forgetful));
    const report = await train(await options({ ...forgetful, resume: true, updates: 2 }));
    expect(report.updates).toBe(2);
  });
});
