/**
 * ArCHer's critic: two networks Q(s, a), two V(s), and slow copies of all four, on hidden states of a frozen model.
 *
 *     Q_i ← r + γ·(1 − d)·V'_i(s'),   V_i ← Q'_i(s, a) with a ~ π(s),   copies: φ' ← (1 − τ)·φ' + τ·φ
 *
 * Each network is one hidden layer with ReLU, trained by Adam on the mean squared error, in plain numbers: the critic is small
 * next to the model whose states it reads, and these are constants to it.
 */
import { z } from 'zod';

/** Draws numbers; the generator of a run is one. */
interface Random {
  random(): number;
}

/** Inputs relative to mean and spread of the first buffer: hidden states share a large constant part. */
export class Scaler {
  readonly mean: Float32Array;
  readonly spread: Float32Array;

  constructor(mean: Float32Array, spread: Float32Array) {
    this.mean = mean;
    this.spread = spread;
  }

  static of(rows: readonly ArrayLike<number>[]): Scaler {
    const size = rows[0]!.length;
    const mean = new Float32Array(size);
    const spread = new Float32Array(size);
    const squares = rows.reduce((sum, row) => sum + Array.from(row).reduce((own, each) => own + each * each, 0), 0);
    // the floor keeps a dimension that hardly varies in the first buffer from being scaled up when it does later
    const floor = 1e-3 * Math.sqrt(squares / (rows.length * size));
    for (let i = 0; i < size; i++) {
      mean[i] = rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length;
      const variance = rows.reduce((sum, row) => sum + (row[i]! - mean[i]!) ** 2, 0) / rows.length;
      spread[i] = Math.max(Math.sqrt(variance) + 1e-6, floor);
    }
    return new Scaler(mean, spread);
  }

  apply(row: ArrayLike<number>): Float32Array {
    return this.mean.map((mean, i) => (row[i]! - mean) / this.spread[i]!);
  }
}

const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;

/** inputs → width → 1; all weights in one array: hidden weights [width × inputs], hidden biases, output weights, output bias. */
export class SmallNetwork {
  readonly weights: Float32Array;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  #steps = 0;

  constructor(
    readonly inputs: number,
    readonly width: number,
    rng: Random,
  ) {
    const hidden = width * inputs;
    this.weights = Float32Array.from({ length: hidden + 2 * width + 1 }, (_, i) => {
      if (i < hidden) return (2 * rng.random() - 1) / Math.sqrt(inputs);
      return i >= hidden + width && i < hidden + 2 * width ? (2 * rng.random() - 1) / Math.sqrt(width) : 0;
    });
    this.#first = new Float32Array(this.weights.length);
    this.#second = new Float32Array(this.weights.length);
  }

  predict(row: ArrayLike<number>, weights = this.weights): number {
    return this.#forward(row, weights, undefined);
  }

