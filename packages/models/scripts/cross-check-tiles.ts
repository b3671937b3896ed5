/**
 * Adapters of ours in peft, of the families that read pictures as tiles: supervised training on a picture writes one here, and
 * transformers with peft computes the scores of the same prompt. The other direction is part of `golden.ts`.
 *
 *     VLGYM_PYTHON=…/bin/python npx tsx packages/models/scripts/cross-check-tiles.ts
 *
 * Needs a Python with torch, transformers, peft and Pillow. Exits 0 only if all scores agree.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { safetensors, setNumThreads, type Tensor } from '@vlgym/gpu';
import { trainSupervised } from '@vlgym/rl/warm-start';
import { createPolicy } from '../src/policy/create-policy.js';
import { Fixture, readCases } from './golden/fixture.js';

const TOLERANCE = 2e-4;
const root = fileURLToPath(new URL('../../../test/golden/tile-models', import.meta.url));
const script = fileURLToPath(new URL('vision_golden.py', import.meta.url));
const python = process.env.VLGYM_PYTHON ?? 'python3';

setNumThreads(1);
let failures = 0;
for (const [name, family] of Object.entries(readCases(root).families)) {
  const folder = mkdtempSync(join(tmpdir(), `vlgym-cross-${name}-`));
  try {
    const fixture = new Fixture(root, family);
    const policy = await createPolicy({
      model: fixture.model,
      config: { valueHead: [4] },
      dtype: 'float32',
      train: { lora: { r: 3, alpha: 6 } },
    });
    const input = policy.encode(fixture.messages('one'));
    const before = await scores(policy, input);
    const example = { input, responseIds: Int32Array.of(5, 6, 7), labelMask: Uint8Array.of(1, 1, 1) };
    await trainSupervised({ policy, steps: 3, batchOf: () => [example], learningRate: 0.05 });
    await policy.saveAdapter(join(folder, 'ours'));
    const ours = await scores(policy, input);
    const out = join(folder, 'theirs.safetensors');
    execFileSync(python, [script, 'read', root, name, join(folder, 'ours'), out], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, HF_HUB_OFFLINE: '1' },
    });
    const logits = safetensors.load(out).get('logits')!;
    const theirs = logits
      .select(1, logits.size(1) - 1)
      .logSoftmax(-1)
      .toNumbers();
    const distance = largest(ours, theirs);
    const holds = distance <= TOLERANCE;
    if (!holds) failures += 1;
    const moved = largest(ours, before).toExponential(2);
    const line = `${name}: an adapter of ours in peft: largest distance ${distance.toExponential(2)}, moved by ${moved}`;
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${line}`);
    policy.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
process.exitCode = failures === 0 ? 0 : 1;

type Policy = Awaited<ReturnType<typeof createPolicy>>;

/** Log-probabilities of the first token behind the prompt. */
async function scores(policy: Policy, input: ReturnType<Policy['encode']>): Promise<number[]> {
  const found: number[] = [];
  await policy.accumulate([{ input, responseIds: Int32Array.of(1) }], (outputs) => {
    found.push(...(outputs.distribution() as unknown as Tensor).toNumbers());
    return outputs.logProbs.sum().mul(0);
  });
  await policy.step({ learningRate: 0, maxGradNorm: 1 });
  return found;
}

function largest(a: readonly number[], b: readonly number[]): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0);
}
