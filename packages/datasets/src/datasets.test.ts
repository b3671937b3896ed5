import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, oracleAgent } from '@vlgym/agents';
import type { Image } from '@vlgym/core';
import { encodePng, toDataUrl } from '@vlgym/core/images';
import { readTrajectories } from '@vlgym/core/trajectory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import '@vlgym/points24';
import { type ChatExample, readExamples, writeJsonLines, writeParquet } from './index.js';
import type { ReadExamplesOptions } from './read.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-datasets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const picture: Image = { data: Uint8Array.from({ length: 12 }, (_, i) => i), height: 2, width: 2, channels: 3 };
const wide: Image = { data: new Uint8Array(300), height: 1, width: 100, channels: 3 };

async function all(path: string, options?: ReadExamplesOptions): Promise<ChatExample[]> {
  const examples: ChatExample[] = [];
  for await (const example of readExamples(path, options)) examples.push(example);
  return examples;
}

async function rows(...lines: readonly unknown[]): Promise<string> {
  const path = join(folder, 'rows.jsonl');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  await writeFile(path, `${text}\n`);
  return path;
}

const plain = { prompt: 'What is 3 + 4?', completion: '7' };
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });

async function* several(examples: readonly ChatExample[]): AsyncGenerator<ChatExample> {
  yield* examples;
}

describe("rows in TRL's layout", () => {
  it('a conversation is one example for every assistant turn', async () => {
    const messages = [user('a'), assistant('b'), user('c'), assistant('d')];
    const [first, second] = await all(await rows({ messages }));
    expect(first).toMatchObject({ prompt: [user('a')], response: 'b' });
    expect(second).toMatchObject({ prompt: messages.slice(0, 3), response: 'd' });
  });

  it('an assistant turn of the prompt is not learned', async () => {
    const prompt = [user('a'), assistant('b'), user('c')];
    const examples = await all(await rows({ prompt, completion: [assistant('d')] }));
    expect(examples.map(({ response }) => response)).toEqual(['d']);
  });

  it('pictures go to their places in order, from data URLs and from files next to the dataset', async () => {
    await writeFile(join(folder, 'one.png'), encodePng(wide));
    const content = [{ type: 'image' }, { type: 'text', text: 'Compare.' }, { type: 'image' }];
    const path = await rows({ messages: [user(content), assistant('b')], images: [toDataUrl(picture), 'one.png'] });
    const [example] = await all(path);
    expect(example!.prompt[0]!.content).toEqual([
      { type: 'image', image: picture },
      { type: 'text', text: 'Compare.' },
      { type: 'image', image: wide },
    ]);
  });

  it('pictures without places come before the first user message', async () => {
    const [example] = await all(await rows({ ...plain, images: [toDataUrl(picture)] }));
    expect(example!.prompt[0]!.content).toEqual([
      { type: 'image', image: picture },
      { type: 'text', text: plain.prompt },
    ]);
  });
});

