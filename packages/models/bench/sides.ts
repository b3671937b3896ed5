/** Two programs that do the same jobs in turns: each reads a job as a line of JSON and answers with a line of JSON. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Figures {
  readonly seconds: number;
  /** Seconds of all threads of the process. */
  readonly processor: number;
  /** Bytes. */
  readonly peak: number;
  /** Bytes before the job, on a device: weights, and what else stays. */
  readonly held?: number;
  readonly ids?: readonly (readonly number[])[];
  readonly logProbs?: readonly (readonly number[])[];
  readonly loss?: number;
}

export interface Pairs {
  readonly theirs: readonly Figures[];
  readonly ours: readonly Figures[];
}

type Key = 'seconds' | 'processor' | 'peak';

export class Side {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(command: string, args: readonly string[], threads: string) {
    const limits = { VLGYM_NUM_THREADS: threads, OMP_NUM_THREADS: threads, MKL_NUM_THREADS: threads };
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...limits } });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  async line(): Promise<Record<string, unknown>> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${this.#child.spawnargs.join(' ')} has ended`);
    return JSON.parse(value);
  }

  async run(job: object): Promise<Figures> {
    this.#child.stdin!.write(`${JSON.stringify(job)}\n`);
    return (await this.line()) as unknown as Figures;
  }

  end(): void {
    this.#child.stdin!.end();
  }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Runs a job on both sides in turns; the first turn of each warms up. */
export async function compare(theirs: Side, ours: Side, job: object, rounds: number): Promise<Pairs> {
  const pairs: { theirs: Figures[]; ours: Figures[] } = { theirs: [], ours: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const turn = { theirs: await theirs.run(job), ours: await ours.run(job) };
    if (round === 0) continue;
    pairs.theirs.push(turn.theirs);
    pairs.ours.push(turn.ours);
  }
  return pairs;
}

/** The same minus the time of the first token, turn by turn. */
export function without(all: Pairs, first: Pairs): Pairs {
  const each = (side: keyof Pairs) =>
    all[side].map((figures, i) => ({
      ...figures,
      seconds: figures.seconds - first[side][i]!.seconds,
      processor: figures.processor - first[side][i]!.processor,
    }));
  return { theirs: each('theirs'), ours: each('ours') };
}

function ratio({ theirs, ours }: Pairs, key: Key): number {
  return median(theirs.map((figures, i) => figures[key] / ours[i]![key]));
}

export const HEADER = `${''.padEnd(26)}  theirs    ours   ratio     ratio of processor time    peak: theirs  ours  ratio`;

/** Prints the medians of both sides, and the median of the ratios of neighboring turns, which other work moves least. */
export function show(name: string, pairs: Pairs): object {
  const { theirs, ours } = pairs;
  const of = (figures: readonly Figures[], key: Key) => median(figures.map((each) => each[key]));
  const row = {
    theirs: of(theirs, 'seconds'),
    ours: of(ours, 'seconds'),
    ratio: ratio(pairs, 'seconds'),
    theirProcessor: of(theirs, 'processor'),
    ourProcessor: of(ours, 'processor'),
    processorRatio: ratio(pairs, 'processor'),
    bestRatio: Math.min(...theirs.map((x) => x.processor)) / Math.min(...ours.map((x) => x.processor)),
    theirPeak: Math.max(...theirs.map(({ peak }) => peak)),
    ourPeak: Math.max(...ours.map(({ peak }) => peak)),
    theirHeld: theirs.at(-1)!.held,
    ourHeld: ours.at(-1)!.held,
  };
  const milliseconds = (seconds: number) => `${(1e3 * seconds).toFixed(0)}`.padStart(8);
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)}`.padStart(6);
  console.log(
    `${name.padEnd(26)}${milliseconds(row.theirs)}${milliseconds(row.ours)}${row.ratio.toFixed(2).padStart(8)}` +
      `${milliseconds(row.theirProcessor)}${milliseconds(row.ourProcessor)}${row.processorRatio.toFixed(2).padStart(8)}` +
      ` (best ${row.bestRatio.toFixed(2)})` +
      `${megabytes(row.theirPeak)}${megabytes(row.ourPeak)}${(row.ourPeak / row.theirPeak).toFixed(2).padStart(6)}`,
  );
  return row;
}

/** Share of ids that are equal up to the first difference of their row. */
export function agreement({ theirs, ours }: Pairs): number {
  const [a, b] = [theirs[0]!.ids!, ours[0]!.ids!];
  const total = a.reduce((sum, row) => sum + row.length, 0);
  const equal = a.reduce((sum, row, i) => {
    const first = row.findIndex((id, position) => id !== b[i]![position]);
    return sum + (first < 0 ? row.length : first);
  }, 0);
  return equal / total;
}
