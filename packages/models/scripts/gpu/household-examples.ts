/** Examples of the household lesson as a file of JSON lines, compressed: an expert's episodes cost more time than learning from them. */
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import { examplesOf } from '../small/batches.js';
import { alfworld } from '../small/households.js';
import type { Example } from '../small/lesson.js';

/** Households of the training side. */
export async function writeExamples(file: string, count: number, seed = 0): Promise<void> {
  const lines = (await drawExamples(count, seed)).map((example) => JSON.stringify(example));
  await writeFile(file, gzipSync(lines.join('\n'), { level: 9 }));
}

export async function readExamples(file: string): Promise<Example[]> {
  const text = gunzipSync(await readFile(file)).toString('utf8');
  return text.split('\n').map((line) => JSON.parse(line) as Example);
}

export async function drawExamples(count: number, seed = 0): Promise<Example[]> {
  const options = { ...alfworld.options, ...alfworld.splits.train };
  const env = (await make(alfworld.env, { options })) as AnyEnv;
  const examples: Example[] = [];
  try {
    for await (const example of examplesOf(alfworld.mix, env, new Generator(new SeedSequence([seed])))) {
      examples.push(example);
      if (examples.length === count) return examples;
    }
    return examples;
  } finally {
    await env.close();
  }
}
