/**
 * A batch of responses while they are sampled: the cache, the state that the next token follows from, and the tokens so far.
 *
 * Every method is one synchronous computation, to be called without gradients; between them the tensors below are kept.
 */
import { keep, ones, stack, type Tensor, tensor } from '@vlgym/gpu';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { disposePositions, keepPositions, narrowPositions, selectPositions, selectRows } from '../batch/positions.js';
import type { TokenRow } from '../batch/token-rows.js';
import type { LanguageModel, ModelCache, Positions } from '../language-model.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { NonFiniteLogitsError, type Sampled, type SamplingPlan } from './plan.js';
import { drawTokens, isReshaped, processLogits } from './process-logits.js';

interface Response {
  readonly ids: number[];
  readonly logProbs: number[];
  readonly behavior: number[];
  readonly value: number;
  ended: boolean;
}

/** The batch shrinks when at most this share of its rows is still active. */
const SHRINK_BELOW = 0.75;

export class Decoding {
  readonly #model: LanguageModel;
  readonly #builder: BatchBuilder;
  readonly #plan: SamplingPlan;
  readonly #responses: readonly Response[];
  /** The response each row of the batch belongs to, ascending. */
  #rows: number[];
  readonly #cache: ModelCache;
  /** Positions of all columns, generated ones included. */
  #positions: Positions;
  /** [B, 1, 1, columns] or null. */
  #keyMask: Tensor | null;
  /** bool [B, V]: tokens in prompt or response; null where no penalty needs it. */
  #seen: Tensor | null = null;
  /** [B, D] */
  #hidden: Tensor;

  /** Reads the prompts. */
  constructor(
    { language: model, valueHead }: ActorCritic,
    builder: BatchBuilder,
    rows: readonly TokenRow[],
    plan: SamplingPlan,
  ) {
    this.#model = model;
    this.#builder = builder;
    this.#plan = plan;
    const batch = builder.tokens(rows, 0);
    const columns = batch.promptLength + plan.maxNewTokens;
    this.#positions = keepPositions(model.positions(batch, columns));
    this.#keyMask = kept(builder.keyMask(batch, columns));
    this.#cache = model.newCache(rows.length, columns);
    const context = {
      positions: narrowPositions(this.#positions, 0, batch.promptLength),
      mask: builder.causalMask(batch, batch.promptLength),
      cache: this.#cache,
    };
    const states = model.forward(model.embed(batch.ids, batch.images), context);
    this.#hidden = keep(states.select(1, batch.promptLength - 1));
    const values = valueHead.forward(this.#hidden).toNumbers();
    this.#responses = values.map((value) => ({ ids: [], logProbs: [], behavior: [], value, ended: false }));
    this.#rows = values.map((_, row) => row);
    if (plan.logits.repetitionPenalty !== 1) this.#seen = keep(this.#seenIn(rows));
  }

  /** True when every response has ended. */
  get isDone(): boolean {
    return this.#rows.length === 0;
  }

  /** Draws the next token of every active row, records it, and drops ended rows once they are a quarter. */
  draw(position: number): void {
    const { logits: options, endTokens } = this.#plan;
    const scores = this.#model.logits(this.#hidden);
    // as scoring and training compute them
    const logits = scores.dtype === 'float64' ? scores : scores.to('float32');
    const { temperature } = options;
    const greedy = temperature === 0;
    const processed = processLogits(logits, options, this.#seen);
    const trained = (greedy || temperature === 1 ? logits : logits.div(temperature)).logSoftmax(-1);
    const behavior = isReshaped(options) ? processed.logSoftmax(-1) : trained;
    const tokens = greedy ? processed.argmax(-1) : drawTokens(behavior, this.#uniforms());
    const index = tokens.unsqueeze(-1);
    const ofTokens = (logProbs: Tensor) => logProbs.gather(-1, index).squeeze(-1).to('float64');
    const logProb = ofTokens(trained);
    const drawnWith = behavior === trained ? logProb : ofTokens(behavior);
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
      positions: narrowPositions(this.#positions, length, 1),
      mask: this.#keyMask?.narrow(3, 0, length + 1) ?? null,
      cache: this.#cache,
    };
    const ids = this.#builder.ints(last, [last.length, 1]);
    const states = this.#model.forward(this.#model.embed(ids, null), context);
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
    disposePositions(this.#positions);
    for (const tensor of [this.#hidden, this.#keyMask, this.#seen]) tensor?.dispose();
  }

  /** [B] float64; ended rows draw nothing. */
  #uniforms(): Tensor {
    const draws = this.#rows.map((row) => (this.#responses[row]!.ended ? 0 : this.#plan.generators[row]!.random()));
    return tensor(Float64Array.from(draws), { device: this.#hidden.device });
  }

  #seenIn(rows: readonly TokenRow[]): Tensor {
    const { vocabSize } = this.#model.config;
    const flags = new Uint8Array(rows.length * vocabSize);
    for (const [i, { promptIds }] of rows.entries()) {
      for (const id of promptIds) flags[i * vocabSize + id] = 1;
      for (const id of this.#plan.penalizedIds?.[i] ?? []) flags[i * vocabSize + id] = 1;
    }
    const { device } = this.#hidden;
    return tensor(flags, { shape: [rows.length, vocabSize], dtype: 'bool', device });
  }

  #shrink(): void {
    const active = this.#rows.flatMap((row, i) => (this.#responses[row]!.ended ? [] : [i]));
    if (active.length > this.#rows.length * SHRINK_BELOW) return;
    this.#rows = active.map((i) => this.#rows[i]!);
    if (active.length === 0) return;
    const index = this.#builder.ints(Int32Array.from(active), [active.length]);
    this.#cache.select(index);
    this.#positions = selectPositions(this.#positions, index);
    this.#keyMask = this.#keyMask && selectRows(this.#keyMask, index);
    this.#seen = this.#seen && selectRows(this.#seen, index);
  }
}

function kept(tensor: Tensor | null): Tensor | null {
  return tensor && keep(tensor);
}
