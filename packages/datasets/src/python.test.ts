/**
 * Both ways with Hugging Face's `datasets`, which TRL reads with. Needs a Python that has it, as VLGYM_DATASETS_PYTHON:
 * `python3 -m venv FOLDER && FOLDER/bin/pip install datasets pillow`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Image } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { type ChatExample, readExamples, writeJsonLines, writeParquet } from './index.js';

const python = process.env.VLGYM_DATASETS_PYTHON;

const PROGRAM = `
import json, os, sys
import datasets
folder = sys.argv[1]
rows = datasets.load_dataset("parquet", data_files=folder + "/a.parquet", split="train", cache_dir=folder + "/cache")
lines = datasets.load_dataset("json", data_files=folder + "/a.jsonl", split="train", cache_dir=folder + "/cache")
row = rows[0]
picture = row["images"][0]
print(json.dumps({
  "prompt": row["prompt"], "completion": row["completion"],
  "size": picture.size, "pixels": list(picture.convert("RGB").tobytes()),
  "lines": [line["completion"][0]["content"][0]["text"] for line in lines],
  "files": [os.path.exists(os.path.join(folder, name)) for name in lines[0]["images"]],
}))
rows.to_parquet(folder + "/python.parquet")
`;

const picture: Image = { data: Uint8Array.from({ length: 18 }, (_, i) => 9 * i), height: 2, width: 3, channels: 3 };
const EXAMPLES: readonly ChatExample[] = [0, 1].map((i) => ({
  prompt: [
    {
      role: 'user',
      content: [
        { type: 'image', image: picture },
        { type: 'text', text: `é ${i}` },
      ],
    },
  ],
  response: `answer ${i}`,
  source: '',
  group: '',
}));

async function* examples(): AsyncGenerator<ChatExample> {
  yield* EXAMPLES;
}

describe.skipIf(!python)('datasets in Python (skipped without VLGYM_DATASETS_PYTHON)', () => {
  it('reads what is written here, pictures included, and its files are read here', { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-python-datasets-'));
    await writeParquet(join(folder, 'a.parquet'), examples());
    await writeJsonLines(join(folder, 'a.jsonl'), examples());
    const { stdout } = await promisify(execFile)(python!, ['-c', PROGRAM, folder], {
      env: { ...process.env, HF_HUB_OFFLINE: '1' },
    });
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'image', text: null },
            { type: 'text', text: 'é 0' },
          ],
        },
      ],
      completion: [{ role: 'assistant', content: [{ type: 'text', text: 'answer 0' }] }],
      size: [3, 2],
      pixels: [...picture.data],
      lines: ['answer 0', 'answer 1'],
      files: [true],
    });
    const again: ChatExample[] = [];
    for await (const example of readExamples(join(folder, 'python.parquet'))) again.push(example);
    expect(again.map(({ prompt, response }) => ({ prompt, response }))).toEqual(
      EXAMPLES.map(({ prompt, response }) => ({ prompt, response })),
    );
    await rm(folder, { recursive: true });
  });
});
