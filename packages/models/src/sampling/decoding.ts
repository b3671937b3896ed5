/**
 * A batch of responses while they are sampled: the cache, the scores that the next token is drawn from, and the tokens so
 * far.
 *
 * All rows write their next token in the same column of the cache, regardless of their lengths: keys are rotated before they
 * are stored, so that a column is independent of a position. A row that joins later is put in the last columns, and a
 * mask hides those before it.
 *
 * Between its methods, which take turns, the tensors below are kept.
 */
import { keep, nn, type Tensor, tensor, tidy } from '@vlgym/gpu';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { positionsAt, selectPositions, selectRows } from '../batch/positions.js';
import type { TokenRow } from '../batch/token-rows.js';
import type { ForwardContext, TokenReader } from '../language-model.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { KeyValueCache } from '../layers/key-value-cache.js';
import { finished } from '../layers/steps.js';
import { type Batch, disposeBatch, joinBatches, NO_ROWS } from './joint-rows.js';
import type { Sampled, SamplingPlan } from './plan.js';
import { readPrompts } from './prompts.js';
import { Response } from './response.js';

/** The batch shrinks when at most this share of its rows is still active. */
const SHRINK_BELOW = 0.75;

export class Decoding {
  readonly #network: ActorCritic;
  readonly #builder: BatchBuilder;
  readonly #plan: SamplingPlan;
  readonly #rows: readonly TokenRow[];
  readonly #reader: TokenReader | null;
  readonly #results: Sampled[] = [];
  #batch: Batch;
  /** Rows that have been read. */
  #admitted = 0;

  private constructor(network: ActorCritic, builder: BatchBuilder, rows: readonly TokenRow[], plan: SamplingPlan) {
    this.#network = network;
    this.#builder = builder;
    this.#rows = rows;
    this.#plan = plan;
    this.#batch = NO_ROWS;
    this.#reader = plan.use(() => network.language.tokenReader?.() ?? null);
  }

  /** Reads the first prompts. */
  static async open(
    network: ActorCritic,
    builder: BatchBuilder,
    rows: readonly TokenRow[],
    plan: SamplingPlan,
  ): Promise<Decoding> {
    const decoding = new Decoding(network, builder, rows, plan);
    try {
      await decoding.admit();
      return decoding;
    } catch (error) {
      decoding.dispose();
      throw error;
    }
  }

  /** True when every response has ended. */
  get isDone(): boolean {
    return this.#batch.slots.length === 0;
  }

  /** Draws the next token of every active row, records it, and drops ended rows once they are a quarter. */
  draw(): void {
    this.#run(() => this.#draw());
  }

