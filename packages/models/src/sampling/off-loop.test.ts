/** Long forwards leave the event loop free, and give the bits of those that block it. */
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

/** Responses of 24 tokens, and turns of the event loop until they were there. */
async function sample(tokensOffLoop: number, slots = rows.length) {
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const responses = await generate(network, builder, rows, {
    logits: logitOptions({ temperature: 1.2 }),
    maxNewTokens: 24,
    endTokens: new Set(),
    generators: new Generator(5).spawn(rows.length),
    slots,
    use: noGrad,
    tokensOffLoop,
  });
  isDone = true;
  return { responses, turns };
}

describe('a long forward', () => {
  it.each([3, 1])(
    'runs next to the event loop, one for every token, with the same result (slots: %d)',
    async (slots) => {
      const before = memory().tensors;
      const blocking = await sample(Number.POSITIVE_INFINITY, slots);
      const beside = await sample(1, slots);
      expect(beside.responses).toEqual(blocking.responses);
      const reads = 23 * Math.ceil(rows.length / slots);
      // reads that end before the loop turns share a turn
      expect(beside.turns).toBeGreaterThan(reads / 2);
      expect(blocking.turns).toBeLessThan(reads / 2);
      expect(memory().tensors).toBe(before);
    },
  );

  it('that fails rejects, and leaves no tensor behind', async () => {
    const before = memory().tensors;
    const bad = [{ promptIds: Int32Array.of(5, smallConfig.vocabSize + 9), images: [] }];
    const plan = { logits: logitOptions({}), maxNewTokens: 4, endTokens: new Set<number>(), use: noGrad };
    await expect(
      generate(network, builder, bad, { ...plan, generators: [new Generator(1)], tokensOffLoop: 1 }),
    ).rejects.toMatchObject({ code: 'TORCH_ERROR' });
    expect(memory().tensors).toBe(before);
  });
});
