/** The decoders in one native call give what their layers give one by one, and the same gradients. */
import {
  Generator,
  noGrad,
  randn,
  setNumThreads,
  type Tensor,
  Generator as TensorGenerator,
  tidy,
  tidyAsync,
} from '@vlgym/gpu';
import { afterAll, describe, expect, it } from 'vitest';
import { attachAdapters } from '../adapters/attach-adapters.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import { parseTinyConfig } from '../models/tiny/config.js';
import { TinyModel } from '../models/tiny/model.js';
import { tinyConfig } from '../models/tiny/presets.js';
import { bytes, largestDifference, smallConfig } from '../policy/policy.test-helper.js';

setNumThreads(1);

const LENGTHS = [9, 6, 9];
const TOKENS = 9;

function open(dtype: 'float32' | 'float64', isAdapted: boolean, dropout = 0) {
  const init = { generator: new TensorGenerator(1), dtype, device: 'cpu' };
  const model = new TinyModel(parseTinyConfig({ ...tinyConfig, ...smallConfig }), init);
  if (isAdapted) {
    model.requiresGrad_(false);
    for (const { adapter, projection } of attachAdapters(
      model,
      { r: 2, alpha: 4, dropout },
      model.adapterTargets,
      init,
    )) {
      projection.adapted = 'all';
      // with what an earlier training left next to what is trained
      noGrad(() => tidy(() => adapter.lora_B.normal_(0, 0.3, init.generator)));
      adapter.freeze();
      noGrad(() => tidy(() => adapter.lora_B.normal_(0, 0.3, init.generator)));
    }
  }
  return model;
}

function inputs(model: TinyModel, isPadded: boolean) {
  const builder = new BatchBuilder(model, 3);
  const promptLengths = isPadded ? LENGTHS : LENGTHS.map(() => TOKENS);
  const layout = { rows: [], promptLength: TOKENS, promptLengths };
  const { dtype } = model;
  const embeddings = randn([LENGTHS.length, TOKENS, smallConfig.hiddenSize], { dtype, generator: new Generator(2) });
  return {
    embeddings,
    context: { positions: model.positions(layout, TOKENS), mask: builder.causalMask(layout, TOKENS) },
  };
}

/** The result, and all gradients of a function of it. */
function gradients(model: TinyModel, hidden: Tensor, embeddings: Tensor): Float64Array[] {
  hidden.mul(hidden.add(0.3)).sum().backward();
  const found = [...model.model.parameters(), embeddings].flatMap(({ grad }) => (grad ? [grad] : []));
  const numbers = [hidden, ...found].map((tensor) => Float64Array.from(tensor.toNumbers()));
  for (const parameter of model.model.parameters()) parameter.grad = null;
  return numbers;
}

