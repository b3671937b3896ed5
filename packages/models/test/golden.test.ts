/** The families agree with huggingface/transformers and peft. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { safetensors, setNumThreads } from '@vlgym/gpu';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { compareFolder } from '../scripts/golden/compare.js';
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
