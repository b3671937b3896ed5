/**
 * Lets episodes that run side by side speak in one forward pass: turns wait until every running episode wants one.
 *
 * Lock step keeps batches as full as they can be without any clock, and their order is that of the episodes, so a run
 * does not depend on who was ready first.
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

  /** One turn, answered with those of all other players. `order` is the place of the episode in its evaluation. */
  act(context: AgentContext, order: number): Promise<AgentTurn> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, context, resolve, reject });
      this.#speakWhenComplete();
    });
  }

  /** A player wants no further turns. */
  leave(): void {
    this.players -= 1;
    this.#speakWhenComplete();
  }

  #speakWhenComplete(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.players) return;
    const turns = this.#waiting.sort((a, b) => a.order - b.order);
    this.#waiting = [];
    void this.#speak(turns);
  }

  async #speak(turns: readonly WaitingTurn[]): Promise<void> {
    const contexts = turns.map(({ context }) => context);
    const before = contexts.map(({ rng }) => rng.getState());
    try {
      const answers = await this.agent.actBatch!(contexts);
      if (answers.length !== turns.length) throw new Error(`${answers.length} turns came back for ${turns.length}`);
      for (const [index, { resolve }] of turns.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const [index, { rng }] of contexts.entries()) rng.setState(before[index]!);
      await this.#speakAlone(turns, error);
    }
  }

  /** One bad prompt fails a whole batch; asked one by one, only its own episode fails. */
  async #speakAlone(turns: readonly WaitingTurn[], error: unknown): Promise<void> {
    for (const { context, resolve, reject } of turns) {
      if (turns.length === 1 || context.signal?.aborted) {
        reject(error);
        continue;
      }
      try {
        resolve(await this.agent.act(context));
      } catch (own) {
        reject(own);
      }
    }
  }
}
