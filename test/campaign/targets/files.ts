/** Boundaries that read files: pictures, trajectories, archives, catalogs, tokenizers, weights' headers. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { importData } from '@vlgym/alfworld/data';
import { decodePng, encodePng } from '@vlgym/core/images';
import { canonicalJson } from '@vlgym/core/internal';
import { checkTrajectory, type JsonValue, readTrajectories } from '@vlgym/core/trajectory';
import { safetensors } from '@vlgym/gpu';
import { parseTinyConfig, tinyConfig } from '@vlgym/models';
import { TextTokenizer } from '@vlgym/models/tokenizer';
import { SearchIndex } from '@vlgym/webshop';
import fc from 'fast-check';
import { ChunkBuilder } from '../../../packages/envs/webshop/src/search/chunk-builder.js';
import { checksumOf } from '../../../packages/envs/webshop/src/search/index-layout.js';
import { mergeChunks } from '../../../packages/envs/webshop/src/search/merge-chunks.js';
import { ROOT } from '../../support/workspaces.js';
import {
  type Bytes,
  bytes,
  bytesOf,
  type Damage,
  damage,
  damaged,
  type FuzzTarget,
  fuzzTarget,
  type Text,
  textOf,
  texts,
} from '../support/fuzz-target.js';

const folder = mkdtempSync(join(tmpdir(), 'vlgym-fuzz-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const PNGS = [1, 3, 4].map((channels) => {
  const data = Uint8Array.from({ length: 6 * 5 * channels }, (_, index) => (index * 37) % 256);
  return encodePng({ data, height: 6, width: 5, channels: channels as 1 | 3 | 4 });
});

const HASH = `sha256:${'0'.repeat(64)}`;
const TRAJECTORY = {
  schema: 'vlgym.trajectory/1',
  id: 'walk.1',
  env: { id: 'vlgym/NumberLine-v1', options: {}, wrappers: [] },
  agent: { name: 'random' },
  seed: 1,
  observation: { text: 'a', images: [HASH] },
  info: {},
  metadata: { repeat: 0 },
  steps: [
    {
      index: 0,
      response: '{"action": "+"}',
      action: 1,
      reward: 1,
      terminated: true,
      truncated: false,
      observation: { text: 'b', images: [HASH] },
      info: { success: true },
    },
  ],
  outcome: { return: 1, length: 1, success: true, endedBy: 'terminated' },
};

/** An archive of one entry, as `zip` writes it. */
function archive(name: string, content: string): Uint8Array {
  const [title, packed] = [Buffer.from(name), deflateRawSync(content)];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(title.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(content.length, 24);
  central.writeUInt16LE(title.length, 28);
  const start = local.length + title.length + packed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + title.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, title, packed, central, title, end]);
}

const ARCHIVES = [archive('json_2.1.1/train/a/game.tw-pddl', '{}'), archive('../outside', 'x'), archive('/etc/x', 'x')];
const INDEX = [searchIndex(['red shoes', 'blue shoes of a kind', 'red red red'])];

function searchIndex(documents: readonly string[]): Uint8Array {
  const builder = new ChunkBuilder();
  const chunk = { ...builder.build(0, documents), dictionary: builder.terms };
  return new Uint8Array(
    Buffer.concat(
      mergeChunks(
        [chunk],
        Uint32Array.from(documents, (_, index) => index),
      ),
    ),
  );
}

function safetensorsFile(): Uint8Array {
  const header = Buffer.from(
    JSON.stringify({ a: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] }, __metadata__: { x: 'y' } }),
  );
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([size, header, Buffer.alloc(16)]);
}
const WEIGHTS = [safetensorsFile()];

async function readAll(path: string): Promise<void> {
  const reader = readTrajectories(path);
  for await (const trajectory of reader) {
    await checkTrajectory(trajectory);
    canonicalJson(trajectory as unknown as JsonValue);
  }
}

let tokenizer: unknown;
const tinyTokenizer = () => {
  const path = join(ROOT, 'packages/models/assets/tiny-tokenizer.json');
  tokenizer ??= JSON.parse(readFileSync(path, 'utf8'));
  return tokenizer as { model: { vocab: object; merges: unknown[] } };
};

export const fileTargets: readonly FuzzTarget[] = [
  fuzzTarget({ name: 'core/png', input: bytes(PNGS), call: (input: Bytes) => decodePng(bytesOf(input, PNGS)) }),
  fuzzTarget({
    name: 'core/trajectory-file',
    input: fc.tuple(damage, texts(['{', '"event":"step"', ':', ',', '}', '\n'], [JSON.stringify(TRAJECTORY)])),
    call: async ([harm, text]: [Damage, Text]) => {
      const line = JSON.stringify(damaged(TRAJECTORY, harm));
      await readAll(fileOf('episodes.jsonl', `${line}\n`)).catch(typed);
      await readAll(fileOf('episodes.jsonl', textOf(text)));
    },
  }),
  fuzzTarget({
    name: 'alfworld/archive',
    input: bytes(ARCHIVES),
    call: async (input: Bytes) => {
      const to = join(folder, 'data');
      rmSync(to, { recursive: true, force: true });
      await importData(fileOf('data.zip', bytesOf(input, ARCHIVES)), { to }).catch(typed);
      if (existsSync(join(folder, 'outside'))) throw new Error('an archive wrote outside of its folder');
    },
  }),
  fuzzTarget({
    name: 'webshop/index-file',
    input: bytes(INDEX),
    call: (input: Bytes) => new SearchIndex(bytesOf(input, INDEX)).search('red shoes', 5),
  }),
  fuzzTarget({
    name: 'webshop/forged-index',
    input: bytes(INDEX),
    call: (input: Bytes) => {
      const content = bytesOf(input, INDEX).subarray(0, -4);
      new SearchIndex(Buffer.concat([content, checksumOf([content])])).search('red shoes', 5);
    },
  }),
  fuzzTarget({
    name: 'gpu/safetensors-header',
    input: bytes(WEIGHTS),
    call: (input: Bytes) => {
      const file = new safetensors.SafetensorsFile(fileOf('weights.safetensors', bytesOf(input, WEIGHTS)));
      file.close();
    },
  }),
  fuzzTarget({
    name: 'models/tokenizer-json',
    input: damage,
    call: (harm: Damage) => {
      const { model, ...rest } = tinyTokenizer();
      const small = { ...rest, model: { ...model, vocab: { a: 0, b: 1, ab: 2 }, merges: ['a b'] } };
      new TextTokenizer(damaged(small, harm) as object).encode('ab');
    },
  }),
  fuzzTarget({
    name: 'models/model-config',
    input: damage,
    call: (harm: Damage) => parseTinyConfig(damaged(tinyConfig, harm) as never),
  }),
];

/** Passes a typed error over, so that a second reading comes to its turn. */
function typed(error: unknown): void {
  if (!(error instanceof Error && 'code' in error)) throw error;
}
