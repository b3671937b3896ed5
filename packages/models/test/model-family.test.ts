/** A family of models comes from outside of this package, without an edit in it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatMessage, Generator } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy, loadPolicy, registerModelFamily, type VlmPolicy } from '@vlgym/models';
import { afterEach, describe, expect, it } from 'vitest';
import { toyFamily } from './toy-family.js';

setNumThreads(1);
registerModelFamily(toyFamily);

const red = { data: new Uint8Array(12).fill(200), height: 2, width: 2, channels: 3 } as const;
const chats: readonly (readonly ChatMessage[])[] = [
  [{ role: 'user', content: 'Which way?' }],
  [
    {
      role: 'user',
      content: [
        { type: 'image', image: red },
        { type: 'text', text: 'And now, with a longer question?' },
      ],
    },
  ],
];

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function toyPolicy(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const policy = await createPolicy({ preset: 'toy-small', seed: 1, ...options });
  open.push(policy);
  return policy;
}

function sequencesOf(policy: VlmPolicy) {
  const { ids: responseIds } = policy.encodeResponse('left');
  return chats.map((messages) => ({ input: policy.encode(messages), responseIds }));
}

describe.each([
  ['all weights', 'full'],
  ['adapters', { lora: { r: 2, alpha: 4 } }],
] as const)('a model family from outside, training %s', (_, train) => {
  it('samples what scoring then finds as likely, with prompts of unequal length', async () => {
    const policy = await toyPolicy({ train });
    const inputs = chats.map((messages) => policy.encode(messages));
    const sampled = await policy.sample(inputs, { maxNewTokens: 12, rng: new Generator(3) });
    const sequences = sampled.map(({ tokenIds }, i) => ({ input: inputs[i]!, responseIds: tokenIds }));
    const { logProbs, values } = await policy.score(sequences);
    for (const [i, completion] of sampled.entries()) {
      expect(completion.value).toBeCloseTo(values[i]!, 5);
      for (const [t, logProb] of completion.logProbs.entries()) expect(logProb).toBeCloseTo(logProbs[i]![t]!, 4);
    }
  });

  it('attends to its sliding window, and to nothing before it', async () => {
    const policy = await toyPolicy({ train });
    const { ids: responseIds } = policy.encodeResponse('left');
    const logProbs = async (changed?: number) => {
      const promptIds = Int32Array.from({ length: 40 }, (_, i) => 100 + i + (i === changed ? 300 : 0));
      const { logProbs } = await policy.score([
        { input: { promptIds, images: [] }, responseIds: responseIds.slice(0, 1) },
      ]);
      return logProbs[0];
    };
    // the last token of the prompt predicts the response: it sees columns 24 to 39
    const [unchanged, outside, inside] = [await logProbs(), await logProbs(23), await logProbs(24)];
    expect(outside).toEqual(unchanged);
    expect(inside).not.toEqual(unchanged);
  });

  it('learns from one training step', async () => {
    const policy = await toyPolicy({ train });
    const loss = () => policy.accumulate(sequencesOf(policy), ({ logProbs }) => logProbs.sum().neg());
    const before = await loss();
    await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
    expect(policy.version).toBe(1);
    expect(await loss()).toBeLessThan(before);
  });

  it('comes back from a checkpoint, which a policy of another family refuses', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-family-'));
    const policy = await toyPolicy({ train });
    await policy.accumulate(sequencesOf(policy), ({ logProbs }) => logProbs.sum().neg());
    await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
    await policy.save(folder);
    const loaded = await loadPolicy(folder);
    open.push(loaded);
    expect(await loaded.weightsDigest()).toBe(await policy.weightsDigest());
    const tiny = await createPolicy({ train });
    open.push(tiny);
    await expect(tiny.load(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_MISMATCH', field: 'family' });
    await rm(folder, { recursive: true });
  });
});

describe('the names of families and presets', () => {
  it('are found by either option, and by both together', async () => {
    for (const options of [{ family: 'toy' }, { preset: 'toy-small' }, { family: 'toy', preset: 'toy-small' }]) {
      const policy = await createPolicy(options);
      open.push(policy);
      expect(policy.name).toBe('toy-small');
    }
  });

  it.each([
    [{ preset: 'toy-smal' }, 'did you mean "toy-small"?'],
    [{ family: 'toys' }, 'did you mean "toy"?'],
    [{ family: 'toy', preset: 'tiny' }, 'registerModelFamily'],
  ])('that are unknown are refused with the next step: %j', async (options, hint) => {
    await expect(createPolicy(options)).rejects.toMatchObject({
      code: 'UNKNOWN_MODEL',
      hint: expect.stringContaining(hint),
    });
  });

  it('belong to one family: another object under the same name is refused, the same object is not', () => {
    expect(() => registerModelFamily(toyFamily)).not.toThrow();
    for (const family of [{ ...toyFamily }, { ...toyFamily, name: 'other' }]) {
      expect(() => registerModelFamily(family)).toThrow(expect.objectContaining({ code: 'MODEL_FAMILY_EXISTS' }));
    }
  });

  it('are needed to describe a model: a configuration that does not fit the family is refused', async () => {
    await expect(createPolicy({ family: 'toy', config: { vocabSize: -1 } })).rejects.toMatchObject({
      code: 'MODEL_CONFIG_INVALID',
    });
  });
});
