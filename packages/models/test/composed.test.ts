/** A decoder of text with a vision encoder and a projector: what stays, what is new, what learns, what is refused. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatMessage, Generator, type Image } from '@vlgym/core';
import { safetensors, setNumThreads, tidy } from '@vlgym/gpu';
import {
  composeModel,
  createPolicy,
  inspectModel,
  openTokenCodec,
  readModelFolder,
  type VlmPolicy,
} from '@vlgym/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ToyType, writeToyFolder } from '../scripts/toy-folder.js';

setNumThreads(1);
const home = mkdtempSync(join(tmpdir(), 'vlgym-composed-'));
const at = (...names: string[]) => join(home, ...names);
/** Text alone, and a vocabulary without tokens for pictures. */
const text = (name: string) =>
  fileURLToPath(new URL(`../../../test/golden/text-models/${name}/model`, import.meta.url));
const tiles = (name: string) =>
  fileURLToPath(new URL(`../../../test/golden/tile-models/${name}/model`, import.meta.url));
const TOYS: readonly ToyType[] = ['qwen2_vl', 'qwen2_5_vl', 'qwen3_vl'];
const COMPOSITIONS = [
  ['llama', 'tiny'],
  ['qwen2', 'qwen2_vl'],
  ['qwen3', 'qwen2_5_vl'],
  ['gemma3_text', 'qwen3_vl'],
  ['llama_scaled', 'gemma3'],
  ['llama', 'smolvlm'],
  ['qwen3', 'idefics3'],
  ['qwen2', 'llava_next'],
  ['llama', 'siglip'],
  ['qwen3', 'clip'],
] as const;
/** Encoders that are published alone: those of the golden models, under the names that they then have. */
const ALONE: Readonly<Record<string, string>> = { siglip: 'gemma3', clip: 'llava_next' };
const eyeOf = (vision: string) =>
  vision === 'tiny' ? vision : vision in ALONE || TOYS.some((toy) => toy === vision) ? at(vision) : tiles(vision);
const nameOf = (decoder: string, vision: string) => `${decoder}+${vision}`;

beforeAll(async () => {
  for (const type of TOYS) await writeToyFolder(at(type), { type });
  for (const [type, model] of Object.entries(ALONE)) writeEncoder(at(type), type, tiles(model));
  for (const [decoder, vision] of COMPOSITIONS) {
    await composeModel({ decoder: text(decoder), vision: eyeOf(vision), out: at(nameOf(decoder, vision)) });
  }
});
afterAll(() => rmSync(home, { recursive: true }));

function writeEncoder(folder: string, type: string, model: string): void {
  const json = (name: string) => JSON.parse(readFileSync(join(model, name), 'utf8'));
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ model_type: type, vision_config: json('config.json').vision_config }),
  );
  writeFileSync(
    join(folder, 'preprocessor_config.json'),
    JSON.stringify(json('processor_config.json').image_processor),
  );
  using file = new safetensors.SafetensorsFile(join(model, 'model.safetensors'));
  tidy(() => {
    const weights = file.keys().flatMap((name) => {
      const [, own] = /vision_tower\.(?:vision_model\.)?(.*)$/.exec(name) ?? [];
      return own === undefined ? [] : [[`vision_model.${own}`, file.get(name)] as const];
    });
    safetensors.saveSync(join(folder, 'model.safetensors'), new Map(weights));
  });
}

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function policyOf(model: string, options: Parameters<typeof createPolicy>[0] = {}): Promise<VlmPolicy> {
  const train = { lora: { r: 4, alpha: 8 } };
  const policy = await createPolicy({ model, dtype: 'float32', config: { valueHead: [4] }, train, ...options });
  open.push(policy);
  return policy;
}

