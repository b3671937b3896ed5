/** Datasets of strangers: Parquet files with flipped bytes, and pictures whose headers claim what their bytes do not hold. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { type Generator, GymError } from '@vlgym/core';
import { type ChatExample, readExamples, writeParquet } from '@vlgym/datasets';
import type { Attack, Finding } from '../attack.js';

const FILES = 6;
/** Seconds; a decoder that computes without an end is stopped after one second of the processor. */
const LIMIT = 30;
const MAX_GAIN = 300 * 2 ** 20;

async function* examples(): AsyncGenerator<ChatExample> {
  for (let i = 0; i < 40; i += 1) {
    yield { prompt: [{ role: 'user', content: `question ${i % 7}` }], response: `answer ${i}`, source: '', group: '' };
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG file of a few bytes: its size, bits and colors as drawn. */
function picture(rng: Generator): string {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(rng.choice([1, 4000, 65_535, 2 ** 31]), 0);
  header.writeUInt32BE(rng.choice([1, 4000, 65_535]), 4);
  header[8] = rng.choice([1, 8, 16]);
  header[9] = rng.choice([0, 2, 3, 4, 6]);
  const pixels = deflateSync(Buffer.alloc(rng.choice([0, 1000, 40_000_000])));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString('base64')}`;
}

export const hostileDatasets: Attack = {
  name: 'hostile-datasets',
  about: 'Parquet files with flipped bytes, rows with pictures that claim any size',
  async run({ rng, folder }) {
    const findings: Finding[] = [];
    const whole = join(folder, 'whole.parquet');
    await writeParquet(whole, examples());
    const sound = await readFile(whole);
    const rows = join(folder, 'rows.jsonl');
    const lines = Array.from({ length: 20 }, () => ({
      prompt: 'a',
      completion: 'b',
      images: [picture(rng), picture(rng)],
    }));
    await writeFile(rows, lines.map((line) => JSON.stringify(line)).join('\n'));
    findings.push(...(await read(rows, 'rows with pictures', '')));
    for (let file = 0; file < FILES && findings.length === 0; file += 1) {
      const bytes = Uint8Array.from(sound);
      for (let flip = 0; flip < rng.integers(1, 6); flip += 1)
        bytes[rng.integers(bytes.length)]! ^= 1 << rng.integers(8);
      const path = join(folder, `${file}.parquet`);
      await writeFile(path, bytes);
      findings.push(...(await read(path, 'a damaged Parquet file', Buffer.from(bytes).toString('base64'))));
    }
    return { counts: { files: FILES + 1 }, findings };
  },
};

async function read(path: string, what: string, bytes: string): Promise<Finding[]> {
  const [start, before] = [performance.now(), process.memoryUsage.rss()];
  const findings: Finding[] = [];
  try {
    for await (const { response } of readExamples(path, { onInvalid: 'skip' })) void response;
  } catch (error) {
    if (!GymError.isInstance(error))
      findings.push({ title: `${what}: ${String(error).split('\n')[0]}`, detail: bytes });
  }
  const seconds = (performance.now() - start) / 1000;
  if (seconds > LIMIT) findings.push({ title: `${what} takes long`, detail: `${seconds} s: ${bytes}` });
  const gain = process.memoryUsage.rss() - before;
  if (gain > MAX_GAIN) findings.push({ title: `${what} takes memory`, detail: `${gain} bytes: ${bytes}` });
  return findings;
}
