/** A warm start with adapters: the base stays what its folder holds, and an adapter is all of the policy. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { sha256OfFile } from '@vlgym/core/internal';
import { memory, noGrad, type Parameter, safetensors, setNumThreads, type Tensor } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy, loadPolicy, type VlmPolicy } from '@vlgym/models';
import type { WeightSet } from '@vlgym/rl';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeToyFolder } from '../scripts/toy-folder.js';
import { largestDifference } from '../src/policy/policy.test-helper.js';

vi.setConfig({ testTimeout: 120_000 });
setNumThreads(1);

const home = mkdtempSync(join(tmpdir(), 'vlgym-warm-'));
const model = join(home, 'model');
beforeAll(() => writeToyFolder(model));
afterAll(() => rmSync(home, { recursive: true }));
const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});
const opened = (policy: VlmPolicy) => {
  open.push(policy);
  return policy;
};

const lora = { r: 4, alpha: 8 };

async function fresh(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  return opened(await createPolicy({ model, seed: 1, train: { lora }, config: { valueHead: [8] }, ...options }));
}

const sequencesOf = (policy: VlmPolicy) =>
  ['What is 3 + 4?', 'Look, and then turn.'].map((content) => ({
    input: policy.encode([{ role: 'user', content }]),
    responseIds: policy.encodeResponse('{"action": "left"}').ids,
  }));
const scoresOf = async (policy: VlmPolicy, weights: WeightSet = 'current') =>
  (await policy.score(sequencesOf(policy), { weights })).logProbs.flatMap((row) => [...row]);

async function train(policy: VlmPolicy, learningRate = 1e-2): Promise<void> {
  await policy.accumulate(sequencesOf(policy), ({ logProbs }) => logProbs.sum().neg());
  await policy.step({ learningRate, maxGradNorm: 1 });
}

/** A policy right after its warm start. */
async function warm(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const policy = await fresh(options);
  await train(policy);
  await train(policy);
  policy.foldIntoReference();
  return policy;
}

const baseOf = (policy: VlmPolicy): [string, Parameter][] =>
  [...policy.model.namedParameters()].filter(([name]) => !/lora_|value_?head/i.test(name));

/** The base as the folder holds it. */
let published: ReadonlyMap<string, Tensor>;
beforeAll(async () => {
  const policy = await createPolicy({ model, train: { lora } });
  published = new Map(baseOf(policy).map(([name, parameter]) => [name, parameter.detach().clone()]));
  policy.close();
});

/** Names of tensors of the base that are not, bit for bit, those of the folder. */
const changedTensors = (policy: VlmPolicy): string[] =>
  baseOf(policy).flatMap(([name, parameter]) => (parameter.equal(published.get(name)!) ? [] : [name]));

it('leaves every tensor of the base as its folder holds it', async () => {
  const policy = await warm();
  expect(baseOf(policy).length).toBeGreaterThan(20);
  expect(changedTensors(policy)).toEqual([]);
  await train(policy);
  policy.foldIntoReference();
  expect(changedTensors(policy)).toEqual([]);
});

it('is lost in no published adapter: the folder with it gives the log-probs of the learner', async () => {
  const policy = await warm();
  const base = await scoresOf(await fresh());
  for (const when of ['right after the warm start', 'after an update']) {
    const folder = join(home, when.replaceAll(' ', '-'));
    await policy.saveAdapter(folder);
    const config = JSON.parse(readFileSync(join(folder, 'adapter_config.json'), 'utf8'));
    expect(config).toMatchObject({ r: 8, lora_alpha: 16, rank_pattern: {}, alpha_pattern: {}, use_rslora: false });
    const served = opened(await createPolicy({ model, adapter: folder, config: { valueHead: [8] } }));
    const [ours, theirs] = [await scoresOf(policy), await scoresOf(served)];
    expect(largestDifference(ours, theirs), when).toBeLessThan(1e-5);
    expect(largestDifference(ours, base), when).toBeGreaterThan(0.1);
    await train(policy);
  }
});

it.each([
  ['rank-stabilized', { rankStabilized: true }],
  ['of several ranks', { rankPattern: { 'self_attn.k_proj': 2 }, alphaPattern: { down_proj: 5 } }],
])('is whole in adapters %s', async (name, options) => {
  const policy = await warm({ train: { lora: { ...lora, ...options } } });
  await train(policy);
  const folder = join(home, name.replaceAll(' ', '-'));
  await policy.saveAdapter(folder);
  const served = opened(await createPolicy({ model, adapter: folder, config: { valueHead: [8] } }));
  expect(largestDifference(await scoresOf(policy), await scoresOf(served))).toBeLessThan(1e-5);
});