function picture(level: number): Image {
  const rng = new Generator(level);
  const data = Uint8Array.from({ length: 56 * 84 * 3 }, () => Math.min(255, level + rng.integers(20)));
  return { data, height: 56, width: 84, channels: 3 };
}
const asked = (image: Image | null): ChatMessage[] => [
  {
    role: 'user',
    content: [...(image ? [{ type: 'image', image } as const] : []), { type: 'text', text: 'Which way?' }],
  },
];
const likelihood = async (policy: VlmPolicy, messages: readonly ChatMessage[], answer = 'left') => {
  const { ids: responseIds } = policy.encodeResponse(answer);
  const { logProbs } = await policy.score([{ input: policy.encode(messages), responseIds }]);
  return Array.from(logProbs[0]!);
};

describe.each(COMPOSITIONS)('%s with the eyes of %s', (decoder, vision) => {
  const folder = at(nameOf(decoder, vision));

  it('reads text as its decoder does', async () => {
    const [whole, alone] = [await policyOf(folder), await policyOf(text(decoder))];
    const messages = asked(null);
    expect(whole.encode(messages).promptIds).toEqual(alone.encode(messages).promptIds);
    const [here, there] = [await likelihood(whole, messages), await likelihood(alone, messages)];
    // the new tokens take a part of the probability
    for (const [token, logProb] of here.entries()) {
      expect(logProb).toBeLessThanOrEqual(there[token]! + 1e-4);
      expect(logProb).toBeGreaterThan(there[token]! - 0.1);
    }
  });

  it('sees: a picture is tokens of its own, and another picture another answer', async () => {
    const policy = await policyOf(folder);
    const input = policy.encode(asked(picture(40)));
    expect(input.promptIds.length).toBeGreaterThan(policy.encode(asked(null)).promptIds.length + 2);
    const [dark, light] = [await likelihood(policy, asked(picture(0))), await likelihood(policy, asked(picture(220)))];
    expect(dark).not.toEqual(light);
    const [sampled] = await policy.sample([input], { maxNewTokens: 6, rng: new Generator(1) });
    const { logProbs } = await policy.score([{ input, responseIds: sampled!.tokenIds }]);
    for (const [token, logProb] of sampled!.logProbs.entries()) expect(logProb).toBeCloseTo(logProbs[0]![token]!, 4);
  });

  it('has gradients in the encoder, the projector and the decoder, and learns', async () => {
    const policy = await policyOf(folder);
    const sequence = { input: policy.encode(asked(picture(40))), responseIds: policy.encodeResponse('left').ids };
    const loss = () => policy.accumulate([sequence], ({ logProbs }) => logProbs.sum().neg());
    const before = await loss();
    await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
    expect(await loss()).toBeLessThan(before);
    const moved = (part: string) =>
      [...policy.adapterState()].filter(([name, factor]) => {
        const isMoved = name.startsWith(part) && name.endsWith('lora_B.weight');
        return isMoved && factor.toNumbers().some((number) => number !== 0);
      }).length;
    expect(moved('projector.')).toBe(2);
    const isTower = !['tiny', ...TOYS].includes(vision);
    expect(moved(isTower ? 'visual.encoder.layers.' : 'visual.blocks.')).toBeGreaterThan(0);
    expect(moved('visual.merger.')).toBe(isTower ? 0 : 2);
    expect(moved('model.layers.')).toBeGreaterThan(0);
  });

  it('is inspected, and adapters are counted with its eyes', async () => {
    const inspected = await inspectModel(folder, { lora: { r: 2, alpha: 4 } });
    const alone = await inspectModel(text(decoder), { lora: { r: 2, alpha: 4 } });
    expect(inspected).toMatchObject({ modelType: 'vlgym_composed', family: 'composed' });
    expect(inspected.visionParameters).toBeGreaterThan(0);
    expect(inspected.adapterParameters).toBeGreaterThan(alone.adapterParameters);
  });
});

