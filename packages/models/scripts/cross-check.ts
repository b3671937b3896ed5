/**
 * Random models of each family by transformers, with adapters by peft, against the same here, in both directions; the
 * adapter from here comes out of supervised training, on a picture where the model reads them:
 *
 *     VLGYM_PYTHON=…/bin/python npx tsx packages/models/scripts/cross-check.ts [TYPE …]
 *
 * Needs a Python with torch, transformers and peft; without one it says so and compares nothing. Exits 0 only if all
 * logits agree.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Generator } from '@vlgym/core';
import { noGrad, safetensors, setNumThreads, type Tensor, tensor, tidy } from '@vlgym/gpu';
import { trainSupervised } from '@vlgym/rl/warm-start';
import { createPolicy } from '../src/policy/create-policy.js';
import { readsTextOnly, type ToyType, writeToyFolder } from './toy-folder.js';

const [, , ...asked] = process.argv;
const TYPES = (
  asked.length > 0 ? asked : ['qwen2_vl', 'qwen2_5_vl', 'qwen3_vl', 'llama', 'qwen2', 'qwen3', 'gemma3_text', 'mistral']
) as readonly ToyType[];
const SCRIPT = fileURLToPath(new URL('cross_check.py', import.meta.url));
const TOLERANCE = 2e-4;

setNumThreads(1);
const python = process.env.VLGYM_PYTHON ?? 'python3';
const { status } = spawnSync(python, ['-c', 'import torch, transformers, peft']);
if (status !== 0) {
  console.log(`skipped: ${python} lacks torch, transformers or peft; set VLGYM_PYTHON`);
  process.exit(0);
}

let failures = 0;
for (const type of TYPES) {
  const folder = mkdtempSync(join(tmpdir(), `vlgym-cross-${type}-`));
  try {
    await crossCheck(folder, type);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
console.log(`${3 * TYPES.length - failures} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

async function crossCheck(folder: string, type: ToyType): Promise<void> {
  await writeToyFolder(join(folder, 'shape'), { type });
  const shape = await createPolicy({ model: join(folder, 'shape'), config: { valueHead: [4] } });
  const rng = new Generator(1);
  const image = {
    data: Uint8Array.from({ length: 56 * 84 * 3 }, () => rng.integers(256)),
    height: 56,
    width: 84,
    channels: 3,
  } as const;
  const content = [
    { type: 'text', text: 'Look: ' } as const,
    ...(readsTextOnly(type) ? [] : [{ type: 'image', image } as const]),
    { type: 'text', text: 'Which way?' } as const,
  ];
  const input = shape.encode([{ role: 'user', content }]);
  shape.close();
  writeInputs(folder, input.promptIds, readsTextOnly(type) ? null : image);
  run('make', folder);
  // transformers writes config and weights; tokenizer and processor are those of the shape
  mkdirSync(join(folder, 'whole'));
  for (const part of ['shape', 'model']) {
    for (const name of readdirSync(join(folder, part))) {
      if (part === 'shape' && name.endsWith('.safetensors')) continue;
      cpSync(join(folder, part, name), join(folder, 'whole', name));
    }
  }
  const theirs = safetensors.load(join(folder, 'theirs.safetensors'));
  const options = { model: join(folder, 'whole'), config: { valueHead: [4] }, dtype: 'float32' } as const;
  const policy = await createPolicy({ ...options, train: { lora: { r: 3, alpha: 6 } } });
  compare(`${type}: a model of transformers here`, await logitsOf(policy, input), theirs.get('logits')!);
  const adapted = await createPolicy({ ...options, adapter: join(folder, 'adapter') });
  compare(`${type}: an adapter of peft here`, await logitsOf(adapted, input), theirs.get('adapter_logits')!);
  adapted.close();
  const example = { input, responseIds: Int32Array.of(5, 6, 7), labelMask: Uint8Array.of(1, 1, 1) };
  await trainSupervised({ policy, steps: 3, batchOf: () => [example], learningRate: 0.05 });
  await policy.saveAdapter(join(folder, 'ours'));
  run('read', folder);
  const read = safetensors.load(join(folder, 'read.safetensors'));
  compare(`${type}: an adapter of ours in peft`, await logitsOf(policy, input), read.get('logits')!);
  policy.close();
}

type Policy = Awaited<ReturnType<typeof createPolicy>>;
type Input = ReturnType<Policy['encode']>;

/** Log-probabilities [T, V] of every next token. */
async function logitsOf(policy: Policy, { promptIds, images }: Input): Promise<number[]> {
  const rows: number[] = [];
  // the last prompt token predicts the response: one position is enough, and `distribution` gives it whole
  await policy.score([{ input: { promptIds, images }, responseIds: Int32Array.of(1) }]);
  await policy.accumulate([{ input: { promptIds, images }, responseIds: Int32Array.of(1) }], (outputs) => {
    rows.push(...(outputs.distribution() as unknown as Tensor).toNumbers());
    return outputs.logProbs.sum().mul(0);
  });
  await policy.step({ learningRate: 0, maxGradNorm: 1 });
  return rows;
}

function compare(name: string, found: readonly number[], logits: Tensor): void {
  const last = noGrad(() =>
    tidy(() =>
      logits
        .select(1, logits.size(1) - 1)
        .logSoftmax(-1)
        .toNumbers(),
    ),
  );
  const largest = last.reduce((most, value, i) => Math.max(most, Math.abs(value - (found[i] ?? Number.NaN))), 0);
  const holds = found.length === last.length && largest <= TOLERANCE;
  if (!holds) failures += 1;
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${name}: largest distance ${largest.toExponential(2)}`);
}

function writeInputs(folder: string, ids: Int32Array, image: { readonly data: Uint8Array } | null): void {
  tidy(() => {
    const input_ids = tensor(ids, { shape: [1, ids.length], dtype: 'int64' });
    if (!image) {
      safetensors.saveSync(join(folder, 'inputs.safetensors'), { input_ids });
      return;
    }
    // pixels as the processor of the shape makes them: levels to [-1, 1], patches in blocks of 2 x 2
    const levels = tensor(
      Float32Array.from(image.data, (byte) => (byte / 255 - 0.5) / 0.5),
      { shape: [2, 2, 14, 3, 2, 14, 3] },
    );
    const patches = levels.permute([0, 3, 1, 4, 6, 2, 5]).unsqueeze(5).expand([2, 3, 2, 2, 3, 2, 14, 14]);
    safetensors.saveSync(join(folder, 'inputs.safetensors'), {
      input_ids,
      image_grid_thw: tensor([[1, 4, 6]], { dtype: 'int64' }),
      pixel_values: patches.reshape([24, 1176]),
    });
  });
}

function run(what: 'make' | 'read', folder: string): void {
  execFileSync(python, [SCRIPT, what, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  });
}
