/** Adapters of peft: logits, merged weights, gradients, and steps of training. */
import { Generator, noGrad, optim, type Parameter, type Tensor, tidy } from '@vlgym/gpu';
import {
  type AdaptedWeight,
  adapterNames,
  attachAdapters,
  mergeAdapters,
  unmergeAdapters,
} from '../../src/adapters/attach-adapters.js';
import { loadFactors, PREFIX, readPeftAdapter } from '../../src/adapters/peft/read-adapter.js';
import { publishedWeights } from '../../src/adapters/published-weights.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { ActorCritic } from '../../src/layers/actor-critic.js';
import { PromptEncoder } from '../../src/policy/prompt-encoder.js';
import { ResponseBatch } from '../../src/policy/scoring/response-batch.js';
import { modelOf } from '../../src/pretrained/load-model.js';
import type { ModelFolder } from '../../src/pretrained/model-folder.js';
import type { Arrays, Fixture, GoldenModel, LoraCase } from './fixture.js';
import { fullForward } from './forward.js';
import { HALF, type Precision } from './precision.js';
import type { Report } from './report.js';

const MERGED_TOLERANCE = 1e-6;
const FLOAT64_TOLERANCE = 1e-7;
const FLOAT64_NORM_TOLERANCE = 1e-6;
/** Below this size the sign of a first gradient is decided by rounding, and with it AdamW's first step. */
const DETERMINED = 1e-4;

export async function compareLora(
  fixture: Fixture,
  name: string,
  lora: LoraCase,
  source: ModelFolder,
  precision: Precision,
  report: Report,
): Promise<void> {
  const { dtype, device } = precision;
  const arrays = fixture.arrays(name);
  const model = modelOf(source, { dtype, device }) as GoldenModel;
  const init = { generator: new Generator(0), dtype, device };
  const network = new ActorCritic(model, init);
  const adapter = await readPeftAdapter(fixture.path(lora.folder), source.published.internalName);
  const adapted = attachAdapters(model, adapter.lora, adapter.lora.targets, init);
  loadFactors(adapter, adapted);
  const encoder = new PromptEncoder(model, source.tokenizer, source.chatTemplate);
  const builder = new BatchBuilder(model, encoder.imageToken);
  const rows = fixture.cases.generate.response.prompts.map((prompt) => ({
    ...encoder.encode(fixture.messages(prompt)),
    responseIds: Int32Array.from(fixture.text.prompts[prompt]!.response_ids),
  }));

  for (const { projection } of adapted) projection.adapted = 'all';
  compareLogits('logits_last', rows, { model, builder, precision }, arrays, report);
  mergeAdapters(adapted);
  compareMerged(model, precision, arrays, report);
  compareLogits('logits_merged_last', rows, { model, builder, precision }, arrays, report);
  unmergeAdapters(adapted);
  compareLogits('logits_last', rows, { model, builder, precision }, arrays, report, ' after unmerging');

  const factors = factorsOf(adapted);
  const tokens = rows.reduce((sum, { responseIds }) => sum + responseIds.length, 0);
  const loss = (): Tensor => {
    const batch = new ResponseBatch(network, builder, rows);
    const distribution = batch.logSoftmax(batch.forward().states, 1);
    const logProbs = distribution.gather(2, batch.responseIds.unsqueeze(2)).squeeze(2);
    return logProbs.mul(batch.mask).sum().div(-tokens);
  };
  const optimizer = new optim.AdamW([...factors.values()], {
    lr: 1e-3,
    betas: [0.9, 0.999],
    eps: 1e-8,
    weightDecay: 0,
  });
  const losses: number[] = [];
  for (let step = 1; step <= 5; step += 1) {
    tidy(() => {
      const value = loss();
      losses.push(value.item());
      value.backward();
      if (step === 1) compareGradients(lora, factors, precision, arrays, report);
    });
    optimizer.step();
    optimizer.zeroGrad();
    if (step === 1 || step === 5) compareAfter(step, factors, precision, arrays, report);
  }
  losses.push(noGrad(() => tidy(() => loss().item())));
  compareLosses(losses, lora, precision, arrays, report);
  optimizer.dispose();
  network.dispose();
}

function factorsOf(adapted: readonly AdaptedWeight[]): Map<string, Parameter> {
  return new Map(
    adapted.flatMap((weight) => {
      const { a, b } = adapterNames(weight);
      return [
        [PREFIX + a, weight.adapter.lora_A],
        [PREFIX + b, weight.adapter.lora_B],
      ] as const;
    }),
  );
}

type Rows = readonly {
  readonly promptIds: Int32Array;
  readonly responseIds: Int32Array;
  readonly images: never[] | readonly unknown[];
}[];

