/** The runs below the given folders; looked for again when a list is asked for. */
import { episodesOf, findPlaces } from '../folders/find-runs.js';
import { Run } from '../folders/run.js';
import type { RunList } from '../protocol.js';

/** Milliseconds in which the folders are not looked through again. */
const FRESH = 1000;

export class Library {
  readonly #roots: readonly string[];
  #runs = new Map<string, Run>();
  #leftOut = 0;
  #lookedAt = 0;
  #looking: Promise<void> | undefined;

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** @param patience  Milliseconds to wait for recordings without an index. */
  async list(patience?: number): Promise<RunList> {
    await this.#look();
    const summaries = await Promise.all([...this.#runs.values()].map((run) => run.summary(patience)));
    return { runs: summaries.sort((a, b) => b.changedAt - a.changedAt), leftOut: this.#leftOut };
  }

  /** In the order of their names. */
  async all(): Promise<readonly Run[]> {
    await this.#look();
    return [...this.#runs.values()];
  }

  async run(id: string): Promise<Run | undefined> {
    if (!this.#runs.has(id)) await this.#look();
    const known = this.#runs.get(id);
    if (known === undefined || known.place.episodes !== undefined) return known;
    const episodes = await episodesOf(known.folder); // the first evaluation of a training comes after some updates
    if (episodes === undefined) return known;
    const judged = new Run({ ...known.place, episodes });
    this.#runs.set(id, judged);
    return judged;
  }

  async #look(): Promise<void> {
    if (Date.now() - this.#lookedAt < FRESH) return;
    this.#looking ??= this.#find().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #find(): Promise<void> {
    const { places, leftOut } = await findPlaces(this.#roots);
    // a run that is known keeps what was read of it, unless it has begun to record
    this.#runs = new Map(
      places.map((place) => {
        const known = this.#runs.get(place.id);
        const same = known && known.place.episodes === place.episodes && known.place.kind === place.kind;
        return [place.id, same ? known : new Run(place)];
      }),
    );
    this.#leftOut = leftOut;
    this.#lookedAt = Date.now();
  }
}