describe.each([
  { dtype: 'float32', isAdapted: false, autocast: false, tolerance: 2e-4 },
  { dtype: 'float32', isAdapted: true, autocast: false, tolerance: 2e-4 },
  // the last bit of a norm may move an input to the next of bfloat16
  { dtype: 'float32', isAdapted: false, autocast: true, tolerance: 2e-2 },
  { dtype: 'float32', isAdapted: true, autocast: true, tolerance: 2e-2 },
  { dtype: 'float64', isAdapted: false, autocast: false, tolerance: 1e-11 },
  { dtype: 'float64', isAdapted: true, autocast: false, tolerance: 1e-11 },
] as const)('in $dtype, with adapters: $isAdapted, products in bfloat16: $autocast', (options) => {
  const { dtype, isAdapted, autocast, tolerance } = options;
  const model = open(dtype, isAdapted);
  model.autocast = autocast;
  afterAll(() => model.dispose());

  it.each([false, true])(
    'all layers at once give what each gives in turn, and its gradients (padding: %s)',
    (isPadded) => {
      tidy(() => {
        const { embeddings, context } = inputs(model, isPadded);
        const [a, b] = [embeddings.clone().requiresGrad_(), embeddings.clone().requiresGrad_()];
        const together = gradients(model, model.model.forward(a, context), a);
        const inTurn = gradients(model, model.model.layered(b, context), b);
        expect(together.length).toBe(inTurn.length);
        expect(together.length).toBeGreaterThan(10);
        for (const [i, numbers] of together.entries()) {
          expect(largestDifference(numbers, inTurn[i]!)).toBeLessThan(
            tolerance * Math.max(1, ...inTurn[i]!.map(Math.abs)),
          );
        }
      });
    },
  );

  it.runIf(autocast)('results are in the dtype of the weights, and not those of products in it', () => {
    tidy(() => {
      const { embeddings, context } = inputs(model, true);
      const rounded = model.forward(embeddings, context);
      model.autocast = false;
      const exact = model.forward(embeddings, context);
      model.autocast = true;
      expect(rounded.dtype).toBe(dtype);
      const difference = largestDifference(rounded.toNumbers(), exact.toNumbers());
      expect(difference).toBeGreaterThan(1e-4);
      expect(difference).toBeLessThan(0.1);
    });
  });

  it('one part per layer gives the same bits', async () => {
    await tidyAsync(async () => {
      const { embeddings, context } = inputs(model, true);
      let state: readonly Tensor[] = [embeddings];
      for (const part of model.parts(context)) state = await part.run(state);
      expect(bytes(state[0]!)).toBe(bytes(model.forward(embeddings, context)));
    });
  });

  it('the native thread gives the same bits', async () => {
    const { embeddings, context } = inputs(model, true);
    const [blocking, beside] = await Promise.all([
      noGrad(() => model.forward(embeddings, context)),
      model.forwardAsync(embeddings, context),
    ]);
    expect(bytes(beside)).toBe(bytes(blocking));
  });

  it('recording gradients changes no bit', () => {
    tidy(() => {
      const { embeddings, context } = inputs(model, true);
      const recorded = model.forward(embeddings, context);
      expect(recorded.requiresGrad).toBe(true);
      expect(bytes(recorded.detach())).toBe(bytes(noGrad(() => model.forward(embeddings, context))));
    });
  });
});

describe('with dropout', () => {
  const model = open('float64', true, 0.3);
  const { generator } = model.model.layers[0]!.mlp.down_proj.adapters[0]!;
  const start = generator.getState();
  afterAll(() => {
    start.dispose();
    model.dispose();
  });

  /** From the same state of the generator. */
  function drawn<T>(compute: () => T): T {
    generator.setState(start);
    return compute();
  }

  it('all layers at once drop what each drops in turn, with its gradients', () => {
    tidy(() => {
      const { embeddings, context } = inputs(model, true);
      const [a, b] = [embeddings.clone().requiresGrad_(), embeddings.clone().requiresGrad_()];
      const together = drawn(() => gradients(model, model.model.forward(a, context), a));
      const inTurn = drawn(() => gradients(model, model.model.layered(b, context), b));
      expect(together.length).toBe(inTurn.length);
      for (const [i, numbers] of together.entries()) {
        expect(largestDifference(numbers, inTurn[i]!)).toBeLessThan(1e-11 * Math.max(1, ...inTurn[i]!.map(Math.abs)));
      }
    });
  });

  it('every forward draws new numbers, and the same from the same state: recorded or not, and on the native thread', async () => {
    const { embeddings, context } = inputs(model, true);
    const first = drawn(() => model.forward(embeddings, context));
    expect(bytes(model.forward(embeddings, context).detach())).not.toBe(bytes(first.detach()));
    const unrecorded = drawn(() => noGrad(() => model.forward(embeddings, context)));
    expect(bytes(unrecorded)).toBe(bytes(first.detach()));
    const beside = await drawn(() => model.forwardAsync(embeddings, context));
    expect(bytes(beside.detach())).toBe(bytes(first.detach()));
    model.eval();
    const [one, two] = [model.forward(embeddings, context), model.forward(embeddings, context)];
    expect(bytes(one.detach())).toBe(bytes(two.detach()));
    model.train();
  });
});