  /** One step of Adam on ½·mean (prediction − target)². @returns the loss before it. */
  fit(rows: readonly ArrayLike<number>[], targets: ArrayLike<number>, learningRate: number): number {
    const { inputs, width, weights } = this;
    const gradient = new Float64Array(weights.length);
    const active = new Float64Array(width);
    const [biases, outputs] = [width * inputs, width * inputs + width];
    let loss = 0;
    for (const [index, row] of rows.entries()) {
      const error = (this.#forward(row, weights, active) - targets[index]!) / rows.length;
      loss += 0.5 * error * error * rows.length;
      gradient[weights.length - 1]! += error;
      for (let unit = 0; unit < width; unit++) {
        gradient[outputs + unit]! += error * active[unit]!;
        if (active[unit]! <= 0) continue;
        const back = error * weights[outputs + unit]!;
        gradient[biases + unit]! += back;
        for (let i = 0; i < inputs; i++) gradient[unit * inputs + i]! += back * row[i]!;
      }
    }
    this.#steps += 1;
    const [correct1, correct2] = [1 - BETA1 ** this.#steps, 1 - BETA2 ** this.#steps];
    for (let i = 0; i < weights.length; i++) {
      this.#first[i] = BETA1 * this.#first[i]! + (1 - BETA1) * gradient[i]!;
      this.#second[i] = BETA2 * this.#second[i]! + (1 - BETA2) * gradient[i]! ** 2;
      weights[i]! -= (learningRate * (this.#first[i]! / correct1)) / (Math.sqrt(this.#second[i]! / correct2) + EPSILON);
    }
    return loss;
  }

  save(): SavedNetwork {
    return { steps: this.#steps, arrays: [this.weights, this.#first, this.#second].map(toBase64) };
  }

  load({ steps, arrays }: SavedNetwork): void {
    this.#steps = steps;
    [this.weights, this.#first, this.#second].forEach((array, i) => {
      array.set(fromBase64(arrays[i]!));
    });
  }

  #forward(row: ArrayLike<number>, weights: Float32Array, active: Float64Array | undefined): number {
    const { inputs, width } = this;
    const outputs = width * inputs + width;
    let sum = weights[weights.length - 1]!;
    for (let unit = 0; unit < width; unit++) {
      let value = weights[width * inputs + unit]!;
      for (let i = 0, w = unit * inputs; i < inputs; i++, w++) value += weights[w]! * row[i]!;
      const positive = Math.max(0, value);
      if (active) active[unit] = positive;
      sum += positive * weights[outputs + unit]!;
    }
    return sum;
  }
}

const savedNetwork = z.strictObject({ steps: z.number().int().nonnegative(), arrays: z.array(z.string()).length(3) });
type SavedNetwork = z.output<typeof savedNetwork>;

const savedScaler = z.strictObject({ mean: z.string(), spread: z.string() });

export const savedCritic = z.strictObject({
  width: z.number().int().positive(),
  scalers: z.strictObject({ state: savedScaler, answered: savedScaler }),
  networks: z.array(savedNetwork).length(4),
  slow: z.array(z.string()).length(4),
});

/** Hidden states after prompts, and after responses: two places far from each other. */
export interface Scalers {
  readonly state: Scaler;
  readonly answered: Scaler;
}

/** One step in an environment and its result; hidden states as `Scaler` gives them. */
export interface Transition {
  /** In units of success. */
  readonly reward: number;
  readonly terminated: boolean;
  /** After the prompt, and after the response. */
  readonly state: Float32Array;
  readonly answered: Float32Array;
  /** After the next prompt; not read if the task has ended. */
  readonly next: Float32Array;
}

export interface CriticStep {
  readonly gamma: number;
  readonly tau: number;
  readonly learningRate: number;
}

export class TwinCritic {
  /** Q_1, Q_2, V_1, V_2. */
  readonly #networks: readonly SmallNetwork[];
  /** Weights of their slow copies. */
  readonly #slow: readonly Float32Array[];

  constructor(
    readonly scalers: Scalers,
    readonly width: number,
    rng: Random,
  ) {
    const size = scalers.state.mean.length;
    this.#networks = [2 * size, 2 * size, size, size].map((inputs) => new SmallNetwork(inputs, width, rng));
    this.#slow = this.#networks.map(({ weights }) => weights.slice());
  }

  /** min Q(s, a) − min V(s). */
  advantage(state: Float32Array, answered: Float32Array): number {
    const [q1, q2, v1, v2] = this.#networks as readonly [SmallNetwork, SmallNetwork, SmallNetwork, SmallNetwork];
    const both = joined(state, answered);
    return Math.min(q1.predict(both), q2.predict(both)) - Math.min(v1.predict(state), v2.predict(state));
  }

  /** @param fresh  States with a new response of the present policy. @returns the mean losses of Q and V. */
  fit(
    played: readonly Transition[],
    fresh: readonly Pick<Transition, 'state' | 'answered'>[],
    { gamma, tau, learningRate }: CriticStep,
  ): { q: number; v: number } {
    const losses = { q: 0, v: 0 };
    const pairs = played.map(({ state, answered }) => joined(state, answered));
    const freshPairs = fresh.map(({ state, answered }) => joined(state, answered));
    for (const twin of [0, 1]) {
      const [q, v] = [this.#networks[twin]!, this.#networks[2 + twin]!];
      const [slowQ, slowV] = [this.#slow[twin]!, this.#slow[2 + twin]!];
      const qTargets = played.map(({ reward, terminated, next }) =>
        terminated ? reward : reward + gamma * v.predict(next, slowV),
      );
      const vTargets = freshPairs.map((pair) => q.predict(pair, slowQ));
      losses.q += q.fit(pairs, qTargets, learningRate) / 2;
      losses.v +=
        v.fit(
          fresh.map(({ state }) => state),
          vTargets,
          learningRate,
        ) / 2;
    }
    for (const [index, slow] of this.#slow.entries()) {
      const { weights } = this.#networks[index]!;
      for (let i = 0; i < slow.length; i++) slow[i]! += tau * (weights[i]! - slow[i]!);
    }
    return losses;
  }

  save(): z.output<typeof savedCritic> {
    const { scalers, width } = this;
    const saved = ({ mean, spread }: Scaler) => ({ mean: toBase64(mean), spread: toBase64(spread) });
    return {
      width,
      scalers: { state: saved(scalers.state), answered: saved(scalers.answered) },
      networks: this.#networks.map((network) => network.save()),
      slow: this.#slow.map(toBase64),
    };
  }

  static from({ width, scalers, networks, slow }: z.output<typeof savedCritic>): TwinCritic {
    const scalerOf = ({ mean, spread }: z.output<typeof savedScaler>) =>
      new Scaler(fromBase64(mean), fromBase64(spread));
    const { state, answered } = scalers;
    const critic = new TwinCritic({ state: scalerOf(state), answered: scalerOf(answered) }, width, {
      random: () => 0,
    });
    critic.#networks.forEach((network, i) => {
      network.load(networks[i]!);
    });
    critic.#slow.forEach((weights, i) => {
      weights.set(fromBase64(slow[i]!));
    });
    return critic;
  }
}

function joined(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

const toBase64 = (values: Float32Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
