/** The process that decodes a Parquet file, and its watch: this file is loaded by name, twice. */
import { open } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import { decodeParquet } from './decode.js';
import type { DecodeAnswer, DecodeTask } from './protocol.js';
import { startWatch, watch } from './watch.js';

/** Rows of one answer; rows with pictures are large. */
const ROWS = 32;

async function* answers({ file, groupBytes, memoryBytes, columns }: DecodeTask): AsyncGenerator<DecodeAnswer> {
  try {
    const handle = await open(file, 'r');
    const withinTime = startWatch(new URL(import.meta.url), memoryBytes);
    for await (const rows of decodeParquet(handle, groupBytes, withinTime, columns)) {
      for (let at = 0; at < rows.length; at += ROWS) yield { rows: rows.slice(at, at + ROWS) };
    }
    yield { rows: [] };
  } catch (error) {
    yield { problem: error instanceof Error ? error.message : 'it is damaged' };
  }
}

if (isMainThread) {
  const list = answers(JSON.parse(process.argv[2]!) as DecodeTask);
  process.on('message', async () => {
    const { value } = await list.next();
    if (value) process.send!(value);
  });
  process.on('disconnect', () => process.exit());
} else watch();
