/**
 * Measures the cost of a policy of the `tiny` preset: one sample call, one scoring and one `accumulate` over 64 pictures of
 * 84 × 112.
 *
 *     npx tsx packages/models/bench/policy.ts [threads]
 *
 * Prompts are about 41 tokens, 12 of them the picture's, responses 36. Untrained weights end no response early, so every
 * row decodes to the end. Minimum and median of eight calls after two to warm up, and processor time per call.
 */
import { Generator, type Image } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '../src/index.js';

const ROWS = 64;
const ROUNDS = 8;

const threads = Number(process.argv[2] ?? 1);
setNumThreads(threads);
const policy = await createPolicy({ preset: 'tiny', seed: 1 });
const rng = new Generator(1);

function noise(): Image {
  return {
    data: Uint8Array.from({ length: 84 * 112 * 3 }, () => rng.integers(256)),
    height: 84,
    width: 112,
    channels: 3,
  };
}

const inputs = Array.from({ length: ROWS }, (_, i) => {
  const text = `\nMake 12. Formula: "${'4*'.repeat(i % 3)}". JSON keys: cards, formula, thoughts, action.`;
  return policy.encode([
    {
      role: 'user',
      content: [
        { type: 'image', image: noise() },
        { type: 'text', text },
      ],
    },
  ]);
});
const answer = '{"cards": [10, 2, 4, 7], "formula": "(10*", "thoughts": "10+2=12", "action": "10"}';
const { ids: responseIds } = policy.encodeResponse(answer);
const sequences = inputs.map((input) => ({ input, responseIds }));
const tokens = responseIds.length;

async function measure(name: string, call: () => Promise<unknown>, perCall: number): Promise<void> {
  await call();
  await call();
  const before = process.cpuUsage();
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const [minimum, median] = [times[0]!, times[ROUNDS >> 1]!];
  const rate = Math.round((1000 * perCall) / minimum);
  console.log(
    `${name.padEnd(28)} ${minimum.toFixed(0).padStart(5)} ${median.toFixed(0).padStart(7)} ms ${((user + system) / 1000 / ROUNDS).toFixed(0).padStart(7)} ms ${String(rate).padStart(8)}`,
  );
}

console.log(`${threads} thread(s), ${ROWS} rows, prompt ${inputs[0]!.promptIds.length} tokens, response ${tokens}`);
console.log(`${''.padEnd(28)}   min  median    processor  tokens/s`);
await measure('sample', () => policy.sample(inputs, { maxNewTokens: tokens, rng: new Generator(1) }), ROWS * tokens);
await measure('  of it, first token', () => policy.sample(inputs, { maxNewTokens: 1, rng: new Generator(1) }), ROWS);
await measure('score', () => policy.score(sequences), ROWS * tokens);
await measure('accumulate', () => policy.accumulate(sequences, ({ logProbs }) => logProbs.sum().neg()), ROWS * tokens);
await policy.step({ learningRate: 1e-4, maxGradNorm: 1 });
policy.close();
