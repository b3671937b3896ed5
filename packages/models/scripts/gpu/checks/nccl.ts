/**
 * Two processes on one GPU equal one process with the whole batch: gradients and weights.
 *
 *     npx tsx packages/models/scripts/gpu/checks/nccl.ts --device cuda
 *     npx tsx packages/models/scripts/gpu/checks/nccl.ts --device cpu      # over Gloo alone
 *
 * NCCL refuses two ranks of one host on one device ("Duplicate GPU detected"), so each rank says that it is on a host of its
 * own (`NCCL_HOSTID`), and they meet over the loopback device, as ranks of two machines do over a network. Where NCCL
 * refuses all the same, its words are reported, a world of one rank does all its calls, and two ranks on the device add up
 * over Gloo.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { libtorchVersion, safetensors, tidy } from '@vlgym/gpu';
import { type RankOptions, type RankReport, runRank } from '../rank.js';
import { failing, finish, rounded } from '../result.js';

const { values: flags } = parseArgs({
  options: {
    device: { type: 'string', default: 'cuda' },
    steps: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '40' },
    /** Arguments of a rank. */
    rank: { type: 'string' },
  },
});

type Precision = RankOptions['dtype'];
/**
 * Largest difference, relative to the largest number of the tensor. Adam divides by the size of a gradient, so that the
 * rounding of a small one shows whole in its weight.
 */
const TOLERANCES: Readonly<Record<Precision, { readonly network: number; readonly policy: number }>> = {
  float64: { network: 1e-12, policy: 1e-9 },
  float32: { network: 1e-5, policy: 1e-3 },
  bfloat16: { network: 0.05, policy: 0 },
};

interface Ended {
  readonly report?: RankReport;
  readonly refusal?: string;
}

const ownHost = (rank: number) => ({
  ...{ NCCL_HOSTID: `host-${rank}`, NCCL_SOCKET_IFNAME: 'lo', NCCL_NET: 'Socket' },
  ...{ NCCL_IB_DISABLE: '1', NCCL_MNNVL_ENABLE: '0' },
});

async function start(options: RankOptions): Promise<Ended> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, '--rank', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...ownHost(options.group?.rank ?? 0), NCCL_DEBUG: 'WARN', NCCL_DEBUG_FILE: '/dev/stderr' },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 1000 * Number(flags.seconds));
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  clearTimeout(timer);
  if (code === 0) return { report: JSON.parse(output.trim().split('\n').at(-1)!) as RankReport };
  if (signal) return { refusal: `no answer within ${flags.seconds} s; ${errors.trim().slice(-600)}` };
  const warning = /NCCL WARN (.*)/.exec(errors)?.[1];
  const thrown = /^\w*Error: [^\n]*/m.exec(errors)?.[0] ?? errors.trim().slice(-600);
  return { refusal: warning ? `${thrown} (${warning})` : thrown };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Largest difference from the whole batch by kind, relative to the largest number of each tensor. */
function compare(whole: string, part: string): Record<string, number> {
  return tidy(() => {
    const [expected, found] = [safetensors.load(whole), safetensors.load(part)];
    const largest: Record<string, number> = {};
    for (const [name, tensor] of expected) {
      const other = found.get(name);
      if (!other) throw new Error(`${name} is missing in one of the processes`);
      const scale = Math.max(tensor.abs().max().item(), 1e-30);
      const difference = tensor
        .to({ dtype: 'float64' })
        .sub(other.to({ dtype: 'float64' }))
        .abs()
        .max()
        .item();
      const kind = `${name.split('.')[0]} ${name.includes('.gradient.') ? 'gradients' : 'weights'}`;
      largest[kind] = Math.max(largest[kind] ?? 0, difference / scale);
    }
    if (found.size !== expected.size) throw new Error('a process has gradients that the other lacks');
    return largest;
  });
}

async function main(): Promise<void> {
  const { device } = flags;
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-nccl-'));
  const options = { device, steps: Number(flags.steps), group: undefined };
  const runs: Record<string, unknown>[] = [];
  const refusals: string[] = [];
  /** @returns False where the group could not be made. */
  const check = async (backend: 'gloo' | 'nccl', size: number, dtype: Precision): Promise<boolean> => {
    const port = await freePort();
    const group = { size, port, backend, host: '127.0.0.1', timeout: Number(flags.seconds) / 2, device: 0 };
    const file = (rank: number) => join(folder, `${backend}-${size}-${dtype}-${rank}.safetensors`);
    const ended = await Promise.all(
      Array.from({ length: size }, (_, rank) =>
        start({ ...options, dtype, file: file(rank), group: { ...group, rank } }),
      ),
    );
    const refusal = ended.map((each) => each.refusal).find((each) => each !== undefined);
    if (refusal !== undefined) {
      refusals.push(`${backend}, ${size} rank(s), ${dtype}: ${refusal}`);
      return false;
    }
    const differences = compare(join(folder, `whole-${dtype}.safetensors`), file(size - 1));
    const { network, policy } = TOLERANCES[dtype];
    const collectives = ended.flatMap(({ report }) => Object.entries(report!.collectives));
    const failed = [...new Set(collectives.flatMap(([name, works]) => (works ? [] : [name])))];
    const isClose = Object.entries(differences).every(
      ([kind, value]) => value <= (kind.startsWith('network') ? network : policy),
    );
    runs.push({
      ...{ backend, ranks: size, dtype, ok: isClose && failed.length === 0 },
      differences: Object.fromEntries(Object.entries(differences).map(([kind, value]) => [kind, rounded(value)])),
      ...{ tolerances: TOLERANCES[dtype], collectives: collectives.length, failed },
      ...(ended[0]!.report!.messages && { messages: ended[0]!.report!.messages }),
    });
    return true;
  };
  try {
    const precisions = ['float64', 'float32', 'bfloat16'] as const;
    // a CPU has no room for all of them at once
    const each = async (job: (dtype: Precision) => Promise<boolean>, list: readonly Precision[] = precisions) => {
      if (device !== 'cpu') return (await Promise.all(list.map(job))).every(Boolean);
      let isGood = true;
      for (const dtype of list) isGood = (await job(dtype)) && isGood;
      return isGood;
    };
    let isWhole = await each(async (dtype) => {
      const { refusal } = await start({ ...options, dtype, file: join(folder, `whole-${dtype}.safetensors`) });
      if (refusal !== undefined) refusals.push(`one process, ${dtype}: ${refusal}`);
      return refusal === undefined;
    });
    const [first, ...others] = precisions;
    const overNccl = isWhole && device !== 'cpu' && (await check('nccl', 2, first));
    if (overNccl) isWhole = await each((dtype) => check('nccl', 2, dtype), others);
    else if (isWhole) {
      const alone = device === 'cpu' || (await each((dtype) => check('nccl', 1, dtype)));
      isWhole = (await each((dtype) => check('gloo', 2, dtype))) && alone;
    }
    const ok = isWhole && runs.every((run) => run.ok);
    await finish('nccl', { ok, device, libtorch: libtorchVersion(), runs, refusals });
    if (!ok) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (flags.rank === undefined) await main().catch(failing('nccl'));
else console.log(JSON.stringify(await runRank(JSON.parse(flags.rank) as RankOptions)));
