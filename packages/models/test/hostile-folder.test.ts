/** Files of model folders that would hang, exhaust memory, or mean something else than they seem to. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy, openTokenCodec, readModelFolder } from '@vlgym/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeToyFolder } from '../scripts/toy-folder.js';

setNumThreads(1);

const home = mkdtempSync(join(tmpdir(), 'vlgym-hostile-'));
const good = join(home, 'good');
beforeAll(() => writeToyFolder(good));
afterAll(() => rmSync(home, { recursive: true }));

type Json = Record<string, unknown>;
const readJson = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json;
const writeJson = (folder: string, name: string, value: unknown) =>
  writeFileSync(join(folder, name), JSON.stringify(value));

let copies = 0;
function changed(change: (folder: string) => void): string {
  copies += 1;
  const folder = join(home, `copy-${copies}`);
  cpSync(good, folder, { recursive: true });
  change(folder);
  return folder;
}

describe('how pictures are read', () => {
  const half = { image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] };
  const nested = (image: Json, keepsOther: boolean) =>
    changed((folder) => {
      const own = readJson(folder, 'preprocessor_config.json');
      writeJson(folder, 'processor_config.json', { image_processor: { ...own, ...image }, processor_class: 'X' });
      if (!keepsOther) rmSync(join(folder, 'preprocessor_config.json'));
    });

  it.each([false, true])('is taken from processor_config.json, the other file kept: %s', async (keepsOther) => {
    const folder = nested({ ...half, max_pixels: 28 * 28 * 6 }, keepsOther);
    const { config } = await readModelFolder(folder);
    expect(config).toMatchObject({ image: { mean: half.image_mean, std: half.image_std, maxPixels: 28 * 28 * 6 } });
    const { imageTokens } = await openTokenCodec({ model: folder });
    expect(imageTokens({ height: 1200, width: 1200 })).toBeLessThanOrEqual(6);
  });

  it('is taken from preprocessor_config.json where the other says nothing of pictures', async () => {
    const { config } = await readModelFolder(good);
    const folder = changed((path) => writeJson(path, 'processor_config.json', { processor_class: 'X' }));
    expect((await readModelFolder(folder)).config).toEqual(config);
  });

  it('is not guessed where no file says it', async () => {
    const folder = changed((path) => rmSync(join(path, 'preprocessor_config.json')));
    const refusal = { code: 'MODEL_FOLDER', message: expect.stringContaining('neither preprocessor_config.json') };
    await expect(readModelFolder(folder)).rejects.toMatchObject(refusal);
  });
});

const FILES = [
  'config.json',
  'tokenizer.json',
  'generation_config.json',
  'chat_template.jinja',
  'tokenizer_config.json',
];
it.runIf(process.platform !== 'win32').each([...FILES, 'preprocessor_config.json', 'model.safetensors.index.json'])(
  'a pipe in place of %s is refused, and not waited for',
  async (name) => {
    const folder = changed((path) => {
      rmSync(join(path, name), { force: true });
      execFileSync('mkfifo', [join(path, name)]);
    });
    await expect(readModelFolder(folder)).rejects.toMatchObject({
      code: expect.stringMatching(/^(MODEL_FOLDER|TOKENIZER_FILE)$/),
      message: expect.stringContaining('not a regular file'),
    });
  },
);

describe('a tokenizer', () => {
  const withTokenizer = (change: (definition: Json & { model: Json; added_tokens: Json[] }) => void) =>
    changed((folder) => {
      const definition = readJson(folder, 'tokenizer.json');
      change(definition as never);
      writeJson(folder, 'tokenizer.json', definition);
    });

  it.each<[string, Parameters<typeof withTokenizer>[0]]>([
    ['merges', ({ model }) => Object.assign(model, { merges: Array.from({ length: 2 ** 20 + 1 }, () => 'a b') })],
    [
      'added_tokens',
      ({ added_tokens }) => added_tokens.push({ ...added_tokens[0]!, id: 1000, content: 'x'.repeat(2 ** 20) }),
    ],
    [
      'added_tokens',
      ({ added_tokens }) => {
        for (let i = 0; i < 2_000; i += 1)
          added_tokens.push({ ...added_tokens[0]!, id: 1000, content: `${i}`.padEnd(1_000) });
      },
    ],
  ])('of too many %s is refused before anything is built of it', async (what, change) => {
    await expect(readModelFolder(withTokenizer(change))).rejects.toMatchObject({
      code: 'TOKENIZER_FILE',
      message: expect.stringContaining(what),
    });
  });

  it.each(['(a+)+$', '(.*)*x'])('whose pattern %s takes exponential time is stopped', async (regex) => {
    const split = { type: 'Split', pattern: { Regex: regex }, behavior: 'Isolated', invert: false };
    const folder = withTokenizer((definition) => {
      definition.pre_tokenizer = split;
    });
    const { encode } = await openTokenCodec({ model: folder });
    const messages = [{ role: 'user', content: `${'a'.repeat(900)}b` }] as const;
    expect(() => encode(messages)).toThrow(
      expect.objectContaining({ code: 'TOKENIZER_FILE', message: expect.stringContaining('pre_tokenizer') }),
    );
  });

  it('file of 100 MB is refused before it is read', async () => {
    const folder = changed((path) => writeFileSync(join(path, 'tokenizer.json'), Buffer.alloc(100_000_000, ' ')));
    await expect(readModelFolder(folder)).rejects.toMatchObject({ code: 'TOKENIZER_FILE' });
  });
});

it('a chat template of a megabyte is refused', async () => {
  const folder = changed((path) => writeFileSync(join(path, 'chat_template.jinja'), '{{ 1 }}'.repeat(200_000)));
  await expect(readModelFolder(folder)).rejects.toMatchObject({ code: 'CHAT_TEMPLATE' });
});

it.each([
  '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}',
  '{% set r = range(100000) %}{% for i in r %}{% for j in r if j < 0 %}{% endfor %}{% endfor %}',
  '{% for i in range(1000000000) %}x{% endfor %}',
  '{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}',
  '{% set n = namespace(x="a") %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}',
  '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
])('a chat template that would run for hours or fill the memory ends with an error: %s', async (template) => {
  const folder = changed((path) => writeFileSync(join(path, 'chat_template.jinja'), template));
  const { encode } = await openTokenCodec({ model: folder });
  expect(() => encode([{ role: 'user', content: 'a' }])).toThrow(expect.objectContaining({ code: 'CHAT_TEMPLATE' }));
});

it('a chat template renders a conversation of a thousand turns that looks back at each', async () => {
  const template =
    '{% for m in messages %}{% if loop.index0 > 0 and messages[loop.index0 - 1].role == m.role %}!{% endif %}' +
    '{{ m.content }}{% endfor %}{{ strftime_now("%Y") | length }}';
  const folder = changed((path) => writeFileSync(join(path, 'chat_template.jinja'), template));
  const { chatTemplate } = await readModelFolder(folder);
  const messages = Array.from({ length: 2000 }, (_, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: 'word '.repeat(1000),
  }));
  expect(chatTemplate.render(messages).text).toBe(`${'word '.repeat(2_000_000)}4`);
});

it('weights whose header calls them integers are refused, in a model and in an adapter', async () => {
  const retype = (path: string) => {
    const file = readFileSync(path, 'latin1');
    writeFileSync(path, file.replace('"F32"', '"I32"'), 'latin1');
  };
  const folder = changed((path) => retype(join(path, 'model.safetensors')));
  await expect(createPolicy({ model: folder })).rejects.toMatchObject({ code: 'MODEL_WEIGHTS' });
  const adapter = join(home, 'adapter-of-integers');
  const policy = await createPolicy({ model: good, train: { lora: { r: 2, alpha: 4 } } });
  await policy.saveAdapter(adapter);
  policy.close();
  retype(join(adapter, 'adapter_model.safetensors'));
  await expect(createPolicy({ model: good, adapter })).rejects.toMatchObject({ code: 'ADAPTER_MISMATCH' });
});

it.each([
  ['temperature', -1],
  ['temperature', '1'],
  ['top_p', 99],
  ['top_p', 0],
  ['top_k', -1],
  ['top_k', 1.5],
  ['repetition_penalty', 0],
])('sampling with %s %j is refused', async (key, value) => {
  const folder = changed((path) => writeJson(path, 'generation_config.json', { [key]: value }));
  await expect(readModelFolder(folder)).rejects.toMatchObject({
    code: 'MODEL_FOLDER',
    message: expect.stringContaining(`${key} is ${JSON.stringify(value)}`),
  });
});

describe('an adapter', () => {
  const SAVED = { r: 8, alpha: 16 } as const;
  let saved: string;
  beforeAll(async () => {
    saved = join(home, 'adapter');
    const policy = await createPolicy({ model: good, train: { lora: SAVED } });
    await policy.saveAdapter(saved);
    policy.close();
  });

  it.each(['pissa', 'pissa_niter_16', 'olora', 'corda', 'lora_ga', 'loftq', 'of a later version'])(
    'whose factors belong to a base without its first product (%s) is refused',
    async (init) => {
      const folder = join(home, `adapter-${init}`);
      cpSync(saved, folder, { recursive: true });
      writeJson(folder, 'adapter_config.json', { ...readJson(saved, 'adapter_config.json'), init_lora_weights: init });
      const refusal = { code: 'ADAPTER_UNSUPPORTED', message: expect.stringContaining('init_lora_weights') };
      await expect(createPolicy({ model: good, adapter: folder })).rejects.toMatchObject(refusal);
    },
  );

  it.each([
    [{ ...SAVED, alpha: 64 }, 'scale 2'],
    [{ ...SAVED, rankStabilized: true }, 'scale 2'],
    [{ ...SAVED, alphaPattern: { q_proj: 4 } }, 'scale 2'],
    [{ ...SAVED, r: 4, alpha: 8 }, 'rank 8'],
    [{ ...SAVED, rankPattern: { q_proj: 2 } }, 'rank 8'],
  ])('of another rank or scale than %j is refused, and what differs is named', async (lora, what) => {
    await expect(createPolicy({ model: good, adapter: saved, train: { lora } })).rejects.toMatchObject({
      code: 'ADAPTER_MISMATCH',
      message: expect.stringContaining(what),
    });
  });

  it('of the same scale in other words is taken', async () => {
    const lora = { r: 8, alpha: 2 * Math.sqrt(8), rankStabilized: true };
    const policy = await createPolicy({ model: good, adapter: saved, train: { lora } });
    policy.close();
  });

  it.runIf(process.platform !== 'win32')('whose description is a pipe is refused', async () => {
    const folder = join(home, 'adapter-pipe');
    cpSync(saved, folder, { recursive: true });
    rmSync(join(folder, 'adapter_config.json'));
    execFileSync('mkfifo', [join(folder, 'adapter_config.json')]);
    await expect(createPolicy({ model: good, adapter: folder })).rejects.toMatchObject({ code: 'ADAPTER_FOLDER' });
  });
});
