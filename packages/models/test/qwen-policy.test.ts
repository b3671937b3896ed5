/** Policies of model folders: sampling, scoring and training agree, checkpoints hold what is trained, adapters travel. */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatMessage, Generator, type Image } from '@vlgym/core';
import { noGrad, setNumThreads, tidy } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy, loadPolicy, type VlmPolicy } from '@vlgym/models';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ToyType, writeToyFolder } from '../scripts/toy-folder.js';

vi.setConfig({ testTimeout: 120_000 });
setNumThreads(1);

const TYPES: readonly ToyType[] = ['qwen2_vl', 'qwen2_5_vl', 'qwen3_vl'];
const home = mkdtempSync(join(tmpdir(), 'vlgym-qwen-'));
const folderOf = (type: ToyType) => join(home, type);
beforeAll(async () => {
  for (const type of TYPES) await writeToyFolder(folderOf(type), { type, shards: type === 'qwen2_vl' ? 3 : 1 });
});
afterAll(() => rmSync(home, { recursive: true }));

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

const LORA = { lora: { r: 4, alpha: 8 } } as const;

async function policyOf(type: ToyType, options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const policy = await createPolicy({
    model: folderOf(type),
    seed: 1,
    train: LORA,
    config: { valueHead: [8] },
    ...options,
  });
  open.push(policy);
  return policy;
}

function picture(seed: number, height: number, width: number): Image {
  const rng = new Generator(seed);
  return { data: Uint8Array.from({ length: height * width * 3 }, () => rng.integers(256)), height, width, channels: 3 };
}

const image = (seed: number, height = 56, width = 84) =>
  ({ type: 'image', image: picture(seed, height, width) }) as const;
const text = (words: string) => ({ type: 'text', text: words }) as const;
const chats: readonly (readonly ChatMessage[])[] = [
  [{ role: 'user', content: [image(1), text('Which way?')] }],
  [
    { role: 'user', content: [image(2, 112, 60), text('Look.')] },
    { role: 'assistant', content: 'I see.' },
    { role: 'user', content: [text('And now, with a longer question?'), image(3, 30, 90)] },
  ],
  [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Go on.' },
  ],
];

const sequencesOf = (policy: VlmPolicy) => {
  const { ids: responseIds } = policy.encodeResponse('{"action": "left"}');
  return chats.map((messages) => ({ input: policy.encode(messages), responseIds }));
};

/** One step that makes factors of adapters differ from zero. */
async function train(policy: VlmPolicy, learningRate = 1e-2): Promise<void> {
  await policy.accumulate(sequencesOf(policy), ({ logProbs, values }) =>
    logProbs.sum().neg().add(values.mul(values).sum()),
  );
  await policy.step({ learningRate, maxGradNorm: 1 });
}

