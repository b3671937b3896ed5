/** Training, scoring and encoding of pictures let the event loop turn, and give what they give where they block it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator, type Image } from '@vlgym/core';
import { memory, setNumThreads, type Tensor } from '@vlgym/gpu';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeToyFolder } from '../../scripts/toy-folder.js';
import type { ForwardContext, LanguageModel } from '../language-model.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { finished, type Steps } from '../layers/steps.js';
import { type CreatePolicyOptions, createPolicy } from './create-policy.js';
import { everything, lora, sequencesOf, smallConfig } from './policy.test-helper.js';
import type { VlmPolicy } from './vlm-policy.js';

setNumThreads(1);

/** So many weights that a batch takes more than a moment. */
const config = { ...smallConfig, hiddenSize: 128, intermediateSize: 1024, numHiddenLayers: 4 };

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function policyOf(options: CreatePolicyOptions): Promise<VlmPolicy> {
  const policy = await createPolicy({ seed: 1, train: lora, ...options });
  open.push(policy);
  return policy;
}

/** Turns of the event loop up to now. */
function turns(): () => number {
  let count = 0;
  let isCounting = true;
  const turn = () => {
    count += 1;
    if (isCounting) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isCounting = false;
    return count;
  };
}

/** Without these methods of the model everything is computed on the thread of JavaScript. */
function block(policy: VlmPolicy): void {
  const { language } = policy.model as ActorCritic;
  const { embed } = language;
  Object.assign(language, {
    // biome-ignore lint/correctness/useYield: all steps at once
    *embed(...given: Parameters<LanguageModel['embed']>): Steps<Tensor> {
      return finished(embed.apply(language, given));
    },
    forwardAsync: undefined,
    outputWeight: undefined,
    parts: undefined,
  });
}

const both = async (options: CreatePolicyOptions) => {
  const [beside, blocking] = [await policyOf({ config, ...options }), await policyOf({ config, ...options })];
  block(blocking);
  return { beside, blocking };
};

const gradients = (policy: VlmPolicy) =>
  [...policy.model.namedParameters()].flatMap(([name, { grad }]) => (grad ? [[name, grad.toNumbers()] as const] : []));

describe.each([
  ['whole distributions', {}],
  ['scores of a few positions at a time', { denseVocabulary: 64 }],
  ['checkpointed activations', { checkpointActivations: true }],
  ['all weights trained', { train: 'full' as const }],
  ['dropout', { train: { lora: { r: 2, alpha: 4, dropout: 0.3 } } }],
])('with %s', (_, options) => {
  it('a training forward leaves the event loop free until the loss, with the same loss and gradients', async () => {
    const { beside, blocking } = await both(options);
    const run = async (policy: VlmPolicy) => {
      let before = 0;
      let loss = 0;
      // twice: a thread that waits for its processor may find the work of the other done
      for (let i = 0; i < 2; i += 1) {
        const turned = turns();
        loss = await policy.accumulate(sequencesOf(policy), (outputs) => {
          before += turned();
          return everything(outputs);
        });
      }
      return { loss, before, gradients: gradients(policy) };
    };
    const [a, b] = [await run(beside), await run(blocking)];
    expect(a.loss).toBe(b.loss);
    expect(a.gradients.length).toBeGreaterThan(10);
    expect(a.gradients).toEqual(b.gradients);
    expect(b.before).toBe(0);
    expect(a.before).toBeGreaterThan(0);
  });

  it('scores are the same, bit for bit, and nothing is left behind', async () => {
    const { beside, blocking } = await both(options);
    const before = memory().tensors;
    const scored = (policy: VlmPolicy) => policy.score(sequencesOf(policy), { temperature: 0.8 });
    expect(await scored(beside)).toEqual(await scored(blocking));
    expect(memory().tensors).toBe(before);
  });
});

it('a loss that fails frees everything', async () => {
  const { beside } = await both({ denseVocabulary: 64 });
  const before = memory().tensors;
  const fail = () => {
    throw new RangeError('no loss');
  };
  await expect(beside.accumulate(sequencesOf(beside), fail)).rejects.toThrow('no loss');
  expect(memory().tensors).toBe(before);
});

describe('a vision encoder', () => {
  const home = mkdtempSync(join(tmpdir(), 'vlgym-turns-'));
  beforeAll(() => writeToyFolder(join(home, 'toy'), { type: 'qwen3_vl' }));
  afterAll(() => rmSync(home, { recursive: true }));

  it('lets the event loop turn between its layers, with the same tokens', async () => {
    const rng = new Generator(1);
    const data = Uint8Array.from({ length: 56 * 84 * 3 }, () => rng.integers(256));
    const image: Image = { data, height: 56, width: 84, channels: 3 };
    const answers = async (options: CreatePolicyOptions) => {
      const policy = await policyOf({ model: join(home, 'toy'), config: { valueHead: [4] }, ...options });
      const content = [
        { type: 'image', image },
        { type: 'text', text: 'Which way?' },
      ] as const;
      const input = policy.encode([{ role: 'user', content }]);
      const turned = turns();
      const answer = await policy.sample([input], { maxNewTokens: 1, rng: new Generator(1) });
      return { answer, turns: turned() };
    };
    const kept = await answers({});
    const encodedEachTime = await answers({ imageCacheBytes: 0 });
    expect(kept.answer).toEqual(encodedEachTime.answer);
    expect(Math.min(kept.turns, encodedEachTime.turns)).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['trained', { train: 'full' as const }],
    ['with checkpointed activations', { train: 'full' as const, checkpointActivations: true }],
  ])('%s: the event loop turns before the decoder begins', async (_, options) => {
    const { beside } = await both(options);
    const { language } = beside.model as ActorCritic;
    const turned = turns();
    const begun: number[] = [];
    const { forwardAsync, parts } = language;
    Object.assign(language, {
      forwardAsync: (...given: Parameters<typeof forwardAsync & object>) => {
        begun.push(turned());
        return forwardAsync!.apply(language, given);
      },
      parts: (context: ForwardContext) =>
        parts!.call(language, context).map((part, i) => ({
          ...part,
          run: (inputs: readonly Tensor[]) => {
            if (i === 0) begun.push(turned());
            return part.run(inputs);
          },
        })),
    });
    await beside.accumulate(sequencesOf(beside), everything);
    expect(begun[0]).toBeGreaterThanOrEqual(2);
    const vision = gradients(beside).filter(([name]) => name.includes('visual.'));
    expect(vision.length).toBeGreaterThan(10);
  });
});
