/** Reading tokens off the event loop leaves it free, and gives the bits of reading them at once. */
import { Generator } from '@vlgym/core';
import { memory, noGrad, setNumThreads, Generator as TensorGenerator } from '@vlgym/gpu';
import { afterAll, describe, expect, it } from 'vitest';
import { BatchBuilder } from '../batch/batch-builder.js';
import { ActorCritic } from '../layers/actor-critic.js';
import { TinyModel } from '../models/tiny/model.js';
import { smallConfig } from '../policy/policy.test-helper.js';
import { generate } from './generate.js';
import { logitOptions } from './process-logits.js';

setNumThreads(1);

const init = { generator: new TensorGenerator(1), dtype: 'float32', device: 'cpu' } as const;
const network = new ActorCritic(new TinyModel(smallConfig, init), init);
const builder = new BatchBuilder(network.language, smallConfig.vocabSize - 1);
afterAll(() => network.dispose());

const prompt = (length: number, step: number) => Int32Array.from({ length }, (_, i) => (7 + i * step) % 1000);
/** The first two share a beginning. */
const rows = [prompt(90, 3), prompt(80, 3), prompt(40, 5)].map((promptIds) => ({ promptIds, images: [] }));

const { language } = network;
const openReader = language.tokenReader!.bind(language);

/** Responses of 24 tokens, and how many were read at once and off the event loop. */
async function sample(asyncThreshold: number, slots = rows.length) {
  const reads = { atOnce: 0, offLoop: 0 };
  language.tokenReader = () => {
    const reader = openReader()!;
    return {
      read: (...given) => {
        reads.atOnce += 1;
        return reader.read(...given);
      },
      readAsync: (...given) => {
        reads.offLoop += 1;
        return reader.readAsync!(...given);
      },
      dispose: () => reader.dispose(),
    };
  };
  const responses = await generate(network, builder, rows, {
    logits: logitOptions({ temperature: 1.2 }),
    maxNewTokens: 24,
    endTokens: new Set(),
    generators: new Generator(5).spawn(rows.length),
    slots,
    use: noGrad,
    asyncThreshold,
  });
  return { responses, reads };
}

describe('a token', () => {
  it.each([3, 1])('is read off the event loop where many rows are, with the same result (slots: %d)', async (slots) => {
    const before = memory().tensors;
    const few = await sample(slots + 1, slots);
    const many = await sample(slots, slots);
    expect(many.responses).toEqual(few.responses);
    const reads = 23 * Math.ceil(rows.length / slots);
    expect(few.reads).toEqual({ atOnce: reads, offLoop: 0 });
    expect(many.reads).toEqual({ atOnce: 0, offLoop: reads });
    expect(memory().tensors).toBe(before);
  });

  it('that cannot be read rejects, and leaves no tensor behind', async () => {
    const before = memory().tensors;
    const bad = [{ promptIds: Int32Array.of(5, smallConfig.vocabSize + 9), images: [] }];
    const plan = { logits: logitOptions({}), maxNewTokens: 4, endTokens: new Set<number>(), use: noGrad };
    await expect(
      generate(network, builder, bad, { ...plan, generators: [new Generator(1)], asyncThreshold: 1 }),
    ).rejects.toMatchObject({ code: 'TORCH_ERROR' });
    expect(memory().tensors).toBe(before);
  });
});