function compareLogits(
  key: string,
  rows: Rows,
  parts: Parameters<typeof fullForward>[1] & { readonly precision: Precision },
  arrays: Arrays,
  report: Report,
  when = '',
): void {
  const { data, shape } = arrays.get(key);
  // prompt and response as one text, padded on the left
  const whole = rows.map(({ promptIds, responseIds, images }) => ({
    promptIds: Int32Array.of(...promptIds, ...responseIds),
    images: images as never,
  }));
  noGrad(() =>
    tidy(() => {
      const logits = fullForward(whole, parts);
      const columns = shape[1]!;
      const last = logits.narrow(1, logits.size(1) - columns, columns);
      parts.precision.compare('states', report, `${key}${when}`, last.toNumbers(), data, arrays.tolerance(key));
    }),
  );
}

function compareMerged(model: GoldenModel, precision: Precision, arrays: Arrays, report: Report): void {
  const weights = new Map(publishedWeights(model).map((weight) => [weight.name, weight]));
  for (const key of arrays.names('merged/')) {
    const weight = weights.get(key.slice('merged/'.length));
    const found = weight ? tidy(() => weight.in(weight.parameter).toNumbers()) : [];
    precision.compare('weights', report, key, found, arrays.get(key).data, MERGED_TOLERANCE);
  }
}

function compareGradients(
  { grad_keys: keys, grad_norms_float64: norms }: LoraCase,
  factors: ReadonlyMap<string, Parameter>,
  precision: Precision,
  arrays: Arrays,
  report: Report,
): void {
  report.equal('adapted matrices', [...factors.keys()].sort(), [...keys].sort());
  const gradientOf = (key: string) => factors.get(key)?.grad?.toNumbers() ?? [];
  const found = keys.map((key) => Math.hypot(...gradientOf(key)));
  precision.compare(
    'gradients',
    report,
    'grad_norms',
    found,
    arrays.get('grad_norms').data,
    arrays.tolerance('grad_norms'),
  );
  // written with nine digits
  const closest = norms.map((norm, i) => (found[i]! - norm) / Math.max(1, Math.abs(norm)));
  if (precision.isDouble)
    report.close(
      'grad_norms float64',
      closest,
      norms.map(() => 0),
      FLOAT64_NORM_TOLERANCE,
    );
  const [whole, wholeWanted]: [number[], number[]] = [[], []];
  for (const path of arrays.names('grad/')) {
    const [gradient, wanted] = [gradientOf(path.slice('grad/'.length)), arrays.get(path).data];
    precision.compare('gradients', report, path, gradient, wanted, arrays.tolerance(path, 2e-6));
    whole.push(...gradient);
    wholeWanted.push(...wanted);
  }
  if (precision.isHalf) report.near('whole gradient', whole, wholeWanted, HALF.gradient);
}

/** How far the factors may be off after one and after five steps. */
const AFTER = {
  1: { usual: 1e-6, largest: 1e-6, undetermined: 2.1e-3 },
  5: { usual: 1e-5, largest: 5e-4, undetermined: 1.1e-2 },
} as const;
/** Share of the determined entries that must be within `usual`. */
const USUAL_SHARE = 0.999;

function compareAfter(
  step: 1 | 5,
  factors: ReadonlyMap<string, Parameter>,
  precision: Precision,
  arrays: Arrays,
  report: Report,
): void {
  const prefix = `after${step}/`;
  const { usual, largest, undetermined } = AFTER[step];
  let [determined, within] = [0, 0];
  for (const path of arrays.names(prefix)) {
    const key = path.slice(prefix.length);
    const wanted = arrays.get(path).data;
    const found = tidy(() => factors.get(key)?.toNumbers() ?? []);
    const gradient = arrays.has(`grad/${key}`) ? arrays.get(`grad/${key}`).data : undefined;
    const pick = (numbers: readonly number[], wantDetermined: boolean) =>
      numbers.filter((_, i) => !gradient || Math.abs(gradient[i]!) >= DETERMINED === wantDetermined);
    const [sure, sureWanted] = [pick(found, true), pick(wanted, true)];
    determined += sureWanted.length;
    within += sureWanted.filter((value, i) => Math.abs(value - sure[i]!) <= usual).length;
    // a step of AdamW has the size of the learning rate whatever that of the gradient: a wrong sign shows whole
    report.close(path, sure, sureWanted, gradient && !precision.isHalf ? largest : undetermined);
    if (gradient) report.close(`${path} where undetermined`, pick(found, false), pick(wanted, false), undetermined);
  }
  if (determined === 0 || (precision.isHalf && step > 1)) return;
  const share = precision.isHalf ? HALF.moved : USUAL_SHARE;
  report.check(
    `after${step} within ${usual} in ${share} of the entries`,
    within >= share * determined,
    `${within} of ${determined}`,
  );
}

function compareLosses(
  losses: readonly number[],
  { losses_float64: wide }: LoraCase,
  precision: Precision,
  arrays: Arrays,
  report: Report,
): void {
  const first = (values: readonly number[]) => values.slice(0, 1);
  const later = (values: readonly number[]) => values.slice(1);
  const { data } = arrays.get('losses');
  report.close('first loss', first(losses), first(data), precision.bound('losses', 2e-5));
  report.close('later losses', later(losses), later(wide), precision.bound('losses', 3e-4));
  if (!precision.isDouble) return;
  report.close('first loss float64', first(losses), first(wide), FLOAT64_TOLERANCE);
}