it.each([
  ['qwen2', 'qwen2_vl'],
  ['llama', 'smolvlm'],
  ['llama_scaled', 'gemma3'],
  ['qwen2', 'llava_next'],
])('takes the weights of an encoder as they are: %s with the eyes of %s', async (decoder, vision) => {
  const [whole, eye] = [await policyOf(at(nameOf(decoder, vision))), await policyOf(eyeOf(vision))];
  const weightsOf = ({ model }: VlmPolicy) =>
    new Map(
      [...model.namedParameters()].flatMap(([name, weight]) => {
        const [, own] =
          /^(?:model\.)*(?:visual|vision_model|vision_tower)\.(.*)$/.exec(name.replace(/^language\./, '')) ?? [];
        return own === undefined || own.includes('lora') ? [] : [[own, weight.toNumbers()] as const];
      }),
    );
  const [taken, given] = [weightsOf(whole), weightsOf(eye)];
  expect(taken.size).toBeGreaterThan(10);
  // in the dtype of the decoder, here bfloat16: 8 bits of each number
  const differ = (numbers: readonly number[], others: readonly number[]) =>
    numbers.length !== others.length || numbers.some((x, i) => Math.abs(x - others[i]!) > Math.abs(others[i]!) / 256);
  expect([...taken].filter(([name, numbers]) => differ(numbers, given.get(name) ?? [])).map(([name]) => name)).toEqual(
    [],
  );
});

it('is encoded without weights where its eyes keep the shape of pictures, and refused elsewhere', async () => {
  const whole = await policyOf(at(nameOf('llama', 'tiny')));
  const codec = await openTokenCodec({ model: at(nameOf('llama', 'tiny')) });
  expect(codec.encode(asked(picture(40))).promptIds).toEqual(whole.encode(asked(picture(40))).promptIds);
  const square = openTokenCodec({ model: at(nameOf('llama', 'siglip')) });
  await expect(square).rejects.toMatchObject({ code: 'CODEC_UNSUPPORTED' });
});

it('is not opened without the file that says how pictures are read', async () => {
  const out = at('no-preprocessor');
  await composeModel({ decoder: text('llama'), vision: 'tiny', out });
  rmSync(join(out, 'preprocessor_config.json'));
  await expect(createPolicy({ model: out })).rejects.toMatchObject({ code: 'MODEL_FOLDER' });
});

it('learns to tell pictures apart, which the decoder alone cannot', async () => {
  const policy = await policyOf(at(nameOf('llama', 'tiny')), { train: { lora: { r: 64, alpha: 128 } } });
  const pairs = [
    [picture(0), 'left'],
    [picture(220), 'right'],
  ] as const;
  const sequences = pairs.map(([image, answer]) => ({
    input: policy.encode(asked(image)),
    responseIds: policy.encodeResponse(answer).ids,
  }));
  for (let step = 0; step < 40; step += 1) {
    await policy.accumulate(sequences, ({ logProbs }) => logProbs.sum().neg());
    await policy.step({ learningRate: 3e-3, maxGradNorm: 1 });
  }
  const sampled = await policy.sample(
    sequences.map(({ input }) => input),
    { maxNewTokens: 8, temperature: 0, rng: new Generator(0) },
  );
  expect(sampled.map(({ text: said }) => said)).toEqual(['left', 'right']);
});

it('is the same for the same seed', async () => {
  const bytes = async (name: string, seed: number) => {
    await composeModel({ decoder: text('llama'), vision: 'tiny', out: at(name), seed });
    return readFileSync(at(name, 'model.safetensors'));
  };
  const first = await bytes('first', 3);
  expect(first.equals(await bytes('again', 3))).toBe(true);
  expect(first.equals(await bytes('other', 4))).toBe(false);
});

it('adds tokens for pictures where the vocabulary has none', async () => {
  const { tokenizer, config, chatTemplate } = await readModelFolder(at(nameOf('llama', 'tiny')));
  const { tokenizer: before } = await readModelFolder(text('llama'));
  expect(tokenizer.size).toBe(before.size + 3);
  expect(config.vocabSize).toBeGreaterThanOrEqual(tokenizer.size);
  expect(chatTemplate.render(asked(picture(1))).text).toContain(
    '<|vision_start|><|image_pad|><|vision_end|>Which way?',
  );
});

