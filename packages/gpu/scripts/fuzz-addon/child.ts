/**
 * Makes the calls of a list one after the other in this process, which may crash. The record is a file: the number of
 * every call before it is made, `+` after it when it returned, one line of JSON for an error that is not typed.
 *
 *     node --import tsx child.ts ADDON CALLS.json RECORD
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUFFERS, type FuzzCall, GROUPS, SLOTS, type Value } from './calls.js';
import { decoderParts, type MatrixKind } from './decoder-parts.js';
import type { Signature } from './signatures.js';

type Functions = Record<string, (...args: readonly unknown[]) => unknown>;

const [, , addonPath, callsPath, recordPath] = process.argv;
const record = openSync(recordPath!, 'w');
const { calls, results } = JSON.parse(readFileSync(callsPath!, 'utf8')) as {
  calls: readonly FuzzCall[];
  results: Readonly<Record<string, Signature['result']>>;
};

const module_: { exports: unknown } = { exports: {} };
process.dlopen(module_, addonPath!);
const addon = module_.exports as Functions;

class NativeError extends Error {
  constructor(
    readonly code: string,
    operation: string,
    message: string,
  ) {
    super(`${operation}: ${message}`);
  }
}
/** The error that our getters and callbacks throw. */
class OwnError extends Error {}

const factory = (code: string, operation: string, message: string) => new NativeError(code, operation, message);
addon.setErrorFactory!(factory);
addon.setNumThreads!(1);

