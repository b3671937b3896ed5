/** A real vLLM as the sampler of VL-DAC from a warm start: cut off, resumed, asynchronous, and beyond the tolerance. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setNumThreads } from '@vlgym/gpu';
import { loadPolicy } from '@vlgym/models';
import { VllmEngine } from '@vlgym/queue/engines';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CommandResult, vlgym } from '../support/vlgym.js';
import { compare, largest, peftScores, RANK, TOLERANCE } from './policies.js';
import { home, modelFolder, type RealServer, reason, startVllm } from './servers.js';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 7_200_000 });

const SETTINGS = {
  value: { warmupUpdates: 0 },
  optimizer: { epochs: 1, batch: 2, microBatch: 1 },
  rollout: { maxNewTokens: 16 },
};

describe.skipIf(home === undefined)(`training with a real vLLM${reason}`, () => {
  let server: RealServer;
  let engine: VllmEngine;
  let work = '';
  let run = '';
  let adapters = '';
  /** The adapter of the second update. */
  let newest = '';
  let cutOff: CommandResult;
  let resumed: CommandResult;

  const train = (folder: string, more: readonly string[], options: Parameters<typeof vlgym>[1] = {}) =>
    vlgym(
      [
        ...['train', 'vl-dac', '--env', 'vlgym/EZPoints-v1', '--env-options', '{"maxSteps":2}', '--model', modelFolder],
        ...['--lora-rank', String(RANK), '--dtype', 'float32', '--num-envs', '2'],
        ...['--steps-per-update', '2', '--updates', '2', '--evaluation-episodes', '1', '--threads', '1'],
        ...['--set', JSON.stringify(SETTINGS), '--sampler', server.url, '--folder', join(work, folder), ...more],
      ],
      options,
    );

  /** Kills the run when the server has the adapter of the second update, before that update is in a checkpoint. */
  const killInSecondUpdate: NonNullable<Parameters<typeof vlgym>[1]>['started'] = (child) => {
    const watch = async () => {
      while (child.exitCode === null && child.signalCode === null) {
        const served = await engine.models(AbortSignal.timeout(60_000)).catch(() => []);
        if (served.filter(({ name }) => name.startsWith('policy-')).length === 2) child.kill('SIGKILL');
        await sleep(100);
      }
    };
    void watch();
  };

  beforeAll(async () => {
    setNumThreads(1);
    work = mkdtempSync(join(tmpdir(), 'vlgym-real-'));
    run = join(work, 'run');
    adapters = join(work, 'adapters');
    server = await startVllm(modelFolder);
    engine = new VllmEngine({ url: server.url, limitMs: 3_600_000 });
    const flags = ['--adapters', adapters, '--warm-start-examples', '1'];
    cutOff = await train('run', flags, { started: killInSecondUpdate });
    newest = readdirSync(adapters).sort().at(-1)!;
    resumed = await train('run', [...flags, '--resume']);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it('computes the policy of the learner right after the warm start', () => {
    expect(cutOff.stderr).toMatch(/computes the learner's policy: k3 \S+ over \d+ tokens/);
    expect(cutOff.code).toBeNull();
  });

  it('goes on after it was cut off, from a folder of its own for a version that was published before', async () => {
    expect(resumed).toMatchObject({ code: 0 });
    const path = join(adapters, `${newest}.2`);
    expect(existsSync(path)).toBe(true);
    expect(await engine.models(AbortSignal.timeout(600_000))).toContainEqual({ name: newest, path });
  });

  it('has the warm start from the first token on: k3 below 1e-3', () => {
    const updates = readFileSync(join(run, 'metrics.jsonl'), 'utf8').trim().split('\n');
    const metrics = updates.map((line) => JSON.parse(line).metrics).filter((each) => 'mismatch/k3' in each);
    expect(metrics).toHaveLength(2);
    for (const each of metrics) {
      expect(each['queue/probe-k3']).toBeLessThan(1e-3);
      expect(each['mismatch/k3']).toBeLessThan(1e-3);
    }
  });

  it('serves adapters that change log-probs, and that peft computes as we do', async () => {
    const adapterFolder = join(adapters, `${newest}.2`);
    const config = JSON.parse(readFileSync(join(adapterFolder, 'adapter_config.json'), 'utf8'));
    expect(config).toMatchObject({ r: 2 * RANK, base_model_name_or_path: modelFolder });
    const policy = await loadPolicy(join(run, 'checkpoint-000001', 'policy'));
    const { input, tokenIds, served, ours } = await compare(engine, policy, { model: newest });
    policy.close();
    expect(largest(served, ours)).toBeLessThan(TOLERANCE);
    const { base, adapter } = await peftScores(adapterFolder, input.promptIds, tokenIds);
    expect(largest(ours, adapter)).toBeLessThan(TOLERANCE);
    expect(largest(base, adapter)).toBeGreaterThan(2 * TOLERANCE);
  });

  it('plays ahead of the learner, on the server that another run used before', async () => {
    const { code } = await train('ahead', ['--start', join(run, 'start'), '--max-staleness', '1']);
    expect(code).toBe(0);
    expect(readdirSync(join(work, 'ahead', 'adapters'))).toHaveLength(2);
    const updates = readFileSync(join(work, 'ahead', 'metrics.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const metrics = updates.map((line) => JSON.parse(line).metrics).filter((each) => 'mismatch/k3' in each);
    expect(metrics.map((each) => each['async/staleness-max'])).toEqual([0, 1]);
    for (const each of metrics) expect(each['queue/probe-k3']).toBeLessThan(1e-3);
  });

  it('is stopped beyond the tolerance that is stated', async () => {
    const { code, stderr } = await train('refused', ['--start', join(run, 'start'), '--probe-tolerance', '1e-20']);
    expect(stderr).toContain('SAMPLER_DIFFERS');
    expect(code).toBe(1);
  });
});
