/** Turns of a conversation are read once: the scores and gradients are those of turns that are read one by one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatMessage, Generator, type Image } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { type CreatePolicyOptions, createPolicy, type LanguageModel, type VlmPolicy } from '@vlgym/models';
import type { PolicyOutputs, Sequence } from '@vlgym/rl';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ToyType, writeToyFolder } from '../scripts/toy-folder.js';

setNumThreads(1);
const home = mkdtempSync(join(tmpdir(), 'vlgym-conversations-'));
const TOYS: readonly ToyType[] = ['qwen2_vl', 'qwen3_vl'];
const golden = (name: string) =>
  fileURLToPath(new URL(`../../../test/golden/tile-models/${name}/model`, import.meta.url));
const FAMILIES: readonly (readonly [string, CreatePolicyOptions])[] = [
  ['tiny', {}],
  ...TOYS.map((type) => [type, { model: join(home, type), config: { valueHead: [4] } }] as const),
  ['gemma3', { model: golden('gemma3'), config: { valueHead: [4] } }],
];
beforeAll(async () => {
  for (const type of TOYS) await writeToyFolder(join(home, type), { type });
});
afterAll(() => rmSync(home, { recursive: true }));

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function policyOf(options: CreatePolicyOptions): Promise<VlmPolicy> {
  const policy = await createPolicy({
    dtype: 'float64',
    seed: 3,
    train: 'full',
    ...options,
  });
  open.push(policy);
  return policy;
}

function picture(seed: number): Image {
  const rng = new Generator(seed);
  const [height, width] = [28, 28 * (1 + (seed % 2))];
  return { data: Uint8Array.from({ length: height * width * 3 }, () => rng.integers(256)), height, width, channels: 3 };
}

/** Three turns, each with a picture; answers stand in later prompts as they were written. */
function turns(policy: VlmPolicy, seed: number): Sequence[] {
  const answers = ['left', 'and then right', 'on'];
  const messages: ChatMessage[] = [];
  return answers.map((answer, turn) => {
    const image = picture(10 * seed + turn);
    messages.push({
      role: 'user',
      content: [
        { type: 'text', text: `turn ${turn} of ${seed}` },
        { type: 'image', image },
      ],
    });
    const input = policy.encode(messages);
    messages.push({ role: 'assistant', content: answer });
    return { input, responseIds: policy.encodeResponse(answer).ids };
  });
}

/** Rows and columns of each forward. */
function forwards(policy: VlmPolicy): number[][] {
  const shapes: number[][] = [];
  const { language } = policy.model as unknown as { readonly language: LanguageModel };
  const embed = language.embed.bind(language);
  vi.spyOn(language, 'embed').mockImplementation((ids, images) => {
    shapes.push([...ids.shape]);
    return embed(ids, images);
  });
  return shapes;
}

const gradients = (policy: VlmPolicy) =>
  [...policy.model.namedParameters()].map(([, { grad }]) => (grad ? [...grad.toNumbers()] : []));

function expectClose(a: ArrayLike<number>, b: ArrayLike<number>): void {
  expect(a.length).toBe(b.length);
  const largest = (numbers: ArrayLike<number>, of: (number: number, i: number) => number) =>
    Array.from(numbers, of).reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  const difference = largest(a, (number, i) => number - b[i]!);
  expect(difference / Math.max(1e-6, largest(b, Number))).toBeLessThan(1e-6);
}

const loss = ({ logProbs, entropies, tokenValues, values, mask }: PolicyOutputs) =>
  logProbs
    .sum()
    .add(entropies.mul(entropies).sum())
    .add(tokenValues.mul(tokenValues).mul(mask).sum())
    .add(values.mul(values).sum());

describe.each(FAMILIES)('%s', (_, options) => {
  it('reads conversations of three and of two turns in two lines, and finds what five lines have', async () => {
    const policy = await policyOf(options);
    const [a, b] = [turns(policy, 1), turns(policy, 2)];
    const all = [a[1]!, a[0]!, b[1]!, a[2]!, b[0]!];
    const shapes = forwards(policy);
    const asked = { tokenValues: true, states: true, divergence: { from: 'reference', kind: 'exact-kl' } } as const;
    const together = await policy.score(all, asked);
    const longest = Math.max(...all.map(({ input, responseIds }) => input.promptIds.length + responseIds.length - 1));
    expect(shapes).toEqual([
      [2, longest],
      [2, longest],
    ]);
    for (const [i, sequence] of all.entries()) {
      const alone = await policy.score([sequence], asked);
      for (const key of ['logProbs', 'entropies', 'tokenValues', 'states', 'divergences'] as const)
        expectClose(together[key]![i]!, alone[key]![0]!);
      expectClose([together.values[i]!], [alone.values[0]!]);
    }
  });

  it.each<CreatePolicyOptions>([{}, { denseVocabulary: 1 }, { checkpointActivations: true }])(
    'has the same gradients with %j',
    async (way) => {
      const [one, many] = [await policyOf({ ...options, ...way }), await policyOf({ ...options, ...way })];
      const total = await one.accumulate(turns(one, 1), loss);
      let sum = 0;
      for (const sequence of turns(many, 1)) sum += await many.accumulate([sequence], loss);
      expect(total).toBeCloseTo(sum, 6);
      for (const [i, gradient] of gradients(one).entries()) expectClose(gradient, gradients(many)[i]!);
    },
  );
});

it('a turn that later prompts hold in other tokens is read alone', async () => {
  const policy = await policyOf({});
  const [first, second] = turns(policy, 1) as [Sequence, Sequence];
  const letters = ['l', 'e', 'f', 't'].flatMap((letter) => [...policy.encodeResponse(letter).ids.slice(0, -1)]);
  const spelled = { ...first, responseIds: Int32Array.from([...letters, first.responseIds.at(-1)!]) };
  const shapes = forwards(policy);
  await policy.score([spelled, second]);
  expect(shapes.map(([rows]) => rows)).toEqual([2]);
  await policy.score([first, second]);
  expect(shapes.map(([rows]) => rows)).toEqual([2, 1]);
});