  #draw(): void {
    const { scores, slots, seen } = this.#batch;
    const { logits: options } = this.#plan;
    const uniforms = options.temperature === 0 ? null : this.#numbers(slots.map((slot) => slot.uniform()));
    const allowed = this.#allowed();
    const drawn =
      allowed && this.#plan.isConstrained
        ? nn.drawToken(scores.maskedFill(allowed.logicalNot(), Number.NEGATIVE_INFINITY), {
            ...options,
            seen,
            uniforms,
          })
        : nn.drawToken(scores, { ...options, seen, allowed, uniforms });
    const table = drawn.toArray() as Float64Array;
    const count = slots.length;
    for (const [i, slot] of slots.entries()) {
      if (!slot.hasEnded) slot.add(table[i]!, table[count + i]!, table[2 * count + i]!);
    }
    this.#dropEnded();
  }

  /** Reads the tokens drawn last. A promise where the native thread does it. */
  read(): Promise<void> | undefined {
    const reader = this.#reader;
    if (reader?.readAsync && this.#batch.slots.length >= this.#plan.asyncThreshold) {
      const { scores } = this.#run(() => ({ scores: reader.readAsync!(this.#last(), this.#context()) }));
      return scores.then((tensor) => this.#setScores(tensor));
    }
    this.#run(() => {
      const { language: model } = this.#network;
      const context = this.#context();
      const scores = reader
        ? reader.read(this.#last(), context)
        : model.logits(model.forward(finished(model.embed(this.#last().unsqueeze(1), null)), context).squeeze(1));
      this.#setScores(scores);
    });
    return undefined;
  }

  /** int64 [rows] the tokens drawn last. */
  #last(): Tensor {
    const { slots } = this.#batch;
    return this.#builder.ints(
      Int32Array.from(slots, (slot) => slot.lastId),
      [slots.length],
    );
  }

  /** Positions and masks of the tokens. */
  #context(): ForwardContext {
    const { positions, mask, cache } = this.#batch;
    return {
      positions: positionsAt(positions, this.#columns(), this.#builder),
      mask: mask?.narrow(3, 0, cache.length + 1) ?? null,
      cache,
    };
  }

  #setScores(scores: Tensor): void {
    this.#batch.scores.dispose();
    this.#batch.scores = keep(scores);
  }

  #run<T>(compute: () => T): T {
    return this.#plan.use(() => tidy(compute));
  }

  /** True when prompts wait and rows are free for them; `admit` reads them. */
  get canAdmit(): boolean {
    const { slots = this.#rows.length } = this.#plan;
    const { cache, slots: active } = this.#batch;
    // a cache that rows cannot join has to run empty first
    const most = cache instanceof KeyValueCache ? slots * SHRINK_BELOW : 0;
    return this.#admitted < this.#rows.length && active.length <= most;
  }

  /** Fills the free rows. To be called after `read`, so that every row has scores. */
  async admit(): Promise<void> {
    const { slots = this.#rows.length } = this.#plan;
    const first = this.#admitted;
    this.#admitted = Math.min(first + slots - this.#batch.slots.length, this.#rows.length);
    const added = await this.#read(first, this.#admitted);
    const old = this.#batch;
    this.#batch = old.slots.length === 0 ? added : this.#run(() => this.#join(old, added));
    if (old.slots.length === 0) disposeBatch(old);
  }

  /** In the order of the rows. */
  results(): Sampled[] {
    return this.#results;
  }

  dispose(): void {
    this.#reader?.dispose();
    disposeBatch(this.#batch);
  }

  async #read(from: number, to: number): Promise<Batch> {
    const rows = this.#rows.slice(from, to);
    const prompts = await readPrompts(this.#network, this.#builder, rows, this.#plan);
    return this.#run(() => {
      const { cache, hidden, values, positions, starts } = prompts;
      const scores = keep(this.#network.language.logits(hidden));
      hidden.dispose();
      const columns = cache.length + this.#plan.maxNewTokens;
      return {
        slots: values.map((value, i) => new Response(from + i, value, this.#plan)),
        cache,
        positions,
        starts: [...starts],
        mask: this.#mask(starts, columns),
        scores,
        seen: this.#plan.logits.repetitionPenalty === 1 ? null : keep(this.#seenIn(rows, from)),
      };
    });
  }

  #join(old: Batch, added: Batch): Batch {
    const spare = this.#plan.maxNewTokens;
    const { device } = this.#network.language;
    return joinBatches(old, added, { spare, device, mask: (starts, columns) => this.#mask(starts, columns) });
  }

  /** Ended rows leave with their results once they are a quarter; their memory is free from then on. */
  #dropEnded(): void {
    const batch = this.#batch;
    const active = batch.slots.flatMap((slot, i) => (slot.hasEnded ? [] : [i]));
    if (active.length > batch.slots.length * SHRINK_BELOW) return;
    for (const [i, slot] of batch.slots.entries()) if (slot.hasEnded) this.#finish(slot, i);
    batch.slots = active.map((i) => batch.slots[i]!);
    if (active.length === 0) return;
    const index = this.#builder.ints(Int32Array.from(active), [active.length]);
    batch.cache.select(index);
    batch.positions = selectPositions(batch.positions, index);
    batch.starts = active.map((i) => batch.starts[i]!);
    batch.mask = batch.mask && selectRows(batch.mask, index);
    batch.scores = selectRows(batch.scores, index);
    batch.seen = batch.seen && selectRows(batch.seen, index);
  }

  #finish(slot: Response, i: number): void {
    const result = slot.result();
    this.#results[slot.row] = result;
    const { cache, starts } = this.#batch;
    const { promptIds, images } = this.#rows[slot.row]!;
    if (!this.#plan.promptCache || !(cache instanceof KeyValueCache) || images.length > 0) return;
    // the last token was drawn, but never read
    const ids = Int32Array.of(...promptIds, ...result.tokenIds.subarray(0, -1));
    this.#plan.promptCache.add(ids, cache, i, starts[i]!);
  }

  /** Place of the token that was drawn last in each response; ended rows follow the others, as nobody reads them. */
  #columns(): number[] {
    const { slots } = this.#batch;
    const active = slots.find((slot) => !slot.hasEnded)!;
    return slots.map((slot) => (slot.hasEnded ? active : slot).length - 1);
  }

  #mask(starts: readonly number[], columns: number): Tensor | null {
    const layout = { rows: [], promptLength: columns, promptLengths: starts.map((start) => columns - start) };
    const mask = this.#builder.keyMask(layout, columns);
    return mask && keep(mask);
  }

  /** float64 [B] */
  #numbers(numbers: readonly number[]): Tensor {
    return tensor(Float64Array.from(numbers), { device: this.#batch.scores.device });
  }

  /** bool [B, V], or null if every row may write anything. */
  #allowed(): Tensor | null {
    const { slots, scores } = this.#batch;
    if (slots.every((slot) => slot.hasEnded || !slot.constraint)) return null;
    const { vocabSize } = this.#network.language.config;
    const flags = new Uint8Array(slots.length * vocabSize).fill(1);
    for (const [i, { constraint, hasEnded }] of slots.entries()) {
      if (constraint && !hasEnded) flags.set(constraint.allowed(vocabSize), i * vocabSize);
    }
    return tensor(flags, { shape: [slots.length, vocabSize], dtype: 'bool', device: scores.device });
  }

  #seenIn(rows: readonly TokenRow[], first: number): Tensor {
    const { language } = this.#network;
    const { vocabSize } = language.config;
    const flags = new Uint8Array(rows.length * vocabSize);
    for (const [i, { promptIds }] of rows.entries()) {
      for (const id of promptIds) flags[i * vocabSize + id] = 1;
      for (const id of this.#plan.penalizedIds?.[first + i] ?? []) flags[i * vocabSize + id] = 1;
    }
    return tensor(flags, { shape: [rows.length, vocabSize], dtype: 'bool', device: language.device });
  }
}