describe('the sets of weights behind a warm start', () => {
  it('are θ_0 for reference and teacher, and the whole policy for current and old', async () => {
    const policy = await warm();
    const start = await scoresOf(policy);
    policy.keepOld();
    for (const set of ['reference', 'teacher', 'old'] as const) {
      expect(largestDifference(await scoresOf(policy, set), start), set).toBeLessThan(1e-5);
    }
    await train(policy);
    expect(largestDifference(await scoresOf(policy), start)).toBeGreaterThan(1e-2);
    for (const set of ['reference', 'teacher', 'old'] as const) {
      expect(largestDifference(await scoresOf(policy, set), start), set).toBeLessThan(1e-5);
    }
  });

  it('a merged teacher is θ_0 and the task vectors: all of them give the policy, one of them leaves the rest at θ_0', async () => {
    const policy = await warm({ dtype: 'float64' });
    const start = await scoresOf(policy);
    await train(policy);
    const state = policy.adapterState();
    const alive = memory().tensors;
    policy.setTeacher(policy.adaptedNames.map((name) => [name, policy.delta(state, name)] as const));
    expect(largestDifference(await scoresOf(policy, 'teacher'), await scoresOf(policy))).toBeLessThan(1e-5);
    const checkpoint = join(home, 'teacher');
    await policy.save(checkpoint);
    const loaded = opened(await loadPolicy(checkpoint));
    expect(await scoresOf(loaded, 'teacher')).toEqual(await scoresOf(policy, 'teacher'));

    const [one] = policy.adaptedNames;
    policy.setTeacher([[one!, policy.delta(state, one!)]]);
    const near = largestDifference(await scoresOf(policy, 'teacher'), start);
    expect(near).toBeGreaterThan(0);
    expect(near).toBeLessThan(largestDifference(await scoresOf(policy), start));
    policy.setTeacher([]);
    expect(await scoresOf(policy, 'teacher')).toEqual(await scoresOf(policy, 'reference'));
    for (const tensor of state.values()) tensor.dispose();
    loaded.close();
    open.splice(open.indexOf(loaded), 1);
    expect(memory().tensors).toBeLessThanOrEqual(alive);
  });

  it('training sees what sampling and scoring see, with checkpointed activations and with dropout off', async () => {
    for (const options of [{}, { checkpointActivations: true }, { samplerDtype: 'bfloat16' }] as const) {
      const policy = await warm(options);
      await train(policy);
      const sequences = sequencesOf(policy);
      const { logProbs } = await policy.score(sequences);
      let seen: number[] = [];
      await policy.accumulate(sequences, (outputs) => {
        seen = Array.from(outputs.logProbs.toArray() as Float32Array);
        return outputs.logProbs.sum();
      });
      expect(
        largestDifference(
          seen,
          logProbs.flatMap((row) => [...row]),
        ),
      ).toBeLessThan(1e-4);
      const input = sequences[0]!.input;
      const [sampled] = await policy.sample([input], { maxNewTokens: 6, rng: new Generator(3) });
      const scored = await policy.score([{ input, responseIds: sampled!.tokenIds }]);
      const tolerance = 'samplerDtype' in options ? 0.2 : 1e-4;
      expect(largestDifference(sampled!.logProbs, scored.logProbs[0]!)).toBeLessThan(tolerance);
    }
  });
});

