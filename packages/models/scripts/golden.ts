/**
 * Compares the Qwen-VL families with a folder of golden data: what huggingface/transformers and peft computed on small
 * random models, in float32 and in float64.
 *
 *     npx tsx packages/models/scripts/golden.ts FOLDER [--verbose]
 *
 * Prints what differs, then the counts; exits 0 only if everything agrees.
 */
import { resolve } from 'node:path';
import { setNumThreads } from '@vlgym/gpu';
import { compareFolder } from './golden/compare.js';
import { Report } from './golden/report.js';

const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (folder === undefined) {
  console.error('usage: npx tsx packages/models/scripts/golden.ts FOLDER [--verbose]');
  process.exit(2);
}
setNumThreads(1);
const report = new Report({ verbose: process.argv.includes('--verbose') });
await compareFolder(resolve(folder), report);
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exitCode = report.failed === 0 && report.passed > 0 ? 0 : 1;
