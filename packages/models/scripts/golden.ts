/**
 * Compares the Qwen-VL families with a folder of golden data: what huggingface/transformers and peft computed on small
 * random models, in float32 and in float64.
 *
 *     npx tsx packages/models/scripts/golden.ts FOLDER [--dtype float32|float64|bfloat16] [--device cuda] [--verbose]
 *
 * Without `--dtype` in float32 and float64. `packages/models/scripts/golden/precision.ts` says how far numbers may be off. Prints what differs, then
 * the counts; exits 0 only if everything agrees.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setNumThreads } from '@vlgym/gpu';
import { compareFolder } from './golden/compare.js';
import { GOLDEN_DTYPES } from './golden/precision.js';
import { Report } from './golden/report.js';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dtype: { type: 'string' },
    device: { type: 'string', default: 'cpu' },
    verbose: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
const dtypes = GOLDEN_DTYPES.filter((dtype) => dtype === flags.dtype);
if (folder === undefined || (flags.dtype !== undefined && dtypes.length === 0)) {
  console.error(
    `usage: npx tsx packages/models/scripts/golden.ts FOLDER [--dtype ${GOLDEN_DTYPES.join('|')}] [--device cuda] [--verbose]`,
  );
  process.exit(2);
}
setNumThreads(1);
const report = new Report({ verbose: flags.verbose });
await compareFolder(resolve(folder), report, {
  device: flags.device,
  ...(dtypes.length > 0 && { dtypes }),
});
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exitCode = report.failed === 0 && report.passed > 0 ? 0 : 1;