describe('a checkpoint behind a warm start', () => {
  it('holds the start and not the base, and continues bit for bit', async () => {
    const policy = await warm();
    await train(policy);
    const folder = join(home, 'checkpoint');
    await policy.save(folder);
    const current = safetensors.load(join(folder, 'current-1.safetensors'));
    const names = [...current.keys()];
    for (const tensor of current.values()) tensor.dispose();
    expect(names.filter((name) => name.includes('start_A'))).toHaveLength(policy.adaptedNames.length);
    expect(names.filter((name) => policy.adaptedNames.includes(name))).toEqual([]);

    const loaded = opened(await loadPolicy(folder));
    expect(await scoresOf(loaded, 'reference')).toEqual(await scoresOf(policy, 'reference'));
    await train(policy);
    await train(loaded);
    expect(await loaded.weightsDigest()).toBe(await policy.weightsDigest());
    await loaded.load(folder);
    expect(await loaded.weightsDigest()).not.toBe(await policy.weightsDigest());
  });

  it('that another run starts from is its θ_0, whether it was folded or not', async () => {
    const policy = await warm();
    await train(policy);
    const folder = join(home, 'start');
    await policy.save(folder);
    const other = await fresh({ seed: 2 });
    await other.load(folder, { weightsOnly: true });
    const trained = await scoresOf(policy);
    for (const set of ['current', 'reference', 'teacher'] as const) {
      expect(largestDifference(await scoresOf(other, set), trained), set).toBeLessThan(1e-5);
    }
    const adapter = join(home, 'start-adapter');
    await other.saveAdapter(adapter);
    const served = opened(await createPolicy({ model, adapter, config: { valueHead: [8] } }));
    expect(largestDifference(await scoresOf(served), trained)).toBeLessThan(1e-5);
  });

  it('with factors of a shape that does not fit is refused', async () => {
    const policy = await warm();
    const folder = join(home, 'broken');
    await policy.save(folder);
    await rewriteCurrent(folder, (tensors) => {
      const name = [...tensors.keys()].find((key) => key.includes('start_B'))!;
      tensors.set(name, tensors.get(name)!.narrow(1, 0, 2).contiguous());
    });
    await expect(policy.load(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_MISMATCH' });
  });
});

/** Changes the tensors of a checkpoint, and its checksum with them. */
async function rewriteCurrent(folder: string, change: (tensors: Map<string, Tensor>) => void): Promise<void> {
  const path = join(folder, 'current-1.safetensors');
  const tensors = safetensors.load(path);
  noGrad(() => change(tensors));
  await safetensors.save(path, tensors);
  for (const tensor of tensors.values()) tensor.dispose();
  const manifest = JSON.parse(readFileSync(join(folder, 'policy.json'), 'utf8'));
  manifest.sha256.current = await sha256OfFile(path);
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(manifest));
}

describe('the whole model as a folder', () => {
  it('gives the log-probs of the policy, and is the base but for the matrices that were trained', async () => {
    const policy = await warm();
    await train(policy);
    const folder = join(home, 'whole');
    await policy.saveMerged(folder);
    const merged = opened(await createPolicy({ model: folder, config: { valueHead: [8] }, keepReference: false }));
    expect(largestDifference(await scoresOf(merged), await scoresOf(policy))).toBeLessThan(1e-4);
    expect(readdirSync(folder).sort()).toEqual(readdirSync(model).sort());
    const [before, after] = [model, folder].map((path) => safetensors.load(join(path, 'model.safetensors')));
    const changed = [...before!].flatMap(([name, tensor]) => (tensor.equal(after!.get(name)!) ? [] : [name]));
    expect(changed).toHaveLength(policy.adaptedNames.length);
    for (const tensor of [...before!.values(), ...after!.values()]) tensor.dispose();
    await expect(policy.saveMerged(folder)).rejects.toMatchObject({ code: 'FOLDER_EXISTS' });
  });

  it('holds all weights where all are trained, in as many files as the base', async () => {
    const sharded = join(home, 'sharded');
    await writeToyFolder(sharded, { type: 'qwen2_vl', shards: 3 });
    const policy = await fresh({ model: sharded, train: 'full' });
    await train(policy, 1e-3);
    const folder = join(home, 'whole-sharded');
    await policy.saveMerged(folder);
    const merged = opened(await createPolicy({ model: folder, config: { valueHead: [8] }, keepReference: false }));
    expect(largestDifference(await scoresOf(merged), await scoresOf(policy))).toBeLessThan(1e-5);
    expect(readdirSync(folder).sort()).toEqual(readdirSync(sharded).sort());
  });

  it('is refused for weights that were drawn at random', async () => {
    const policy = opened(await createPolicy());
    await expect(policy.saveMerged(join(home, 'no'))).rejects.toMatchObject({ code: 'NO_MODEL_FOLDER' });
  });
});

describe('an adapter is refused where it is not all of the policy', () => {
  it('of a warm start that an older version merged into the base', async () => {
    const policy = await fresh();
    const folder = join(home, 'merged');
    await policy.save(folder);
    await rewriteCurrent(folder, (tensors) => {
      for (const [name, tensor] of safetensors.load(join(model, 'model.safetensors'))) {
        const internal = name.replace(/^model\./, 'model.language_model.').replace(/^visual\./, 'model.visual.');
        tensors.set(name === 'lm_head.weight' ? name : internal, tensor.add(0.01).detach());
      }
    });
    const merged = opened(await loadPolicy(folder));
    expect(largestDifference(await scoresOf(merged), await scoresOf(policy))).toBeGreaterThan(1e-3);
    await expect(merged.saveAdapter(join(home, 'no'))).rejects.toMatchObject({ code: 'ADAPTER_INCOMPLETE' });
    const whole = join(home, 'merged-whole');
    await merged.saveMerged(whole);
    const same = opened(await createPolicy({ model: whole, config: { valueHead: [8] }, keepReference: false }));
    expect(largestDifference(await scoresOf(same), await scoresOf(merged))).toBeLessThan(1e-4);
  });

  it('of a base that was drawn at random', async () => {
    const policy = opened(await createPolicy({ train: { lora } }));
    await expect(policy.saveAdapter(join(home, 'no'))).rejects.toMatchObject({ code: 'ADAPTER_INCOMPLETE' });
  });
});
