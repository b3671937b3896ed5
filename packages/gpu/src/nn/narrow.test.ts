/** Weights in fewer bytes: their products are those of the numbers that they hold. */
import { afterAll, describe, expect, it } from 'vitest';
import { arange, Generator, memory, nn, noGrad, ones, randn, type Tensor, tidy, zeros } from '../index.js';

const WIDTH = 37; // neither a multiple of a register nor even
const OUTPUTS = 19;
const ROWS = 11;
/** Up to here products are those of float32. */
const FEW = 8;
const table = randn([ROWS, WIDTH], { generator: new Generator(1) });
const matrix = randn([OUTPUTS, WIDTH], { generator: new Generator(2) });
const bias = randn([OUTPUTS], { generator: new Generator(3) });
afterAll(() => {
  for (const tensor of [table, matrix, bias]) tensor.dispose();
});

/** A layer that adds nothing, so that a row of the table meets the head alone. */
function decoder(head: nn.DecoderLinear, records = false): nn.Decoder {
  const zero = (...shape: number[]) => ({ weight: zeros(shape) });
  return new nn.Decoder({
    ...{ heads: 1, keyValueHeads: 1, headWidth: 2, normEps: 1e-6, wideNorm: false, records },
    embedding: table,
    layers: [
      {
        ...{ inputNorm: ones([WIDTH]), qkv: zero(6, WIDTH), output: zero(WIDTH, 2) },
        ...{ middleNorm: ones([WIDTH]), gateUp: zero(6, WIDTH), down: zero(WIDTH, 3) },
      },
    ],
    norm: ones([WIDTH]),
    head,
  });
}

function scores(head: nn.DecoderLinear, rows: number): Tensor {
  using made = decoder(head);
  const cache = { keys: [zeros([rows, 1, 1, 2])], values: [zeros([rows, 1, 1, 2])], length: 0 };
  const angles = zeros([1, 1, 1, 2]);
  return made.scores(arange(0, rows, 1, { dtype: 'int64' }), { cos: angles, sin: angles, mask: null, cache });
}

/** Numbers that a narrow weight holds. */
function held({ weight, scales }: nn.NarrowWeight): Tensor {
  const entries = weight.to('float32');
  return scales ? entries.mul(scales.unsqueeze(1)) : entries;
}

const largest = (a: Tensor, b: Tensor) => a.sub(b).abs().max().item();

describe.each([
  { dtype: 'bfloat16', error: 2 ** -8 },
  { dtype: 'int8', error: 1 / 254 },
] as const)('weights in $dtype', ({ dtype, error }) => {
  it('hold each row to the precision of the dtype', () => {
    tidy(() => {
      const difference = held(nn.narrowed(matrix, dtype)).sub(matrix).abs();
      const bounds = matrix
        .abs()
        .amax([1])
        .mul(error * 1.001);
      expect(difference.amax([1]).le(bounds).all().item()).toBe(1);
    });
  });

  it.each([1, 2, 3, FEW, FEW + 1, ROWS])('multiply %d rows', (rows) => {
    tidy(() => {
      const narrow = nn.narrowed(matrix, dtype);
      const exact = scores({ weight: held(narrow), bias }, rows);
      const found = scores({ ...narrow, bias }, rows);
      // the products of bfloat16 round activations and results as well
      expect(largest(found, exact)).toBeLessThan(rows <= FEW ? 1e-5 : 0.15);
    });
  });

  it('keep adapters next to them in float32', () => {
    tidy(() => {
      const narrow = nn.narrowed(matrix, dtype);
      const generator = new Generator(4);
      const part = { start: 3, scale: 1e-6, a: randn([2, WIDTH], { generator }), b: randn([5, 2], { generator }) };
      const change = scores({ ...narrow, parts: [part] }, 1).sub(scores({ ...narrow }, 1));
      const expected = scores({ weight: matrix.mul(0), parts: [part] }, 1);
      expect(expected.abs().max().item()).toBeGreaterThan(0);
      expect(largest(change, expected)).toBeLessThan(1e-6);
    });
  });
});