const folder = mkdtempSync(join(tmpdir(), 'fuzz-addon-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const tensors = join(folder, 'tensors');
const restore = () => writeFileSync(tensors, new Uint8Array(4096).fill(1));
restore();

const slots: number[] = new Array(SLOTS).fill(-1);
const generators = [0, 1, 2].map(() => addon.newGenerator!('cpu'));
const opened = openSync(tensors, 'r');
const files: unknown[] = [0, 1, 2].map(() => addon.openFile!(opened));
const decoders = [
  ...[0, 1, 1].map((records) => newDecoder(records, 'float32')),
  ...(['bfloat16', 'int8'] as const).map((matrices) => newDecoder(0, matrices)),
  ...[0, 1].map((records) => newDecoder(records, 'float32', 1)),
];

function newDecoder(records: number, matrices: MatrixKind, autocast = 0): unknown {
  const { numbers, tensors } = decoderParts(records, matrices, autocast);
  const handles: (number | null)[] = [];
  for (const tensor of tensors) {
    if (tensor?.kind === 'scales') continue; // came with its entries
    const float = tensor && (addon.randn!(tensor.shape, null, tensor.kind === 'bfloat16' ? 15 : 6, 'cpu') as number);
    if (tensor?.kind === 'entries') {
      handles.push(...(addon.quantizeRows!(float) as number[]));
      addon.dispose!(float);
    } else handles.push(float);
  }
  const decoder = addon.newDecoder!(numbers, handles, null);
  for (const handle of handles) if (handle !== null) addon.dispose!(handle);
  return decoder;
}

/** Groups of this process alone, each with buckets over two parameters. */
const groups: unknown[] = [];
const buckets: unknown[] = [];
for (let i = 0; i < GROUPS; i += 1) {
  const group = addon.newGroup!('127.0.0.1', await freePort(), true, 0, 1, 20, `fuzz-${i}`, '127.0.0.1', -1);
  await addon.connectGroup!(group);
  groups.push(group);
  const parameters = [0, 1].map(() => addon.randn!([3, 4], null, 6, 'cpu') as number);
  for (const parameter of parameters) addon.setRequiresGrad!(parameter, true);
  buckets.push(addon.newBuckets!(group, parameters, 16, 64, i === 0));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
const gone = openSync(tensors, 'r');
closeSync(gone);
const descriptors = { tensors: opened, folder: openSync(folder, 'r'), pipe: 1, closed: gone };
/** Since ES2024, which is later than our target. */
type Resizable = ArrayBuffer & { resize(bytes: number): void };
const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => Resizable;
const freshBuffer = () => new Resizable(128, { maxByteLength: 256 });
const buffers = Array.from({ length: BUFFERS }, freshBuffer);

/** Tensors with more entries are disposed at once: this tests the calls, not the machine's memory. */
const LARGEST = 2 ** 22;

function put(into: number, handle: unknown): void {
  const index = into % SLOTS;
  addon.dispose!(slots[index]);
  slots[index] = typeof handle === 'number' ? handle : -1;
  if (slots[index] === -1) return;
  const entries = (addon.shape!(slots[index]) as number[]).reduce((count, size) => count * size, 1);
  if (entries > LARGEST) put(index, -1);
}

const resizable = (index: number) => buffers[index % BUFFERS]!;
const transfer = (index: number) => structuredClone(buffers[index], { transfer: [buffers[index]!] });

const EVENTS: Record<string, (index: number) => void> = {
  '@transfer': transfer,
  '@resize': (index) => resizable(index).resize(resizable(index).byteLength === 0 ? 128 : 0),
  '@renew': (index) => {
    buffers[index] = freshBuffer();
  },
  '@shorten': () => truncateSync(tensors, 5),
  '@restore': restore,
  '@tick': () => {},
};

function effect(kind: string, slot: number): void {
  if (kind === 'throw') throw new OwnError('from a getter');
  if (kind === 'dispose') for (let i = 0; i < SLOTS; i += 1) put(i, -1);
  if (kind === 'make') for (let i = 0; i < 300; i += 1) addon.dispose!(addon.zeros!([1], 6, 'cpu'));
  if (kind === 'transfer') transfer(slot % BUFFERS);
}

function odd(kind: string): unknown {
  switch (kind) {
    case 'object':
      return { length: 2, 0: 1, 1: 1 };
    case 'function':
      return (code: string, operation: string, message: string) => new NativeError(code, operation, message);
    case 'throwing':
      return () => {
        throw new OwnError('from a callback');
      };
    case 'symbol':
      return Symbol('fuzz');
    case 'proxy':
      return new Proxy([1, 2], {
        get: () => {
          throw new OwnError('from a proxy');
        },
      });
    case 'date':
      return new Date(0);
    default:
      return undefined;
  }
}

function revive(value: Value): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revive);
  const spec = value as Exclude<Value, readonly Value[] | string | number | boolean | null>;
  if ('number' in spec) return Number(spec.number);
  if ('bigint' in spec) return BigInt(spec.bigint);
  if ('tensor' in spec) return slots[spec.tensor];
  if ('generator' in spec) return generators[spec.generator];
  if ('file' in spec) return files[spec.file];
  if ('decoder' in spec) return decoders[spec.decoder];
  if ('group' in spec) return groups[spec.group];
  if ('buckets' in spec) return buckets[spec.buckets];
  if ('descriptor' in spec) return descriptors[spec.descriptor];
  if ('path' in spec) return spec.path === '' ? '' : join(folder, spec.path);
  if ('holes' in spec) return new Array(spec.holes);
  if ('odd' in spec) return odd(spec.odd);
  if ('view' in spec) return viewOf(spec);
  const entries = spec.trap.map(revive);
  Object.defineProperty(entries, spec.at, {
    configurable: true,
    get: () => {
      if (spec.effect === 'shrink') entries.length = 0;
      else effect(spec.effect, spec.slot);
      return revive(spec.trap[spec.at] ?? 1);
    },
  });
  return entries;
}

function viewOf({ view, buffer, offset, length }: { view: string; buffer: number; offset: number; length: number }) {
  const over = buffers[buffer]!;
  if (view === 'Buffer') return Buffer.alloc(length);
  const Kind = (globalThis as unknown as Record<string, new (...args: unknown[]) => unknown>)[view]!;
  try {
    // every second one follows the length of its buffer
    return length === 9 ? new Kind(over, offset) : new Kind(over, offset, length);
  } catch {
    return new Kind(new ArrayBuffer(0));
  }
}

function refuse(index: number, error: unknown): void {
  if (error instanceof OwnError || error instanceof NativeError) return;
  writeSync(record, `${JSON.stringify({ call: index, untyped: String((error as Error)?.stack ?? error) })}\n`);
}

async function run(): Promise<void> {
  const pending: Promise<unknown>[] = [];
  for (const [index, { name, args, into }] of calls.entries()) {
    writeSync(record, `${index}\n`);
    const event = EVENTS[name];
    if (event) {
      try {
        event(args[0] as number);
      } catch {
        // a detached buffer cannot be resized, and so on
      }
      if (name === '@tick') await Promise.all(pending.splice(0));
      continue;
    }
    try {
      const result = addon[name]!(...args.map(revive));
      if (result instanceof Promise) {
        const kept = result.then((value) => keep(name, into, value));
        pending.push(kept.catch((error: unknown) => refuse(index, error)));
      } else keep(name, into, result);
      writeSync(record, '+\n');
    } catch (error) {
      refuse(index, error);
    }
    if (name === 'setNumThreads') addon.setNumThreads!(1);
    if (name === 'setErrorFactory') addon.setErrorFactory!(factory);
  }
  await Promise.all(pending);
}

function keep(name: string, into: number, result: unknown): void {
  switch (results[name]) {
    case 'tensor':
      put(into, result);
      break;
    case 'tensors':
      for (const [i, tensor] of (result as unknown[]).entries()) {
        if (i < 4) put(into + i, tensor);
        else addon.dispose!(tensor);
      }
      break;
    case 'generator':
      generators[into % generators.length] = result;
      break;
    case 'decoder':
      decoders[into % decoders.length] = result;
      break;
    case 'group':
      groups[into % groups.length] = result;
      break;
    case 'buckets':
      buckets[into % buckets.length] = result;
      break;
    case 'file':
      files[into % files.length] = result;
      break;
    default:
  }
}

await run();