describe('invalid rows', () => {
  const URL = toDataUrl(picture);
  it.each<readonly [string, unknown, RegExp]>([
    ['no columns', { text: 'a' }, /neither `messages` nor/],
    ['both layouts', { ...plain, messages: [user('a'), assistant('b')] }, /or both/],
    ['no answer', { messages: [user('a')] }, /no assistant message/],
    ['no question', { messages: [assistant('a')] }, /nothing to answer/],
    ['a prompt alone', { prompt: 'a' }, /belong together/],
    ['an unknown role', { messages: [{ role: 'tool', content: 'a' }] }, /messages\.0\.role/],
    ['torn JSON', '{"prompt":', /not JSON/],
    ['a place without a picture', { messages: [user([{ type: 'image' }]), assistant('b')] }, /fewer pictures/],
    [
      'a picture without a place',
      { messages: [user([{ type: 'text', text: 'a' }]), assistant('b')], images: [URL] },
      /1 pictures and 0 places/,
    ],
    ['a picture from elsewhere', { ...plain, images: ['/etc/hostname'] }, /not a path next to/],
    ['a picture above the folder', { ...plain, images: ['../../etc/hostname'] }, /outside|cannot be read/],
    ['a picture from the network', { ...plain, images: ['http://127.0.0.1/a.png'] }, /not a path next to/],
    [
      'a JPEG',
      { ...plain, images: [`data:image/png;base64,${Buffer.alloc(64, 0xff).toString('base64')}`] },
      /not a PNG/,
    ],
    ['a picture of more pixels', { ...plain, images: [toDataUrl(wide)] }, /100 by 1 pixels, more than 50/],
    ['a long row', { prompt: 'x'.repeat(2000), completion: 'a' }, /bytes, more than 2000/],
  ])('%s: the line is named', async (_, row, message) => {
    const path = await rows(plain, row, plain);
    const limits = { rowBytes: 2000, imagePixels: 50 };
    await expect(all(path, { limits })).rejects.toMatchObject({
      code: 'DATASET_ROW',
      message: expect.stringMatching(/line 2: /),
    });
    await expect(all(path, { limits })).rejects.toThrow(message);
    const problems: Error[] = [];
    const kept = await all(path, { limits, onInvalid: 'skip', onProblem: (problem) => problems.push(problem) });
    expect([kept.length, problems.length]).toEqual([2, 1]);
  });

  it('a picture behind a link that leaves the folder is refused', async () => {
    await symlink('/etc/hostname', join(folder, 'link.png'));
    await expect(all(await rows({ ...plain, images: ['link.png'] }))).rejects.toThrow(/outside of the dataset/);
  });

  it('a picture that is a named pipe is refused without waiting for its writer', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.png')]);
    await expect(all(await rows({ ...plain, images: ['pipe.png'] }))).rejects.toThrow(/is not a file/);
  });

  it('a damaged Parquet file is one error with its name', async () => {
    const path = join(folder, 'a.parquet');
    await writeParquet(
      path,
      several([{ prompt: [{ role: 'user', content: 'a' }], response: 'b', source: '', group: '' }]),
    );
    const { readFile } = await import('node:fs/promises');
    const bytes = await readFile(path);
    for (const cut of [0, 7, bytes.length >> 1, bytes.length - 1]) {
      await writeFile(path, bytes.subarray(0, cut));
      await expect(all(path)).rejects.toMatchObject({ code: 'DATASET_FILE', file: path });
    }
  });
});

describe('files', () => {
  const examples: readonly ChatExample[] = [
    {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'é 🂡' },
      ],
      response: 'ja\n"',
      source: 'a',
      group: 'a',
    },
    {
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'image', image: picture },
            { type: 'text', text: 'What?' },
          ],
        },
      ],
      response: '12 dots',
      source: 'b',
      group: 'b',
    },
  ];
  /** Written files have every content as a list of parts. */
  const normal = ({ prompt, response }: ChatExample) => ({
    prompt: prompt.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    })),
    response,
  });

  it.each([
    ['JSON Lines', 'a.jsonl', writeJsonLines],
    ['Parquet', 'a.parquet', writeParquet],
  ] as const)('%s gives back what was written', async (_, name, write) => {
    const path = join(folder, name);
    expect(await write(path, several(examples))).toBe(2);
    expect((await all(path)).map(normal)).toEqual(examples.map(normal));
  });

  it('a recording becomes examples, unsuccessful episodes left out', async () => {
    const record = join(folder, 'episodes');
    const env = 'vlgym/EZPoints-v1';
    await evaluate({ env, agent: oracleAgent(), episodes: 3, record });
    const steps: string[] = [];
    for await (const { steps: played } of readTrajectories(record))
      for (const { response } of played) steps.push(response!);
    expect(steps.every((response) => response.length > 0)).toBe(true);
    const learned = await all(record);
    expect(learned.map(({ response }) => response)).toEqual(steps);
    expect(learned[0]!.prompt[0]!.content).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'image' })]),
    );
    expect(await all(record, { minReturn: 1000 })).toEqual([]);
  });
});
