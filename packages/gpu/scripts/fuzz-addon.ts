/**
 * Calls the addon at random, in child processes, and reports every one that dies, hangs or throws an untyped error,
 * with the shortest list of calls that still does it.
 *
 *     npx tsx packages/gpu/scripts/fuzz-addon.ts --calls 100000 --seed 1
 *
 * Arguments are mostly plausible, some of the wrong type, at the ends of ranges, disposed, detached, or lists whose
 * getters throw, dispose tensors and transfer buffers. `scripts/fuzz-addon/calls.ts` says which.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { addonPath } from '../src/native/addon-path.js';
import { type FuzzCall, makeCalls } from './fuzz-addon/calls.js';
import { shrink } from './fuzz-addon/shrink.js';
import { readSignatures } from './fuzz-addon/signatures.js';

export interface FuzzOptions {
  readonly calls: number;
  readonly seed: number;
  /** Calls of one child process. */
  readonly perChild?: number;
  /** Without a new call for this long the child counts as hanging. */
  readonly hangMs?: number;
  /** Stop after this many findings. */
  readonly atMost?: number;
  readonly onProgress?: (line: string) => void;
}

export interface Finding {
  readonly kind: 'signal' | 'hang' | 'untyped error' | 'exit';
  /** The signal, the exit status, or the error. */
  readonly detail: string;
  /** Replays with the same kind of end. */
  readonly reproducer: readonly FuzzCall[];
}

export interface FuzzReport {
  readonly calls: number;
  /** Calls that returned, by function; the others threw a typed error. */
  readonly returned: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

interface End {
  /** Undefined when all was well. */
  readonly failure?: Omit<Finding, 'reproducer'>;
  readonly lastCall: number;
  readonly returned: readonly number[];
}

const CHILD = fileURLToPath(new URL('./fuzz-addon/child.ts', import.meta.url));
/** Private memory of a child in kB, where the shell can limit it: an allocation beyond it fails instead of filling the machine. */
const MEMORY_KB = 3 * 2 ** 20;

export async function fuzzAddon({
  calls,
  seed,
  perChild = 2_000,
  hangMs = 30_000,
  atMost = 10,
  onProgress = () => {},
}: FuzzOptions): Promise<FuzzReport> {
  const addon = addonPath();
  const signatures = readSignatures();
  const results = Object.fromEntries(signatures.map(({ name, result }) => [name, result]));
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-addon-calls-'));
  const findings: Finding[] = [];
  const returned = new Map(signatures.map(({ name }) => [name, 0]));
  let made = 0;
  let files = 0;
  const run = (list: readonly FuzzCall[]): Promise<End> => {
    files += 1;
    const path = join(folder, `${files}.json`);
    writeFileSync(path, JSON.stringify({ calls: list, results }));
    return runChild(addon, path, hangMs).finally(() => rmSync(path));
  };
  try {
    for (let batch = 0; made < calls && findings.length < atMost; batch += 1) {
      const list = makeCalls(signatures, Math.min(perChild, calls - made), seed * 1_000_003 + batch);
      const end = await run(list);
      made += end.lastCall + 1;
      for (const index of end.returned) {
        const { name } = list[index]!;
        returned.set(name, (returned.get(name) ?? 0) + 1);
      }
      onProgress(`${made} calls, ${findings.length + (end.failure ? 1 : 0)} findings`);
      if (!end.failure) continue;
      const { kind, detail } = end.failure;
      onProgress(`${kind} ${detail} in ${list[end.lastCall]?.name ?? 'the end'} of batch ${batch}: shrinking`);
      const again = async (part: readonly FuzzCall[]) => {
        const { failure } = await run(part);
        return failure?.kind === kind && (kind !== 'signal' || failure.detail === detail);
      };
      const upTo = list.slice(0, end.lastCall + 1);
      const reproducer = (await again(upTo)) ? await shrink(upTo, again) : list;
      findings.push({ kind, detail, reproducer });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { calls: made, returned, findings };
}

async function runChild(addon: string, callsPath: string, hangMs: number): Promise<End> {
  const recordPath = `${callsPath}.record`;
  const args = ['-c', `ulimit -d ${MEMORY_KB} 2>/dev/null; exec "$0" "$@"`, process.execPath];
  const child = spawn('sh', [...args, '--import', 'tsx', CHILD, addon, callsPath, recordPath], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  let hangs = false;
  let length = -1;
  const watch = setInterval(() => {
    const now = statSync(recordPath, { throwIfNoEntry: false })?.size ?? 0;
    hangs = now === length;
    length = now;
    if (hangs) child.kill('SIGKILL');
  }, hangMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearInterval(watch);
  const { lastCall, returned, untyped } = readRecord(recordPath);
  const end = (kind: Finding['kind'], detail: string) => ({ failure: { kind, detail }, lastCall, returned });
  if (hangs) return end('hang', `no call returned for ${hangMs} ms`);
  if (signal) return end('signal', signal);
  if (untyped) return { ...end('untyped error', untyped.untyped), lastCall: untyped.call };
  if (code !== 0) return end('exit', `${code}: ${said.trim()}`);
  return { lastCall, returned };
}

function readRecord(path: string) {
  const returned: number[] = [];
  let lastCall = -1;
  let untyped: { call: number; untyped: string } | undefined;
  for (const line of existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
    if (line === '+') returned.push(lastCall);
    else if (line.startsWith('{')) untyped ??= JSON.parse(line);
    else if (line !== '') lastCall = Number(line);
  }
  return { lastCall, returned, untyped };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      findings: { type: 'string', default: '10' },
    },
  });
  const [calls, seed, atMost] = [values.calls, values.seed, values.findings].map(Number) as [number, number, number];
  const report = await fuzzAddon({ calls, seed, atMost, onProgress: console.log });
  for (const { kind, detail, reproducer } of report.findings) {
    console.log(`\n${kind}: ${detail}`);
    for (const call of reproducer) console.log(`  ${JSON.stringify(call)}`.slice(0, 300));
  }
  const idle = [...report.returned].filter(([, count]) => count === 0).map(([name]) => name);
  const returned = [...report.returned.values()].reduce((sum, count) => sum + count, 0);
  console.log(`\n${report.calls} calls, ${returned} returned, ${report.findings.length} findings`);
  if (idle.length > 0) console.log(`never returned: ${idle.join(', ')}`);
  process.exitCode = report.findings.length > 0 ? 1 : 0;
}