describe.each(TYPES)('%s', (type) => {
  it('samples what scoring and training find as likely, with a trained adapter', async () => {
    const policy = await policyOf(type);
    await train(policy);
    const inputs = chats.map((messages) => policy.encode(messages));
    const sampled = await policy.sample(inputs, { maxNewTokens: 12, rng: new Generator(3) });
    const sequences = sampled.map(({ tokenIds }, i) => ({ input: inputs[i]!, responseIds: tokenIds }));
    const { logProbs } = await policy.score(sequences);
    for (const [i, completion] of sampled.entries()) {
      for (const [t, logProb] of completion.logProbs.entries()) expect(logProb).toBeCloseTo(logProbs[i]![t]!, 4);
    }
    let ratios: number[] = [];
    await policy.accumulate(sequences, (outputs) => {
      const longest = outputs.logProbs.shape[1]!;
      const now = outputs.logProbs.toArray() as Float32Array;
      ratios = sequences.flatMap(({ responseIds }, i) =>
        Array.from(responseIds, (_, t) => Math.exp(now[i * longest + t]! - logProbs[i]![t]!)),
      );
      return outputs.logProbs.sum();
    });
    for (const ratio of ratios) expect(ratio).toBeCloseTo(1, 5);
  });

  it('reads a row alone as it does among others', async () => {
    const policy = await policyOf(type, { dtype: 'float64' });
    const sequences = sequencesOf(policy);
    const together = await policy.score(sequences);
    for (const [i, sequence] of sequences.entries()) {
      const alone = await policy.score([sequence]);
      for (const [t, logProb] of alone.logProbs[0]!.entries())
        expect(logProb).toBeCloseTo(together.logProbs[i]![t]!, 6);
    }
  });

  it('keeps adapters, value head and optimizer in a checkpoint, and continues from it bit for bit', async () => {
    const policy = await policyOf(type);
    await train(policy);
    const folder = join(home, `${type}-checkpoint`);
    await policy.save(folder);
    const base = statSync(
      join(folderOf(type), readdirSync(folderOf(type)).find((name) => name.endsWith('.safetensors'))!),
    );
    const current = readdirSync(folder).find((name) => name.startsWith('current'))!;
    const names = noGrad(() => tidy(() => [...policy.adapterState().keys()]));
    expect(names.every((name) => name.includes('.lora_'))).toBe(true);
    expect(statSync(join(folder, current)).size).toBeLessThan(base.size);

    const loaded = await loadPolicy(folder);
    open.push(loaded);
    await train(policy);
    await train(loaded);
    expect(await loaded.weightsDigest()).toBe(await policy.weightsDigest());
  });

  it('gives an adapter that starts another policy where this one is', async () => {
    const policy = await policyOf(type);
    await train(policy);
    const folder = join(home, `${type}-adapter`);
    await policy.saveAdapter(folder);
    const other = await policyOf(type, { adapter: folder, train: undefined as never, seed: 9 });
    const sequences = sequencesOf(policy);
    const [scores, again] = [await policy.score(sequences), await other.score(sequences)];
    expect(again.logProbs).toEqual(scores.logProbs);
    expect(again.values).toEqual(scores.values);
  });

  it('learns with all its weights in a checkpoint too', async () => {
    const policy = await policyOf(type, { train: 'full' });
    const before = await policy.score(sequencesOf(policy));
    await train(policy, 1e-3);
    const folder = join(home, `${type}-full`);
    await policy.save(folder);
    const loaded = await loadPolicy(folder);
    open.push(loaded);
    const after = await loaded.score(sequencesOf(policy));
    expect(after.logProbs).toEqual((await policy.score(sequencesOf(policy))).logProbs);
    expect(after.logProbs).not.toEqual(before.logProbs);
  });

  it.each(['bfloat16', 'float16'] as const)('computes close to float32 in %s, far into a text too', async (dtype) => {
    const [wide, narrow] = [await policyOf(type), await policyOf(type, { dtype })];
    const words = 'turn left and continue, '.repeat(60);
    const sequences = [policySequence(wide, words), ...sequencesOf(wide)];
    const [a, b] = [await wide.score(sequences), await narrow.score(sequences)];
    for (const [i, row] of a.logProbs.entries())
      for (const [t, logProb] of row.entries()) expect(Math.abs(logProb - b.logProbs[i]![t]!)).toBeLessThan(0.25);
  });
});

function policySequence(policy: VlmPolicy, words: string) {
  const { ids: responseIds } = policy.encodeResponse('{"action": "left"}');
  return { input: policy.encode([{ role: 'user', content: words }]), responseIds };
}

describe('weight sets with adapters', () => {
  it('the reference is the folder, the old weights are those of then, and folding moves the reference', async () => {
    const policy = await policyOf('qwen2_5_vl');
    const sequences = sequencesOf(policy);
    const start = await policy.score(sequences);
    await train(policy);
    const first = await policy.score(sequences);
    policy.keepOld();
    await train(policy);
    const old = await policy.score(sequences, { weights: 'old' });
    expect(old.logProbs).toEqual(first.logProbs);
    expect((await policy.score(sequences, { weights: 'reference' })).logProbs).toEqual(start.logProbs);
    const current = await policy.score(sequences);
    expect(current.logProbs).not.toEqual(first.logProbs);

    policy.foldIntoReference();
    const folded = await policy.score(sequences, { weights: 'reference' });
    for (const [i, row] of folded.logProbs.entries())
      for (const [t, logProb] of row.entries()) expect(logProb).toBeCloseTo(current.logProbs[i]![t]!, 4);
    const folder = join(home, 'folded');
    await policy.save(folder);
    const loaded = await loadPolicy(folder);
    open.push(loaded);
    expect((await loaded.score(sequences, { weights: 'reference' })).logProbs).toEqual(folded.logProbs);
  });
});

it('a checkpoint of adapters is refused where its base has changed', async () => {
  const model = join(home, 'changed');
  cpSync(folderOf('qwen3_vl'), model, { recursive: true });
  const policy = await policyOf('qwen3_vl', { model });
  const folder = join(home, 'changed-checkpoint');
  await policy.save(folder);
  await writeToyFolder(model, { type: 'qwen3_vl', seed: 5 });
  await expect(loadPolicy(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_MISMATCH', field: 'baseSha256' });
  // the folder may have moved
  const moved = await loadPolicy(folder, { model: folderOf('qwen3_vl') });
  open.push(moved);
  expect(moved.version).toBe(0);
});
