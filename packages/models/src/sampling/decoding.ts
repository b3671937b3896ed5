/**
 * A batch of responses in the making: the cache, the state the next token follows from, and the tokens so far.
 *
 * Every method is one synchronous piece of work, to be called without gradients; between them the tensors below are kept.
 */
import type { BatchBuilder, TokenRow } from '../models/batch.js';
import { KeyValueCache } from '../models/key-value-cache.js';
import { narrowRotary, type Rotary } from '../models/rotary.js';
import type { VisionLanguageModel } from '../models/vision-language-model.js';
import { ones, stack, tensor } from '../tensor/creation.js';
import { keep, tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { NonFiniteLogitsError, type Sampled, type SamplingPlan } from './generate.js';
import { drawTokens, isReshaped, processLogits } from './process-logits.js';

interface Response {
  readonly ids: number[];
  readonly logProbs: number[];
  readonly behavior: number[];
  readonly value: number;
  ended: boolean;
}

/** Share of rows that must still be active for the batch to keep its size. */
const FULL_ENOUGH = 0.75;

export class Decoding {
  readonly #model: VisionLanguageModel;
  readonly #builder: BatchBuilder;
  readonly #plan: SamplingPlan;
  readonly #responses: readonly Response[];
  /** The response each row of the batch belongs to, ascending. */
  #rows: number[];
  readonly #cache: KeyValueCache;
  /** Of all columns, one row for all or one per row. */
  #rotary: Rotary;
  /** [B, 1, 1, columns] or null. */
  #keyMask: Tensor | null;
  /** bool [B, V]: tokens in prompt or response; null where no penalty needs it. */
  #seen: Tensor | null = null;
  /** [B, D] */
  #hidden: Tensor;

  /** Reads the prompts. */
  constructor(model: VisionLanguageModel, builder: BatchBuilder, rows: readonly TokenRow[], plan: SamplingPlan) {
    this.#model = model;
    this.#builder = builder;
    this.#plan = plan;
    const batch = builder.tokens(rows, 0);
    const columns = batch.promptLength + plan.maxNewTokens;
    const all = builder.rotary(batch, columns);
    this.#rotary = { cos: keep(all.cos), sin: keep(all.sin) };
    this.#keyMask = kept(builder.keyMask(batch, columns));
    this.#cache = new KeyValueCache(model.config, rows.length, columns, model.model.norm.weight);
    const context = {
      rotary: narrowRotary(this.#rotary, 0, batch.promptLength),
      mask: builder.causalMask(batch, batch.promptLength),
      cache: this.#cache,
    };
    const states = model.forward(batch.ids, context, batch.images);
    this.#hidden = keep(states.select(1, batch.promptLength - 1));
    const values = model.values(this.#hidden).toNumbers();
    this.#responses = values.map((value) => ({ ids: [], logProbs: [], behavior: [], value, ended: false }));
    this.#rows = values.map((_, row) => row);
    if (plan.logits.repetitionPenalty !== 1) this.#seen = keep(this.#seenIn(rows));
  }

  /** True when every response has ended. */
  get isDone(): boolean {
    return this.#rows.length === 0;
  }

  /** Draws the next token of every active row, records it, and drops ended rows when they are many. */
  draw(position: number): void {
    const { logits: options, endTokens } = this.#plan;
    const logits = this.#model.logits(this.#hidden);
    const { temperature } = options;
    const greedy = temperature === 0;
    const processed = processLogits(logits, options, this.#seen);
    const trained = (greedy || temperature === 1 ? logits : logits.div(temperature)).logSoftmax(-1);
    const behavior = isReshaped(options) ? processed.logSoftmax(-1) : trained;
    const tokens = greedy ? processed.argmax(-1) : drawTokens(behavior, this.#uniforms());
    const index = tokens.unsqueeze(-1);
    const of = (logProbs: Tensor) => logProbs.gather(-1, index).squeeze(-1).to('float64');
    const logProb = of(trained);
    const drawnWith = behavior === trained ? logProb : of(behavior);
    const table = stack([tokens.to('float64'), logProb, drawnWith]).toArray() as Float64Array;
    this.#seen?.scatter_(-1, index, ones(index.shape, { dtype: 'bool', device: index.device }));

    const count = this.#rows.length;
    for (const [i, row] of this.#rows.entries()) {
      const response = this.#responses[row]!;
      if (response.ended) continue;
      if (!Number.isFinite(table[count + i])) throw new NonFiniteLogitsError(position);
      response.ids.push(table[i]!);
      response.logProbs.push(table[count + i]!);
      response.behavior.push(greedy ? 0 : table[2 * count + i]!);
      response.ended = endTokens.has(table[i]!);
    }
    this.#shrink();
  }

  /** Reads the tokens drawn last. */
  read(): void {
    const { length } = this.#cache;
    const last = Int32Array.from(this.#rows, (row) => this.#responses[row]!.ids.at(-1)!);
    const context = {
      rotary: narrowRotary(this.#rotary, length, 1),
      mask: this.#keyMask?.narrow(3, 0, length + 1) ?? null,
      cache: this.#cache,
    };
    const states = this.#model.forward(this.#builder.ints(last, [last.length, 1]), context);
    this.#hidden.dispose();
    this.#hidden = keep(states.squeeze(1));
  }

  results(): Sampled[] {
    return this.#responses.map(({ ids, logProbs, behavior, value, ended }) => ({
      tokenIds: Int32Array.from(ids),
      logProbs: Float32Array.from(logProbs),
      behaviorLogProbs: Float32Array.from(behavior),
      finishReason: ended ? 'stop' : 'length',
      value,
    }));
  }

  dispose(): void {
    this.#cache.dispose();
    for (const each of [this.#rotary.cos, this.#rotary.sin, this.#hidden, this.#keyMask, this.#seen]) each?.dispose();
  }

  /** [B] float64; ended rows draw nothing. */
  #uniforms(): Tensor {
    const draws = this.#rows.map((row) => (this.#responses[row]!.ended ? 0 : this.#plan.generators[row]!.random()));
    return tensor(Float64Array.from(draws), { device: this.#hidden.device });
  }

  #seenIn(rows: readonly TokenRow[]): Tensor {
    const { vocabSize } = this.#model.config;
    const flags = new Uint8Array(rows.length * vocabSize);
    for (const [i, { promptIds }] of rows.entries()) for (const id of promptIds) flags[i * vocabSize + id] = 1;
    const { device } = this.#hidden;
    return tensor(flags, { shape: [rows.length, vocabSize], dtype: 'bool', device });
  }

  #shrink(): void {
    const active = this.#rows.flatMap((row, i) => (this.#responses[row]!.ended ? [] : [i]));
    if (active.length > this.#rows.length * FULL_ENOUGH) return;
    this.#rows = active.map((i) => this.#rows[i]!);
    if (active.length === 0) return;
    const index = this.#builder.ints(Int32Array.from(active), [active.length]);
    const { cos, sin } = this.#rotary;
    this.#cache.select(index);
    if (cos.size(0) > 1) this.#rotary = { cos: selected(cos, index), sin: selected(sin, index) };
    this.#keyMask = this.#keyMask && selected(this.#keyMask, index);
    this.#seen = this.#seen && selected(this.#seen, index);
  }
}

function kept(tensor: Tensor | null): Tensor | null {
  return tensor && keep(tensor);
}

function selected(source: Tensor, index: Tensor): Tensor {
  const rows = tidy(() => keep(source.indexSelect(0, index)));
  source.dispose();
  return rows;
}
