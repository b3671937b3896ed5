/**
 * The tests of packages/gpu with their tensors on a device, in one process without a repository around it.
 *
 * `packages/models/scripts/gpu/pack.sh` bundles it; `VLGYM_TEST_DEVICE=cuda` names the device.
 *
 * `VLGYM_TEST_DEVICE` or `--device` is the default device (`setDefaultDevice`); tensors for which a test names another stay
 * there. Generators draw on the CPU and their numbers are copied, so that a test has the same numbers on every device.
 *
 * To be bundled by esbuild with `--alias:vitest=packages/models/scripts/gpu/unit/vitest.ts`.
 */
import { parseArgs } from 'node:util';
import { getDefaultDevice, setDefaultDevice, synchronize } from '@vlgym/gpu';
import { failing, finish } from '../result.js';
import { type Outcome, runSuite } from '../unit/run.js';
import { collect } from '../unit/vitest.js';

const { values: flags } = parseArgs({
  options: {
    device: { type: 'string', default: process.env.VLGYM_TEST_DEVICE ?? 'cpu' },
    /** Seconds that one test may take. */
    seconds: { type: 'string', default: '20' },
    /** Failures that are printed. */
    failures: { type: 'string', default: '20' },
  },
});

const FILES: Readonly<Record<string, () => Promise<unknown>>> = {
  'tensor/operations.test.ts': () => import('../../../../gpu/src/tensor/operations.test.js'),
  'tensor/shapes.test.ts': () => import('../../../../gpu/src/tensor/shapes.test.js'),
  'tensor/products.test.ts': () => import('../../../../gpu/src/tensor/products.test.js'),
  'tensor/tensor.test.ts': () => import('../../../../gpu/src/tensor/tensor.test.js'),
  'tensor/default-device.test.ts': () => import('../../../../gpu/src/tensor/default-device.test.js'),
  'autograd/autograd.test.ts': () => import('../../../../gpu/src/autograd/autograd.test.js'),
  'nn/nn.test.ts': () => import('../../../../gpu/src/nn/nn.test.js'),
  'nn/decoder.test.ts': () => import('../../../../gpu/src/nn/decoder.test.js'),
  'nn/narrow.test.ts': () => import('../../../../gpu/src/nn/narrow.test.js'),
  'optim/optimizer.test.ts': () => import('../../../../gpu/src/optim/optimizer.test.js'),
  'optim/muon.test.ts': () => import('../../../../gpu/src/optim/muon.test.js'),
  'safetensors/safetensors.test.ts': () => import('../../../../gpu/src/safetensors/safetensors.test.js'),
  'native/native.test.ts': () => import('../../../../gpu/src/native/native.test.js'),
  'native/cuda-graph.test.ts': () => import('../../../../gpu/src/native/cuda-graph.test.js'),
  'distributed/environment.test.ts': () => import('../../../../gpu/src/distributed/environment.test.js'),
  'distributed/process-group.test.ts': () => import('../../../../gpu/src/distributed/process-group.test.js'),
};

/** Files that are not run at all. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'native/addon-path.test.ts': 'makes no tensors',
  'setup/setup.test.ts': 'compiles the addon from its sources and fetches libtorch; makes no tensors',
  'native/random-calls.test.ts': 'reads sources and starts child processes of them',
};

const NARROW = 'weights in fewer bytes are for a CPU';
/** Tests that cannot work: everywhere outside of the repository, or on a device. */
const UNFIT: readonly { readonly test: RegExp; readonly reason: string; readonly onDevice?: true }[] = [
  { test: /^nn\/decoder.* with .* > steps have the scores/, reason: 'starts a child process of the sources' },
  { test: /memoryUse counts what is held/, reason: 'counts bytes of the CPU', onDevice: true },
  { test: /^nn\/narrow.* weights in /, reason: NARROW, onDevice: true },
  { test: /^nn\/narrow.* a row of zeros stays one/, reason: NARROW, onDevice: true },
  { test: /^nn\/narrow.* refuses what it cannot multiply/, reason: NARROW, onDevice: true },
];

const outcome: Outcome = { passed: 0, failures: [], skips: [] };
for (const [test, reason] of Object.entries(LEFT_OUT)) outcome.skips.push({ test, reason });

const device = flags.device!;
const result = () => ({
  device,
  files: Object.keys(FILES).length,
  passed: outcome.passed,
  failed: outcome.failures.length,
  skipped: outcome.skips.length,
  failures: outcome.failures.slice(0, Number(flags.failures)),
  skips: outcome.skips,
});

async function runAll(): Promise<void> {
  setDefaultDevice(device);
  const isDevice = getDefaultDevice() !== 'cpu';
  const reasonAgainst = (name: string) =>
    UNFIT.find(({ test, onDevice }) => test.test(name) && (isDevice || !onDevice))?.reason;
  const limit = 1000 * Number(flags.seconds);
  for (const [file, load] of Object.entries(FILES)) {
    const suite = await collect(load);
    // a fault inside a kernel ends everything on the device: later tests would only repeat it
    const afterFailure = () => (isDevice ? synchronize(device) : undefined);
    await runSuite(suite, file, outcome, { limit, reasonAgainst, afterFailure });
    setDefaultDevice(device);
    console.log(`${file}: ${outcome.passed} passed, ${outcome.failures.length} failed so far`);
  }
  process.exitCode = outcome.failures.length === 0 ? 0 : 1;
  await finish('unit', { ok: outcome.failures.length === 0, ...result() });
}

await runAll().catch(failing('unit', result));