describe('an adapter', () => {
  it('of this composition is loaded, of another one refused', async () => {
    const policy = await policyOf(at(nameOf('llama', 'tiny')));
    const sequence = { input: policy.encode(asked(picture(40))), responseIds: policy.encodeResponse('left').ids };
    await policy.accumulate([sequence], ({ logProbs }) => logProbs.sum().neg());
    await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
    await policy.saveAdapter(at('adapter'));
    const again = await policyOf(at(nameOf('llama', 'tiny')), { train: undefined, adapter: at('adapter') });
    expect(await likelihood(again, asked(picture(40)))).toEqual(await likelihood(policy, asked(picture(40))));
    await composeModel({ decoder: text('llama'), vision: 'tiny', out: at('stranger'), seed: 9 });
    const model = at('stranger');
    await expect(createPolicy({ model, adapter: at('adapter') })).rejects.toMatchObject({ code: 'ADAPTER_MISMATCH' });
  });
});

describe('a composition is refused', () => {
  it.each<[string, string, () => Parameters<typeof composeModel>[0]]>([
    [
      'MODEL_TYPE_UNSUPPORTED',
      'of a decoder that sees',
      () => ({ decoder: at('qwen2_vl'), vision: 'tiny', out: at('x') }),
    ],
    [
      'MODEL_TYPE_UNSUPPORTED',
      'with blind eyes',
      () => ({ decoder: text('llama'), vision: text('qwen2'), out: at('x') }),
    ],
    ['FOLDER_EXISTS', 'where a folder is', () => ({ decoder: text('llama'), vision: 'tiny', out: at('qwen2_vl') })],
    ['MODEL_FOLDER', 'of nothing', () => ({ decoder: at('nowhere'), vision: 'tiny', out: at('x') })],
    ['INVALID_OPTION', 'with half a seed', () => ({ decoder: text('llama'), vision: 'tiny', out: at('x'), seed: 0.5 })],
    ['UNKNOWN_OPTION', 'misspelled', () => ({ decoder: text('llama'), eyes: 'tiny', vision: 'tiny', out: at('x') })],
  ])('%s: %s', async (code, _, options) => {
    await expect(composeModel(options())).rejects.toMatchObject({ code });
  });

  it.each<[string, (config: Record<string, Record<string, unknown>>) => unknown]>([
    ['MODEL_WEIGHTS', ({ text_config }) => Object.assign(text_config!, { intermediate_size: 40 })],
    ['MODEL_WEIGHTS', ({ vision_config }) => Object.assign(vision_config!.vision_config as object, { depth: 5 })],
    ['MODEL_WEIGHTS', ({ vision_config }) => widen(vision_config!)],
    ['MODEL_CONFIG_UNSUPPORTED', ({ text_config }) => Object.assign(text_config!, { model_type: 'mamba' })],
    ['MODEL_CONFIG_UNSUPPORTED', ({ vision_config }) => Object.assign(vision_config!, { model_type: 'dinov2' })],
    ['MODEL_CONFIG_UNSUPPORTED', (config) => Object.assign(config, { vision_config: 1 })],
    [
      'MODEL_CONFIG_INVALID',
      ({ vision_config }) => Object.assign(vision_config!.vision_config as object, { num_heads: 5 }),
    ],
  ])('%s: a folder whose parts do not fit', async (code, change) => {
    const out = at('damaged');
    await composeModel({ decoder: text('llama'), vision: 'tiny', out });
    const config = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8'));
    change(config);
    writeFileSync(join(out, 'config.json'), JSON.stringify(config));
    await expect(createPolicy({ model: out })).rejects.toMatchObject({ code });
    rmSync(out, { recursive: true });
  });
});

/** Tokens of the encoder as wide as another projector takes them. */
function widen(config: Record<string, unknown>): void {
  Object.assign(config, { hidden_size: 384, num_attention_heads: 24, num_key_value_heads: 24 });
  Object.assign(config.vision_config as object, { hidden_size: 384 });
}
