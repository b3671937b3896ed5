import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '../core/src/index.ts';
import { memoryUse, resetPeakMemory, setNumThreads } from '../gpu/src/index.ts';
import { writeToyFolder } from './scripts/toy-folder.ts';
import { createPolicy, inspectModel, loadModel } from './src/index.ts';

setNumThreads(1);
const home = mkdtempSync(join(tmpdir(), 'measure-'));
for (const type of ['qwen2_vl', 'qwen2_5_vl', 'qwen3_vl'] as const) {
  const folder = join(home, type);
  await writeToyFolder(folder, { type });
  const tokens = 1024,
    rows = 8,
    r = 8;
  const inspection = await inspectModel(folder, { lora: { r, alpha: 16 }, rows, tokens });
  for (const dtype of ['float32', 'bfloat16'] as const) {
    const need = inspection.memory.find((m) => m.dtype === dtype)!;
    const start = memoryUse().bytes;
    const { model } = await loadModel(folder, { dtype });
    const weights = memoryUse().bytes - start;
    model.dispose();
    const out: Record<string, number> = { weights };
    for (const [name, options] of Object.entries({
      lora: { train: { lora: { r, alpha: 16 } } },
      checkpointed: { train: { lora: { r, alpha: 16 } }, checkpointActivations: true },
      full: { train: 'full' as const },
    })) {
      const policy = await createPolicy({ model: folder, dtype, config: { valueHead: [8] }, ...options });
      const input = { promptIds: Int32Array.from({ length: 24 }, (_, i) => 30 + i), images: [] };
      const sequences = [{ input, responseIds: Int32Array.from({ length: tokens - 24 }, (_, i) => 40 + (i % 200)) }];
      const step = async () => {
        await policy.accumulate(sequences, ({ logProbs }) => logProbs.sum());
        await policy.step({ learningRate: 1e-4, maxGradNorm: 1 });
      };
      await step();
      if (name === 'lora') {
        resetPeakMemory();
        const inputs = Array.from({ length: rows }, () => input);
        await policy.sample(inputs, {
          maxNewTokens: tokens - 24,
          rng: new Generator(1),
          temperature: 1,
          signal: AbortSignal.timeout(1e6),
        });
        out.sampling = memoryUse().peak - start;
        resetPeakMemory();
        await policy.score(Array.from({ length: rows }, () => sequences[0]!));
        out.scoring = memoryUse().peak - start;
      }
      resetPeakMemory();
      await step();
      out[name] = memoryUse().peak - start;
      policy.close();
    }
    console.log(type, dtype, 'measured', JSON.stringify(out), 'said', JSON.stringify(need));
  }
}
