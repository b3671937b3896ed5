/**
 * The Qwen-VL families on a device against what transformers and peft computed (`packages/models/scripts/golden/precision.ts` says how close), one
 * dtype after the other.
 *
 *     npx tsx packages/models/scripts/gpu/checks/golden.ts --folder golden/vlm --device cuda
 */
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { compareFolder } from '../../golden/compare.js';
import { GOLDEN_DTYPES } from '../../golden/precision.js';
import { Report } from '../../golden/report.js';
import { failing, finish, rounded } from '../result.js';

const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', default: 'golden/vlm' },
    device: { type: 'string', default: 'cuda' },
    dtypes: { type: 'string', default: GOLDEN_DTYPES.join() },
    /** Failures that are reported of each dtype. */
    failures: { type: 'string', default: '10' },
  },
});
// no TF32, in libraries that would use it by default
process.env.NVIDIA_TF32_OVERRIDE = '0';

interface Compared {
  readonly dtype: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly failures: readonly string[];
}

const found: Compared[] = [];

async function compareAll(): Promise<void> {
  const wanted = flags.dtypes!.split(',');
  for (const dtype of GOLDEN_DTYPES.filter((each) => wanted.includes(each))) {
    const lines: string[] = [];
    const report = new Report({ print: (line) => lines.push(line) });
    const start = performance.now();
    await compareFolder(resolve(flags.folder!), report, { dtypes: [dtype], device: flags.device! });
    const { passed, failed } = report;
    const failures = lines.slice(0, Number(flags.failures)).map((line) => line.slice(0, 300));
    found.push({ dtype, passed, failed, seconds: rounded((performance.now() - start) / 1000), failures });
    console.log(`${dtype}: ${passed} passed, ${failed} failed`);
  }
  const ok = found.length > 0 && found.every(({ passed, failed }) => passed > 0 && failed === 0);
  process.exitCode = ok ? 0 : 1;
  await finish('golden', { ok, device: flags.device, dtypes: found });
}

await compareAll().catch(failing('golden', () => ({ device: flags.device, dtypes: found })));
