/** One response while it is sampled. */
import type { ConstraintState } from '../constraints/token-constraint.js';
import { NonFiniteLogitsError, type Sampled, type SamplingPlan } from './plan.js';

export class Response {
  readonly #ids: number[] = [];
  readonly #logProbs: number[] = [];
  readonly #behavior: number[] = [];
  readonly #plan: SamplingPlan;
  #constraint: ConstraintState | null;
  #finishReason: Sampled['finishReason'] | null = null;

  /** @param row  Position among the inputs. */
  constructor(
    readonly row: number,
    readonly value: number,
    plan: SamplingPlan,
  ) {
    this.#plan = plan;
    this.#constraint = plan.constraints?.[row]?.start ?? null;
  }

  get length(): number {
    return this.#ids.length;
  }

  get lastId(): number {
    return this.#ids.at(-1)!;
  }

  get hasEnded(): boolean {
    return this.#finishReason !== null;
  }

  /** The constraint on the next token; null for none. */
  get constraint(): ConstraintState | null {
    return this.#constraint;
  }

  /** One number of the row's generator; none once the response has ended. */
  uniform(): number {
    return this.hasEnded ? 0 : this.#plan.generators[this.row]!.random();
  }

  /** @throws {NonFiniteLogitsError} */
  add(id: number, logProb: number, behavior: number): void {
    const { endTokens, maxNewTokens, isStopped, onToken, logits } = this.#plan;
    const position = this.#ids.length;
    if (!Number.isFinite(logProb)) throw new NonFiniteLogitsError(position);
    this.#ids.push(id);
    this.#logProbs.push(logProb);
    this.#behavior.push(logits.temperature === 0 ? 0 : behavior);
    onToken?.({ row: this.row, position, id, logProb });
    if (endTokens.has(id) || isStopped?.(this.#ids)) this.#finishReason = 'stop';
    else if (this.#ids.length >= maxNewTokens) this.#finishReason = 'length';
    else this.#constraint = this.#constraint?.next(id) ?? null;
  }

  result(): Sampled {
    return {
      tokenIds: Int32Array.from(this.#ids),
      logProbs: Float32Array.from(this.#logProbs),
      behaviorLogProbs: Float32Array.from(this.#behavior),
      finishReason: this.#finishReason ?? 'length',
      value: this.value,
    };
  }
}