describe.each([
  { kind: 'a matrix that stays in the cache', outputs: OUTPUTS },
  // more than 1 MiB in each dtype, and no multiple of the outputs that are made together
  { kind: 'a matrix that does not', outputs: 28_501 },
])('$kind', ({ outputs }) => {
  it.each([
    { dtype: 'float32', most: ROWS },
    { dtype: 'bfloat16', most: FEW },
    { dtype: 'int8', most: FEW },
  ] as const)('gives a row the same bits whatever other rows there are, in $dtype', ({ dtype, most }) => {
    tidy(() => {
      const entries = randn([outputs, WIDTH], { generator: new Generator(4) });
      const head = dtype === 'float32' ? { weight: entries } : nn.narrowed(entries, dtype);
      const all = scores(head, most);
      for (let rows = 1; rows < most; rows += 1) {
        expect(scores(head, rows).equal(all.narrow(0, 0, rows)), `${rows} rows`).toBe(true);
      }
    });
  });
});

it('a row of zeros stays one in int8', () => {
  tidy(() =>
    expect(
      held(nn.narrowed(zeros([2, 3]), 'int8'))
        .abs()
        .max()
        .item(),
    ).toBe(0),
  );
});

it('refuses what it cannot multiply, and gradients', () => {
  tidy(() => {
    const narrow = nn.narrowed(matrix, 'int8');
    expect(() => decoder({ weight: narrow.weight })).toThrow(/int8 weights have scales/);
    expect(() => decoder({ ...narrow, scales: ones([3]) })).toThrow(/one per row/);
    expect(() => decoder(narrow, true)).toThrow(/record no gradients/);
    expect(() => nn.narrowed(ones([3]), 'int8')).toThrow(/matrix/);
  });
});

describe('scoreTokensAsync', () => {
  const ids = () => arange(0, ROWS, 1, { dtype: 'int64' });

  it('gives log-probs and entropies of log-softmax, in any number of pieces', async () => {
    const before = memory().tensors;
    for (const tokensAtOnce of [1, 4, 100]) {
      using index = ids();
      using found = await nn.scoreTokensAsync(table, matrix, index, {
        ...{ temperature: 0.7, withEntropies: true, tokensAtOnce },
      });
      tidy(() => {
        const all = nn.functional.linear(table, matrix).div(0.7).logSoftmax(-1);
        expect(largest(found.select(0, 0), all.gather(1, index.unsqueeze(1)).squeeze(1))).toBeLessThan(1e-5);
        expect(largest(found.select(0, 1), all.exp().mul(all).sum(-1).neg())).toBeLessThan(1e-5);
      });
    }
    expect(memory().tensors).toBe(before);
  });

  it('leaves out what is forbidden', async () => {
    using index = ids();
    using forbidden = tidy(() => arange(0, OUTPUTS).ge(ROWS).expand([ROWS, OUTPUTS]).contiguous());
    using found = await nn.scoreTokensAsync(table, matrix, index, {
      ...{ temperature: 1, withEntropies: false, forbidden, floor: -1e9, tokensAtOnce: 3 },
    });
    tidy(() => {
      const all = nn.functional.linear(table, matrix.narrow(0, 0, ROWS)).logSoftmax(-1);
      expect(largest(found.select(0, 0), all.gather(1, index.unsqueeze(1)).squeeze(1))).toBeLessThan(1e-5);
    });
  });

  it('rejects shapes that do not fit', async () => {
    using index = zeros([3], { dtype: 'int64' });
    const options = { temperature: 1, withEntropies: false, tokensAtOnce: 1 };
    await expect(nn.scoreTokensAsync(table, matrix, index, options)).rejects.toMatchObject({ code: 'BAD_ARGUMENT' });
  });
});

it('a decoder records gradients on the native thread, with the bits of the thread of JavaScript', async () => {
  const at = (): nn.DecoderContext => {
    const angles = zeros([1, 3, 1, 2]);
    return { cos: angles, sin: angles, mask: null };
  };
  const weight = tidy(() => matrix.clone().requiresGrad_());
  const gradients = async (run: (made: nn.Decoder, x: Tensor) => Tensor | Promise<Tensor>) => {
    const x = tidy(() => table.narrow(0, 0, 3).unsqueeze(0).clone().requiresGrad_());
    using made = decoder({ weight }, true);
    const y = await run(made, x);
    expect(y.requiresGrad).toBe(true);
    await y.square().sum().backwardAsync();
    return x.grad!.toNumbers();
  };
  const blocking = await gradients((made, x) => made.forward(x, at()));
  const beside = await gradients((made, x) => made.forwardAsync(x, at()));
  expect(beside).toEqual(blocking);
  using made = decoder({ weight }, true);
  const x = table.narrow(0, 0, 3).unsqueeze(0).requiresGrad_();
  const { constant } = noGrad(() => ({ constant: made.forwardAsync(x, at()) }));
  expect((await constant).requiresGrad).toBe(false);
});
