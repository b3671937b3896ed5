/** The families agree with huggingface/transformers and peft. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Generator } from '@vlgym/core';
import { safetensors, setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '@vlgym/models';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { compareFolder } from '../scripts/golden/compare.js';
import { Fixture, readCases } from '../scripts/golden/fixture.js';
import { Report } from '../scripts/golden/report.js';

vi.setConfig({ testTimeout: 300_000 });
setNumThreads(1);

const root = fileURLToPath(new URL('../../..', import.meta.url));
const kept = join(root, 'test/golden/vlm');
const keptText = join(root, 'test/golden/text-models');
const keptTiles = join(root, 'test/golden/tile-models');
const whole = join(root, '../shared/golden/vlm');

async function compare(folder: string): Promise<{ report: Report; failures: string[] }> {
  const failures: string[] = [];
  const report = new Report({ print: (line) => failures.push(line) });
  await compareFolder(folder, report);
  return { report, failures };
}

it('the families agree with the golden data of the repository', async () => {
  const { report, failures } = await compare(kept);
  expect(failures).toEqual([]);
  expect(report.passed).toBeGreaterThan(1_000);
});

it('the families that read text only agree with the golden data of the repository', async () => {
  const { report, failures } = await compare(keptText);
  expect(failures).toEqual([]);
  expect(report.passed).toBeGreaterThan(500);
});

it('the families that read tiles agree with the golden data of the repository', async () => {
  const { report, failures } = await compare(keptTiles);
  expect(failures).toEqual([]);
  expect(report.passed).toBeGreaterThan(600);
});

it.skipIf(!existsSync(whole))(
  `the families agree with the whole set of golden data${existsSync(whole) ? '' : ' (skipped: it is not next to the repository)'}`,
  async () => {
    const { report, failures } = await compare(whole);
    expect(failures).toEqual([]);
    expect(report.passed).toBeGreaterThan(2_800);
  },
);

describe.each(
  [kept, keptText, keptTiles].flatMap((folder) =>
    Object.entries(readCases(folder).families).map(([name, family]) => ({ name, folder, family })),
  ),
)('a policy of $name', ({ folder, family }) => {
  // the last: a decoding with its own rounding in the type's 8 bits
  it.each([
    ['float32', 1e-5],
    ['float64', 1e-6],
    ['bfloat16', 0.1],
  ] as const)(
    'samples log-probs in %s that are at most 0, and those of a forward with gradients',
    async (dtype, bound) => {
      const fixture = new Fixture(folder, family);
      const options = { dtype, config: { valueHead: [4] }, train: { lora: { r: 2, alpha: 4 } } } as const;
      const policy = await createPolicy({ model: fixture.model, ...options });
      const inputs = family.generate.greedy.prompts
        .slice(0, 2)
        .map((prompt) => policy.encode(fixture.messages(prompt)));
      const sampled = await policy.sample(inputs, { maxNewTokens: 3, rng: new Generator(3) });
      const sequences = sampled.map(({ tokenIds }, i) => ({ input: inputs[i]!, responseIds: tokenIds }));
      await policy.accumulate(sequences, ({ logProbs }) => {
        const [trained, longest] = [logProbs.toArray() as Float64Array, logProbs.shape[1]!];
        for (const [row, { logProbs: own }] of sampled.entries())
          for (const [at, logProb] of own.entries()) {
            expect(logProb).toBeLessThanOrEqual(0);
            expect(Math.abs(logProb - trained[row * longest + at]!)).toBeLessThan(bound);
          }
        return logProbs.sum();
      });
      policy.close();
    },
  );
});

describe('the comparison itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vlgym-golden-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('fails for a model with one other number', async () => {
    cpSync(kept, folder, { recursive: true });
    const path = join(folder, 'qwen2_5_vl/model/model.safetensors');
    const weights = safetensors.load(path);
    weights.get('model.layers.1.mlp.up_proj.weight')!.narrow(0, 3, 1).narrow(1, 5, 1).add_(0.05);
    safetensors.saveSync(path, weights);
    const { report, failures } = await compare(folder);
    expect(report.failed).toBeGreaterThan(10);
    expect(failures.every((line) => line.startsWith('FAIL qwen2_5_vl'))).toBe(true);
  });
});
