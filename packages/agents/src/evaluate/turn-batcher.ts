/**
 * Batches the turns of parallel episodes into one forward pass: a turn waits until every running episode asks for one.
 *
 * Lock step keeps batches full without a clock. Turns are ordered by episode, so a run does not depend on which episode
 * was ready first.
 */
import type { AgentContext, AgentTurn, AnyAgent } from '../agent.js';

interface WaitingTurn {
  readonly order: number;
  readonly context: AgentContext;
  readonly resolve: (turn: AgentTurn) => void;
  readonly reject: (error: unknown) => void;
}

export class TurnBatcher {
  #waiting: WaitingTurn[] = [];

  /** @param players  Episodes that will ask for turns until they `leave`. */
  constructor(
    private readonly agent: AnyAgent,
    private players: number,
  ) {}

  /** One turn, answered together with those of all other players. `order` is the index of the episode. */
  act(context: AgentContext, order: number): Promise<AgentTurn> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, context, resolve, reject });
      this.#actWhenComplete();
    });
  }

  /** A player needs no further turns. */
  leave(): void {
    this.players -= 1;
    this.#actWhenComplete();
  }

  #actWhenComplete(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.players) return;
    const waiting = this.#waiting.sort((a, b) => a.order - b.order);
    this.#waiting = [];
    const turns = waiting.filter(({ context }) => !context.signal?.aborted);
    for (const { context, reject } of waiting) if (context.signal?.aborted) reject(context.signal.reason);
    if (turns.length > 0) void this.#actTogether(turns);
  }

  async #actTogether(turns: readonly WaitingTurn[]): Promise<void> {
    const contexts = turns.map(({ context }) => context);
    const before = contexts.map(({ rng }) => rng.getState());
    try {
      const answers = await this.agent.actBatch!(contexts);
      if (answers.length !== turns.length)
        throw new Error(`actBatch returned ${answers.length} turns for ${turns.length} contexts`);
      for (const [index, { resolve }] of turns.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const [index, { rng }] of contexts.entries()) rng.setState(before[index]!);
      await this.#actOneByOne(turns, error);
    }
  }

  /** One bad prompt fails a whole batch; one at a time, only its own episode fails. */
  async #actOneByOne(turns: readonly WaitingTurn[], error: unknown): Promise<void> {
    for (const { context, resolve, reject } of turns) {
      if (turns.length === 1 || context.signal?.aborted) {
        reject(error);
        continue;
      }
      try {
        resolve(await this.agent.act(context));
      } catch (failure) {
        reject(failure);
      }
    }
  }
}
